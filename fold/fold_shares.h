/* SPDX-License-Identifier: MIT */
/*
 * Which rows each of several threads folds. Rows of one root go to one thread, so that the trees of
 * two threads have little in common and are merged quickly; a root with too many rows is divided.
 */
#ifndef FOLD_FOLD_SHARES_H
#define FOLD_FOLD_SHARES_H

#include "base/types.h"

/* Rows, ascending. */
struct fold_share {
	u32 *rows;
	size_t nr, cap;
};

/*
 * Divides rows 0 to nr_rows - 1 among nr shares of about equal size. roots: by row, all below
 * nr_roots; NULL: each share has neighbours. The caller frees the shares and their rows.
 */
struct fold_share *fold_shares_make(const u32 *roots, size_t nr_roots, size_t nr_rows, size_t nr);

#endif
