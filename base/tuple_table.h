/* SPDX-License-Identifier: MIT */
/*
 * Tuples of a fixed number of u64, each once, numbered from 0 in the order of first sight. Behind
 * each there may be more words, which belong to the caller.
 */
#ifndef BASE_TUPLE_TABLE_H
#define BASE_TUPLE_TABLE_H

#include "base/types.h"

struct tuple_table {
	size_t width;  /* words of a tuple, may be 0 */
	size_t stride; /* with what is behind it */
	u64 *words;
	size_t nr, cap; /* tuples, words */
	u64 *slots;     /* high half: of the hash; low half: number + 1, 0: free */
	size_t mask;
};

void tuple_table_init(struct tuple_table *t, size_t width, size_t nr_more);
void tuple_table_fini(struct tuple_table *t);

/* Makes room for about n tuples, of an empty table. */
void tuple_table_expect(struct tuple_table *t, size_t n);

/* Number of a tuple of t->width words, which are copied when it is new; what is behind it is 0. */
u32 tuple_table_id(struct tuple_table *t, const u64 *tuple);

/* Adds one that the caller keeps from being added twice: tuple_table_id does not find it. */
u32 tuple_table_add(struct tuple_table *t, const u64 *tuple);

/* The hash of a tuple, to fetch what tuple_table_id will look at into the cache. */
u64 tuple_table_hash(const struct tuple_table *t, const u64 *tuple);

static inline void tuple_table_prefetch(const struct tuple_table *t, u64 hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask], 1);
}

/* Borrowed until the next tuple_table_id. NULL where tuples have no words. */
static inline const u64 *tuple_table_get(const struct tuple_table *t, u32 id)
{
	return t->width ? t->words + id * t->stride : NULL;
}

/* With what is behind it, where there is more. */
static inline u64 *tuple_table_entry(const struct tuple_table *t, u32 id)
{
	return t->words + id * t->stride;
}

#endif
