/* SPDX-License-Identifier: MIT */
/* The lines of a tree of names, sorted by the bytes of their texts. */
#ifndef PICTURE_FOLD_LINES_H
#define PICTURE_FOLD_LINES_H

#include "base/out.h"
#include "picture/fold_tree.h"

/* Called with one line: its text, without the blank and the counts, and its weights. */
typedef void fold_line_fn(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES]);

/* Calls fn for each line, sorted by the bytes of the text. */
void fold_tree_each(const struct fold_tree *t, fold_line_fn *fn, void *ctx);

/*
 * Prints each line as "text COUNT", the count of side 0, in that order. The number of threads does
 * not change the text. ret_sums: of all lines.
 */
void fold_tree_print(const struct fold_tree *t, unsigned int nr_threads, struct out *o,
		     u64 ret_sums[FOLD_SIDES]);

#endif
