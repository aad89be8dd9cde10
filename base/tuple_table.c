/* SPDX-License-Identifier: MIT */
#include "base/tuple_table.h"

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS 64

/* How many of so many slots may be in use: a search looks at few, which lie side by side. */
static size_t room_in(size_t nr_slots)
{
	return nr_slots - nr_slots / 4;
}

void tuple_table_init(struct tuple_table *t, size_t width, size_t nr_more)
{
	*t = (struct tuple_table){ .width = width,
				   .stride = width + nr_more,
				   .mask = FIRST_SLOTS - 1 };
	t->slots = table_alloc(FIRST_SLOTS * sizeof(*t->slots));
}

void tuple_table_fini(struct tuple_table *t)
{
	table_free(t->words, t->cap * sizeof(*t->words));
	table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	*t = (struct tuple_table){ 0 };
}

void tuple_table_expect(struct tuple_table *t, size_t n)
{
	size_t nr_slots = t->mask + 1;

	if (t->nr)
		return;
	table_free(t->slots, nr_slots * sizeof(*t->slots));
	while (room_in(nr_slots) <= n)
		nr_slots *= 2;
	t->slots = table_alloc(nr_slots * sizeof(*t->slots));
	t->mask = nr_slots - 1;
	table_free(t->words, t->cap * sizeof(*t->words));
	t->cap = n * t->stride;
	t->words = table_alloc_any(t->cap * sizeof(*t->words));
}

u64 tuple_table_hash(const struct tuple_table *t, const u64 *tuple)
{
	size_t n = t->width;
	u64 h = n;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ tuple[i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 32;
	}
	return hash_u64(h) >> 32;
}

static bool words_are_equal(const u64 *a, const u64 *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i == n;
}

/* Doubles the slots. The half of the hash in a slot gives its new position, so the tuples' words
 * are not read. */
static void tuple_table_grow(struct tuple_table *t)
{
	size_t had = t->mask + 1, i;
	u64 *old = t->slots;

	t->slots = table_alloc(had * 2 * sizeof(*t->slots));
	t->mask = had * 2 - 1;
	for (i = 0; i < had; i++) {
		size_t at = (old[i] >> 32) & t->mask;

		if (!old[i])
			continue;
		while (t->slots[at])
			at = (at + 1) & t->mask;
		t->slots[at] = old[i];
	}
	table_free(old, had * sizeof(*old));
}

static void grow_words(struct tuple_table *t)
{
	size_t cap = t->cap ? t->cap * 2 : FIRST_SLOTS * t->stride;

	t->words = table_realloc(t->words, t->cap * sizeof(*t->words), cap * sizeof(*t->words));
	t->cap = cap;
}

u32 tuple_table_add(struct tuple_table *t, const u64 *tuple)
{
	size_t size = t->width * sizeof(u64);

	if ((t->nr + 1) * t->stride > t->cap)
		grow_words(t);
	if (size)
		memcpy(t->words + t->nr * t->stride, tuple, size);
	for (size_t i = t->width; i < t->stride; i++)
		t->words[t->nr * t->stride + i] = 0;
	return (u32)t->nr++;
}

/* The slot of a tuple of this hash, or the free one where it would be. */
static size_t find_slot(const struct tuple_table *t, const u64 *tuple, u64 hash)
{
	size_t at;

	for (at = hash & t->mask; t->slots[at]; at = (at + 1) & t->mask) {
		u32 id = (u32)t->slots[at] - 1;

		if (t->slots[at] >> 32 == hash &&
		    words_are_equal(tuple_table_get(t, id), tuple, t->width))
			break;
	}
	return at;
}

u32 tuple_table_find(const struct tuple_table *t, const u64 *tuple)
{
	/* a free slot is 0, so that this is UINT32_MAX */
	return (u32)t->slots[find_slot(t, tuple, tuple_table_hash(t, tuple))] - 1;
}

u32 tuple_table_id(struct tuple_table *t, const u64 *tuple)
{
	u64 hash = tuple_table_hash(t, tuple);
	size_t at;

	if (t->nr >= room_in(t->mask + 1))
		tuple_table_grow(t);
	at = find_slot(t, tuple, hash);
	if (t->slots[at])
		return (u32)t->slots[at] - 1;
	t->slots[at] = hash << 32 | (tuple_table_add(t, tuple) + 1);
	return (u32)t->nr - 1;
}
