/* SPDX-License-Identifier: MIT */
/* A radix sort of items by a 64-bit rank. */
#ifndef BASE_RANK_ORDER_H
#define BASE_RANK_ORDER_H

#include "base/types.h"

struct ranked {
	u64 rank;  /* the sort key */
	u32 index; /* of the item, for the caller */
};

/* Sorts v by ascending rank; items of equal rank keep their order. Takes time and memory linear in
 * n, which must be below 2^32. */
void rank_order(struct ranked *v, size_t n);

#endif
