/* SPDX-License-Identifier: MIT */
/*
 * The order of lines made of names with ';' between them, without making the lines.
 *
 * A name is compared with what follows it: nothing, where it is the last of its line, or ';'. So
 * lines that begin with one name need not stand together: "a", "a b", "a;c", as ' ' < ';'. Only a
 * name that begins another one, with a byte below ';' behind it, is torn so; all others go by rank.
 */
#ifndef FOLD_FOLD_ORDER_H
#define FOLD_FOLD_ORDER_H

#include "base/intern.h"

struct fold_order {
	const struct intern *names;
	u32 *ranks; /* by name id */
	bool *torn; /* by name id */
};

void fold_order_init(struct fold_order *fo, const struct intern *names);
void fold_order_fini(struct fold_order *fo);

/* As strcmp, of lines that begin with these names; *_ends: the name ends its line. */
int fold_order_compare(const struct fold_order *fo, u32 a, bool a_ends, u32 b, bool b_ends);

#endif
