/* SPDX-License-Identifier: MIT */
/*
 * Items put in order as perf report has them: in a red-black tree, one after the other. Where the
 * comparison is an order this is a stable sort, but not all of perf's comparisons are one (a before
 * b, b before c, c before a), and then the order is that of its trees.
 *
 *	o = order_tree_new(nr);
 *	order_tree_add(o, ORDER_WORD, values);	(for each thing that decides, the first one first)
 *	order_tree_sort(o, items);
 *	order_tree_free(o);
 */
#ifndef REPORT_ORDER_ORDER_TREE_H
#define REPORT_ORDER_ORDER_TREE_H

#include "base/types.h"

enum order_kind {
	ORDER_WORD,   /* the lowest first */
	ORDER_ADDR,   /* by the sign of the difference, which may wrap */
	ORDER_TASK,   /* high half: the task; the low half decides within a task only */
	ORDER_MARKED, /* the lowest first, but two odd ones are equal */
	ORDER_OLDEST, /* different ones in the order in which they are put into the tree */
	ORDER_LATEST, /* the other way round */
};

struct order_tree;

/* Of items 0 to nr - 1. */
struct order_tree *order_tree_new(u32 nr);
void order_tree_free(struct order_tree *o);

/* The next thing that decides: a malloc'd value for each item, which the tree takes over. */
void order_tree_add(struct order_tree *o, enum order_kind kind, u64 *values);

/* True when all that was added is an order: sorting twice changes nothing. */
bool order_tree_is_plain(const struct order_tree *o);

/* Puts the n items, which are different ones, in order. */
void order_tree_sort(struct order_tree *o, u32 *items, u32 n);

#endif
