/* SPDX-License-Identifier: MIT */
/* Which rows' call chains belong to an entry of a histogram, and the entry's call tree. */
#ifndef REPORT_TABLE_HIST_USES_H
#define REPORT_TABLE_HIST_USES_H

#include "report/table/hist.h"

/*
 * Empties the tree and adds the call chains of an entry to it. Call it after
 * hist_count_beside_sorting(). Each thread needs its own tree.
 */
void hist_fill_tree(const struct hist *h, u32 entry, struct chain_tree *tree);

/*
 * Whether the call tree of an entry has a branch directly below the entry of at least this period.
 * Much faster than making the tree. As hist_fill_tree(); the tree is empty afterwards.
 */
bool hist_branch_reaches(const struct hist *h, u32 entry, u64 least, struct chain_tree *tree);

/*
 * Adds the uses of entries that have none yet although their trees may have branches of at least
 * this percentage. It takes a pass over all rows whatever the number of entries.
 */
void hist_gather_more(struct hist *h, double least, const u32 *entries, size_t nr);

/*
 * After hist_count(): fills h->uses, and first_use and nr_uses of all entries whose trees may have
 * branches of the least percentage of h->chain, unless that is NULL.
 */
void hist_gather_uses(struct hist *h);

/*
 * After hist_list(): leaves out filtered entries, counts the others and fills h->uses, and
 * first_use and nr_uses of all entries whose chains are shown (unless h->chain is NULL), while
 * another thread sorts by keys. Returns the order for hist_sort(), which frees it.
 */
struct order_tree *hist_count_beside_sorting(struct hist *h, unsigned int nr_threads);

#endif
