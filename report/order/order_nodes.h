/* SPDX-License-Identifier: MIT */
/*
 * Sorts items by inserting them into perf's red-black tree. For order_tree.c only.
 *
 * Unlike a sort this has a defined result when the comparison is not transitive.
 */
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

struct order_nodes;

/* Makes an empty tree. What w points to is borrowed; it is read here only. */
struct order_nodes *order_nodes_new(const struct order_words *w);
void order_nodes_free(struct order_nodes *o);
/* Inserts n items, which must be in no tree yet, one after the other. */
void order_nodes_insert(struct order_nodes *o, const u32 *items, u32 n);
/* Writes all items that were inserted to items, in their order. */
void order_nodes_list(const struct order_nodes *o, u32 *items);

#endif
