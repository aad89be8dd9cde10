/* SPDX-License-Identifier: MIT */
/* Texts from recordings as strings of JSON. */
#ifndef EVENTS_JSON_TEXT_H
#define EVENTS_JSON_TEXT_H

#include <stddef.h>

#include "base/out.h"

/*
 * Writes n bytes in quotes. Bytes that are no UTF-8 become U+FFFD, so that every reader takes the
 * text.
 */
void json_text_put(struct out *o, const char *s, size_t n);

#endif
