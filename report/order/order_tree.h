/* SPDX-License-Identifier: MIT */
/*
 * Sorts items in the order of perf report, which inserts them into a red-black tree. With a
 * consistent comparison this is a stable sort. Some of perf's comparisons are not transitive (a
 * before b, b before c, c before a); the result then depends on the shape of the tree, which is
 * rebuilt here.
 *
 *	o = order_tree_new(nr);
 *	order_tree_add(o, ORDER_WORD, values);	(once for each criterion, the most important first)
 *	order_tree_sort(o, items);
 *	order_tree_free(o);
 */
#ifndef REPORT_ORDER_ORDER_TREE_H
#define REPORT_ORDER_ORDER_TREE_H

#include "base/types.h"

/* How two values of a criterion compare. */
enum order_kind {
	ORDER_WORD,   /* the lower one first */
	ORDER_ADDR,   /* by the sign of the difference, which may wrap */
	ORDER_TASK,   /* the lower one first if the high 32 bits (a task) agree, else equal */
	ORDER_MARKED, /* the lower one first, but two odd values are equal */
	ORDER_OLDEST, /* if they differ, the item that was inserted first comes first */
	ORDER_LATEST, /* if they differ, the item that was inserted last comes first */
};

struct order_tree;

/* Makes an order of items 0 to nr - 1 without any criterion. Free with order_tree_free(). */
struct order_tree *order_tree_new(u32 nr);
void order_tree_free(struct order_tree *o);

/*
 * Adds the next criterion, which decides between items that are equal so far. values is a malloc'd
 * array with a value for each item; it is taken over.
 */
void order_tree_add(struct order_tree *o, enum order_kind kind, u64 *values);

/* Returns true if the comparison is consistent for these values: sorting again changes nothing. */
bool order_tree_is_plain(const struct order_tree *o);

/* Sorts n different items. Their order on entry is the order of insertion. */
void order_tree_sort(struct order_tree *o, u32 *items, u32 n);

/*
 * Sorts the first of n items as order_tree_sort() does, as far as the result depends neither on the
 * order on entry nor on the shape of the tree: among items that earlier criteria leave equal, each
 * criterion must be consistent, and in the end none may be equal. Returns how many these are; the
 * others stand behind them in no particular order, though none belongs before them.
 */
u32 order_tree_sort_surely(const struct order_tree *o, u32 *items, u32 n);

/*
 * For sorting piece by piece: begins what order_tree_sort() does at once. items and the criteria
 * must stay as they are until order_sorting_free(), which may come at any time.
 */
struct order_sorting;
struct order_sorting *order_sorting_new(struct order_tree *o, u32 *items, u32 n);
void order_sorting_free(struct order_sorting *s);
/* Does a piece of the work, some milliseconds; false: items are sorted, and were before the call.
 */
bool order_sorting_go_on(struct order_sorting *s);

#endif
