/* SPDX-License-Identifier: MIT */
/* Sorts items by inserting them into perf's red-black tree. For order_tree.c only. */
#ifndef REPORT_ORDER_ORDER_NODES_H
#define REPORT_ORDER_ORDER_NODES_H

#include "report/order/order_tree.h"

/* The values that items are compared by; columns[k][i] is value k of item i. */
struct order_words {
	const enum order_kind *kinds;
	u64 *const *columns;
	size_t nr; /* number of columns */
	u32 nr_items;
};

/*
 * Sorts n different items as perf does: inserts them into a red-black tree one by one, then lists
 * the tree. Unlike a sort this has a defined result when the comparison is not transitive.
 */
void order_nodes_sort(const struct order_words *w, u32 *items, u32 n);

#endif
