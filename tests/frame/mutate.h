/* SPDX-License-Identifier: MIT */
/* Damage to bytes, by dice that fall the same way each time. */
#ifndef TESTS_FRAME_MUTATE_H
#define TESTS_FRAME_MUTATE_H

#include "base/types.h"

struct dice {
	u64 state;
};

/* Of this name's k-th mutant. */
struct dice dice_of(const char *name, u64 k);
/* 0 to below - 1, 0 for below 0. */
u64 roll(struct dice *d, u64 below);

/*
 * One change of the n bytes at p, at or behind `at` (below n): a bit, a byte, a number that is
 * special, some bytes missing, seldom the end. Returns how many bytes are left; p keeps n.
 */
size_t mutate_once(u8 *p, size_t n, size_t at, struct dice *d);

#endif
