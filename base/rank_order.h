/* SPDX-License-Identifier: MIT */
/* Things in the order of their ranks. */
#ifndef BASE_RANK_ORDER_H
#define BASE_RANK_ORDER_H

#include "base/types.h"

struct ranked {
	u64 rank;
	u32 index;
};

/* Sorts by rank; equal ones keep their order. Linear in n, which is below 2^32. */
void rank_order(struct ranked *v, size_t n);

#endif
