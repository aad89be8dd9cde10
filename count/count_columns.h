/* SPDX-License-Identifier: MIT */
/*
 * The columns that a row can have, one row of count_columns[] each: how a sample gives the column
 * its value. To add one, add it to enum count_column (before the columns of branches) and to this
 * table.
 */
#ifndef COUNT_COUNT_COLUMNS_H
#define COUNT_COUNT_COLUMNS_H

#include "count/counter.h"

/*
 * What the values are ids of. Ids are numbered within one counter, so a merge translates them, and
 * the hash of a row takes what the id stands for instead of the id.
 */
enum count_column_flags {
	COLUMN_FRAME = 1u << 0,
	COLUMN_STACK = 1u << 1,
	COLUMN_BLOB = 1u << 2,
	COLUMN_BRANCH = 1u << 3, /* one value per branch of the sample: counter.c fills it in */
};

struct count_column_def {
	const char *name;
	u32 flags;
	/*
	 * The value of a sample; where values are ids, what stands for the id in the hash of the
	 * row. It looks nothing up in the counter's tables: see counter_prepare(). NULL with
	 * COLUMN_BRANCH.
	 */
	u64 (*get)(const struct counter *c, const struct counter_sample *cs);
	/* The id, which is given now to what is new; NULL where `get` gives the value itself. */
	u64 (*id)(struct counter *c, const struct counter_sample *cs, u64 *rank);
};

extern const struct count_column_def count_columns[COUNT_COLUMNS];

/* The value of a column, for a row's key. rank: of the next new frame, stepped on for each. */
static inline u64 count_column_value(struct counter *c, enum count_column col,
				     const struct counter_sample *cs, u64 *rank)
{
	const struct count_column_def *def = &count_columns[col];

	return def->id ? def->id(c, cs, rank) : def->get(c, cs);
}

/*
 * Keys of rows: the event, then the columns from the lowest on. Values of columns before COUNT_WIDE
 * take one word, others two.
 */
#define COUNT_MAX_KEY (1 + 2 * COUNT_COLUMNS) /* words */

/* Writes a value and returns the place behind it. */
static inline u32 *count_key_put(u32 *key, enum count_column col, u64 value)
{
	key[0] = (u32)value;
	if (col < COUNT_WIDE)
		return key + 1;
	key[1] = (u32)(value >> 32);
	return key + 2;
}

static inline const u32 *count_key_get(const u32 *key, enum count_column col, u64 *ret)
{
	*ret = key[0];
	if (col < COUNT_WIDE)
		return key + 1;
	*ret |= (u64)key[1] << 32;
	return key + 2;
}

/* Words that these columns take in a key. */
static inline unsigned int count_key_words(u32 columns)
{
	const u32 narrow = (1u << COUNT_WIDE) - 1;

	return (unsigned int)(__builtin_popcount(columns & narrow) +
			      2 * __builtin_popcount(columns & ~narrow));
}

/* The hash of a row for count_rows_add, from its key. Equal rows of two counters have equal hashes.
 */
u32 count_columns_hash_key(const struct counter *c, const u32 *key);

/*
 * The same hash from the sample, before its ids are known: a row's slot can be fetched from memory
 * meanwhile. Not for rows of branches.
 */
u32 count_columns_hash_sample(const struct counter *c, const struct counter_sample *cs);

/* The frame of an address that may be in the kernel or in the task, as a branch's ends are. */
u32 count_columns_frame_of_any(struct counter *c, const struct count_task *task, u64 ip, u64 *rank);

#endif
