/* SPDX-License-Identifier: MIT */
/*
 * Compares lines, which are names with ';' between them, without making their texts.
 *
 * A name is compared together with the byte after it: the end of the line, or ';'. So other lines
 * can stand between the lines that begin with one name: "a", "a b", "a;c", because ' ' < ';'. Such
 * a name is called torn: another name begins with it and goes on with a byte below ';'. All other
 * names are compared by their ranks.
 */
#ifndef PICTURE_FOLD_ORDER_H
#define PICTURE_FOLD_ORDER_H

#include "base/intern.h"

struct fold_order {
	const struct intern *names;
	u32 *ranks; /* by name id */
	bool *torn; /* by name id */
};

void fold_order_init(struct fold_order *fo, const struct intern *names);
void fold_order_fini(struct fold_order *fo);

/* As strcmp of two lines that begin with these names. a_ends, b_ends: the name ends its line. */
int fold_order_compare(const struct fold_order *fo, u32 a, bool a_ends, u32 b, bool b_ends);

#endif
