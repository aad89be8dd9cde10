/* SPDX-License-Identifier: MIT */
/*
 * A hash table that numbers distinct tuples of u64 words from 0, in the order in which they are
 * first added. All tuples of a table have the same width. An entry is a tuple followed by a fixed
 * number of words for the caller's own use. Not thread safe.
 */
#ifndef BASE_TUPLE_TABLE_H
#define BASE_TUPLE_TABLE_H

#include "base/types.h"

struct tuple_table {
	size_t width;  /* words of a tuple; may be 0 */
	size_t stride; /* words of an entry: the tuple and the caller's words */
	u64 *words;    /* the entries */
	size_t nr;     /* entries */
	size_t cap;    /* words allocated */
	u64 *slots;    /* high 32 bits: hash; low 32 bits: tuple's number + 1; 0: free */
	size_t mask;   /* number of slots - 1 */
};

void tuple_table_init(struct tuple_table *t, size_t width, size_t nr_more);
void tuple_table_fini(struct tuple_table *t);

/* Makes room for about n tuples in an empty table; does nothing in others. */
void tuple_table_expect(struct tuple_table *t, size_t n);

/* Returns the number of the tuple of t->width words at `tuple`. A new tuple is copied into the
 * table and the caller's words of its entry are set to 0. */
u32 tuple_table_id(struct tuple_table *t, const u64 *tuple);

/* Returns the number of the tuple of t->width words at `tuple`; UINT32_MAX if t does not have it.
 */
u32 tuple_table_find(const struct tuple_table *t, const u64 *tuple);

/* Appends a tuple without searching or hashing and returns its number, for callers that know it is
 * new. tuple_table_id() does not find such tuples. */
u32 tuple_table_add(struct tuple_table *t, const u64 *tuple);

/* Returns the hash of a tuple, for tuple_table_prefetch(). */
u64 tuple_table_hash(const struct tuple_table *t, const u64 *tuple);

/* Loads the slot that tuple_table_id() will look at first for a tuple of this hash into the cache.
 */
static inline void tuple_table_prefetch(const struct tuple_table *t, u64 hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask], 1);
}

/* Returns the words of a tuple, which stay valid until the next tuple is added; NULL if the table's
 * width is 0. */
static inline const u64 *tuple_table_get(const struct tuple_table *t, u32 id)
{
	return t->width ? t->words + id * t->stride : NULL;
}

/* Returns a whole entry: the tuple's words and then the caller's. Valid until the next tuple is
 * added. */
static inline u64 *tuple_table_entry(const struct tuple_table *t, u32 id)
{
	return t->words + id * t->stride;
}

#endif
