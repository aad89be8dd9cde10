/* SPDX-License-Identifier: MIT */
/*
 * A table from keys of a fixed number of 32-bit words to sums, and words of the first that was
 * added (of the lowest rank). Rows are in the order in which their keys were first added.
 */
#ifndef COUNT_TABLES_COUNT_ROWS_H
#define COUNT_TABLES_COUNT_ROWS_H

#include "base/types.h"

struct count_sums {
	u64 samples, period;
	u64 first; /* lowest rank that was added */
};

struct count_rows_slot {
	u32 row; /* number + 1, 0: free */
	u32 check;
};

struct count_rows {
	unsigned int nr_keys, nr_first;
	u32 *words; /* per row its key, the nr_first words of the first one, struct count_sums */
	size_t nr, cap;
	struct count_rows_slot *slots;
	size_t mask;
};

void count_rows_init(struct count_rows *t, unsigned int nr_keys, unsigned int nr_first);
void count_rows_fini(struct count_rows *t);
/* Frees what is needed to add rows: the table can only be read from now on. */
void count_rows_freeze(struct count_rows *t);

/*
 * Adds sums to the row of this key; of `first` the lower one stays, and with it the nr_first words
 * behind the key. hash: any that is equal for equal keys.
 */
void count_rows_add(struct count_rows *t, const u32 *key, u32 hash, const struct count_sums *sums);
/* Prefetches the slot in which a row with this hash is searched. */
static inline void count_rows_prefetch(const struct count_rows *t, u32 hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask]);
}

/* Words before a row's sums, which begin at a multiple of 8 bytes. */
static inline size_t count_rows_head(const struct count_rows *t)
{
	return (t->nr_keys + t->nr_first + 1) & ~(size_t)1;
}

static inline size_t count_rows_width(const struct count_rows *t)
{
	return count_rows_head(t) + sizeof(struct count_sums) / sizeof(u32);
}

static inline u32 *count_rows_key(const struct count_rows *t, size_t row)
{
	return t->words + row * count_rows_width(t);
}

/* The sums of a row whose words, which begin with its key, are given. */
static inline struct count_sums *count_rows_sums_in(const struct count_rows *t, u32 *row)
{
	return (struct count_sums *)(void *)(row + count_rows_head(t));
}

static inline struct count_sums *count_rows_sums(const struct count_rows *t, size_t row)
{
	return count_rows_sums_in(t, count_rows_key(t, row));
}

/* Whether the row with these words has this key. */
static inline bool count_rows_is_key(const struct count_rows *t, const u32 *row, const u32 *key)
{
	unsigned int n = t->nr_keys;

	while (n && *row++ == *key++)
		n--;
	return !n;
}

/* Adds sums to the row with these words, and takes the words behind the key if they came first. */
static inline void count_rows_join(const struct count_rows *t, u32 *row, const u32 *key,
				   const struct count_sums *sums)
{
	struct count_sums *s = count_rows_sums_in(t, row);

	s->samples += sums->samples;
	s->period += sums->period;
	if (sums->first >= s->first)
		return;
	s->first = sums->first;
	for (unsigned int k = t->nr_keys; k < t->nr_keys + t->nr_first; k++)
		row[k] = key[k];
}

/* Prefetches the first row with this hash, if there is one. Call it once its slot has arrived. */
static inline void count_rows_prefetch_row(const struct count_rows *t, u32 hash)
{
	size_t i = hash & t->mask;
	const u32 *key;

	while (t->slots[i].row && t->slots[i].check != hash)
		i = (i + 1) & t->mask;
	if (!t->slots[i].row)
		return;
	key = count_rows_key(t, t->slots[i].row - 1);
	__builtin_prefetch(key);
	__builtin_prefetch(key + count_rows_width(t) - 1, 1);
}

/* Bytes of memory that the table takes. */
size_t count_rows_bytes(const struct count_rows *t);

#endif
