/* SPDX-License-Identifier: MIT */
/* Formats whose texts are escaped, for messages. base/out.h has the functions that output uses. */
#ifndef BASE_SCREEN_OUT_ESCAPE_H
#define BASE_SCREEN_OUT_ESCAPE_H

#include <stdarg.h>

#include "base/out.h"

/*
 * Appends as vprintf does, but with the texts of %s escaped; a width of %s counts columns. The
 * format's own characters stay as they are. It may hold d i u x X o c s p f e g %, with flags,
 * widths, precisions and the lengths h l ll z j.
 */
void out_put_format_escaped(struct out *o, const char *fmt, va_list *ap);

#endif
