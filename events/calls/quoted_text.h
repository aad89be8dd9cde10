/* SPDX-License-Identifier: MIT */
/* Bytes as texts of C. */
#ifndef EVENTS_CALLS_QUOTED_TEXT_H
#define EVENTS_CALLS_QUOTED_TEXT_H

#include "base/bytes.h"
#include "base/out.h"

/* How many bytes of what is read and written are shown, as strace has it. */
#define QUOTED_MAX 32

/* Writes a text in quotes; bytes that are not printable ASCII as escapes of C, in octal. */
void quoted_text_put(struct span text, struct out *o);
/* Writes all bytes as \x1f. */
void quoted_text_put_hex(struct span text, struct out *o);

#endif
