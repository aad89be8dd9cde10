/* SPDX-License-Identifier: MIT */
/*
 * Names in markup. A name is made clean first: what a terminal must not get either (control
 * characters, changes of the direction of writing, bytes that are no UTF-8) is written as an escape
 * such as \x1b, as by --escape. The clean text is then written with the entities that markup needs.
 */
#ifndef PICTURE_MARKUP_H
#define PICTURE_MARKUP_H

#include "base/out.h"

/* Returns the clean form of s, which is s itself or a text in `room`, whose old text is lost. */
const char *markup_clean(const char *s, struct out *room);

/* Appends n bytes of clean text as XML or HTML: in an element or in an attribute. */
void markup_put(struct out *o, const char *clean, size_t n);

/* Appends the clean form of s as markup. */
void markup_put_name(struct out *o, const char *s);

#endif
