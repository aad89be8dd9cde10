/* SPDX-License-Identifier: MIT */
/* The tree of order_tree.h, for items whose comparison is not an order. */
#ifndef REPORT_ORDER_ORDER_NODES_H
#define REPORT_ORDER_ORDER_NODES_H

#include "report/order/order_tree.h"

/* The values that items are compared by; columns[k][i] is value k of item i. */
struct order_words {
	const enum order_kind *kinds;
	u64 *const *columns;
	size_t nr; /* of columns */
	u32 nr_items;
};

/* Puts n different items in the order that perf's tree has once they were inserted one by one. */
void order_nodes_sort(const struct order_words *w, u32 *items, u32 n);

#endif
