/* SPDX-License-Identifier: MIT */
/* The red-black tree of order_tree.h: nodes with the words that they are compared by. */
#ifndef REPORT_ORDER_NODES_H
#define REPORT_ORDER_NODES_H

#include "report/order_tree.h"

/* What words are, one after the other; columns[k][i] is word k of item i. */
struct order_words {
	const enum order_kind *kinds;
	u64 *const *columns;
	size_t nr; /* of words */
	u32 nr_items;
};

/* Puts the n items, which are different ones, in order. */
void order_nodes_sort(const struct order_words *w, u32 *items, u32 n);

#endif
