/* SPDX-License-Identifier: MIT */
/*
 * Rows of several tables brought together: equal rows become one, the first that was added. Rows
 * are not copied; they stay in their tables, which must live as long as the share is used.
 */
#ifndef COUNT_TABLES_ROW_SHARE_H
#define COUNT_TABLES_ROW_SHARE_H

#include "count/tables/count_rows.h"

struct row_share {
	const struct count_rows *like; /* all rows are as those of this table */
	u32 **rows; /* the words of each, in the order in which they were added */
	size_t nr, most;
	size_t nr_slotted;             /* those that row_share_add() added */
	struct count_rows_slot *slots; /* NULL once frozen */
	size_t mask;
};

/* like: borrowed; only the lengths of its rows are looked at. most: how many rows will be added. */
void row_share_init(struct row_share *s, const struct count_rows *like, size_t most);
void row_share_fini(struct row_share *s);
/* Frees what is needed to add rows: the share can only be read from now on. */
void row_share_freeze(struct row_share *s);

/*
 * Adds a row: of an equal one that was added before, the sums grow, as with count_rows_add(). hash:
 * equal for equal rows.
 */
void row_share_add(struct row_share *s, u32 *row, u32 hash);
/* Adds a row that equals no other one. */
static inline void row_share_append(struct row_share *s, u32 *row)
{
	s->rows[s->nr++] = row;
}

/* Prefetches the slot in which a row with this hash is searched. */
static inline void row_share_prefetch(const struct row_share *s, u32 hash)
{
	__builtin_prefetch(&s->slots[hash & s->mask]);
}

#endif
