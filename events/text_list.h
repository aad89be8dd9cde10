/* SPDX-License-Identifier: MIT */
/* Lists in option values, whose separators also occur inside of expressions. */
#ifndef EVENTS_TEXT_LIST_H
#define EVENTS_TEXT_LIST_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Takes the next item of a list, up to a `separator` that lies outside of quotes, parentheses and
 * brackets. in_slashes: an item NAME/.../ ends with
 * a slash in front of the separator. *rest is set to what follows. Returns false when
 * *rest is empty. The item's blanks at both ends are left out.
 */
bool text_list_next(struct span *rest, char separator, bool in_slashes, struct span *ret);

/* Whether an item of a list of events, NAME/.../,NAME is empty, or all of it. */
bool text_list_has_blank(const char *list);

/* The place of the single = in "A,B=C,D", which is no part of == != <= >=; SIZE_MAX: there is none.
 */
size_t text_list_equals(struct span s);

/*
 * Takes NAME= off the front of an item of --by. *ret_name is empty where there is none. PERR_USAGE:
 * what stands in front of the = is no name.
 */
int text_list_take_name(struct span *item, struct span *ret_name, struct perr *e) MUST_CHECK;

#endif
