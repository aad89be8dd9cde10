/* SPDX-License-Identifier: MIT */
/*
 * Names in lines of collapsed stacks, "root;frame;frame COUNT". Readers split such a line at its
 * last blank and the rest at every ';', and know no quoting. A byte that would split a name is
 * therefore written as a percent sign and two upper-case hexadecimal digits:
 *
 *	;			%3B
 *	control bytes		%0A and the like: newline, tab, ...
 *	a blank that ends the
 *	name, or is followed by
 *	a number that ends it	%20	"x 12" would be the stack x with two counts
 *	%			%25, only where the name itself has such a code
 *
 * All other bytes stay as they are. fold_unescape appends the name that text was made from.
 */
#ifndef PICTURE_FOLD_ESCAPE_H
#define PICTURE_FOLD_ESCAPE_H

#include "base/out.h"

void fold_escape(struct out *o, const char *name, size_t n);
void fold_unescape(struct out *o, const char *text, size_t n);

#endif
