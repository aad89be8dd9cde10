/* SPDX-License-Identifier: MIT */
/* The stacks of a histogram's samples as a call tree, for flame graphs. */
#ifndef REPORT_CHARTS_HIST_FLAME_H
#define REPORT_CHARTS_HIST_FLAME_H

#include "picture/flame.h"
#include "report/table/hist.h"

/*
 * Makes *ret, a finished tree of two sides, periods and samples, which the caller frees: the
 * command, then its callers from the outermost one, of the samples of the leading event that count
 * for h. The heaviest children come first. shown: by entry, whether samples that were taken in it
 * are wanted; NULL: all are. Call it after hist_list(). Returns false, without a tree, if no sample
 * is wanted, if rows are branches, or if it is not counted where samples were taken.
 */
bool hist_flame(struct hist *h, const bool *shown, struct flame *ret);

#endif
