/* SPDX-License-Identifier: MIT */
/* The red-black tree of order_tree.h: nodes with the words that they are compared by. */
#ifndef REPORT_ORDER_NODES_H
#define REPORT_ORDER_NODES_H

#include "report/order_pack.h"

/*
 * Puts the n items, which are different ones, in order. pack: the words in one each, which is
 * faster; NULL: they do not fit.
 */
void order_nodes_sort(const struct order_words *w, const struct order_pack *pack, u32 *items,
		      u32 n);

#endif
