/* SPDX-License-Identifier: MIT */
#include "events/open_begins.h"

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS 1024

void open_begins_init(struct open_begins *t)
{
	*t = (struct open_begins){ .nr_parts = MAX_PARTS,
				   .free = NO_BEGIN,
				   .oldest = NO_BEGIN,
				   .newest = NO_BEGIN,
				   .last_slot = SIZE_MAX };
}

void open_begins_fini(struct open_begins *t)
{
	for (u32 i = t->oldest; i != NO_BEGIN; i = t->pool[i].newer)
		occurrence_fini(&t->pool[i].at);
	free(t->pool);
	free(t->slots);
	open_begins_init(t);
}

static inline bool is_key(const struct open_begins *t, const u64 *a, const u64 *b)
{
	u64 differ = a[0] ^ b[0];

	for (size_t i = 1; i < t->nr_parts; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

static inline u32 key_hash(const struct open_begins *t, const u64 *key)
{
	u64 sum = key[0];

	for (size_t i = 1; i < t->nr_parts; i++)
		sum = sum * 0x632be59bd9b4e019ull + key[i];
	return (u32)hash_u64(sum);
}

/* The slot of a key, or the free one where it would be. */
static size_t find_slot(const struct open_begins *t, const u64 *key, u32 hash)
{
	size_t i = hash & t->mask;

	for (; t->slots[i]; i = (i + 1) & t->mask) {
		const struct open_begin *b = &t->pool[t->slots[i] - 1];

		if (b->hash == hash && is_key(t, b->key, key))
			break;
	}
	return i;
}

/* Finds the slot of a key, and remembers it. */
static __attribute__((noinline)) size_t find_slot_anew(struct open_begins *t, const u64 *key)
{
	t->last_hash = key_hash(t, key);
	memcpy(t->last_key, key, t->nr_parts * sizeof(*key));
	t->last_slot = find_slot(t, key, t->last_hash);
	return t->last_slot;
}

/* As find_slot(), which is asked for the same key two or three times in a row. */
static inline size_t find_slot_again(struct open_begins *t, const u64 *key)
{
	if (t->last_slot != SIZE_MAX && is_key(t, t->last_key, key))
		return t->last_slot;
	return find_slot_anew(t, key);
}

struct open_begin *open_begins_get(struct open_begins *t, const u64 *key)
{
	size_t i;

	if (!t->nr)
		return NULL;
	i = find_slot_again(t, key);
	if (!t->slots[i] || t->pool[t->slots[i] - 1].above == SPENT_BEGIN)
		return NULL;
	return &t->pool[t->slots[i] - 1];
}

static void free_place(struct open_begins *t, u32 place)
{
	t->pool[place].newer = t->free;
	t->free = place;
}

/* Removes the spent begins, and doubles the slots where most begins are others. */
static void renew_slots(struct open_begins *t)
{
	size_t old = t->mask ? t->mask + 1 : 0, nr = old ? old : FIRST_SLOTS;
	u32 *slots = t->slots;

	if ((t->nr_keys - t->nr_spent) * 4 > old)
		nr *= 2;
	t->slots = xcalloc(nr, sizeof(*t->slots));
	t->mask = nr - 1;
	t->last_slot = SIZE_MAX;
	for (size_t i = 0; i < old; i++) {
		struct open_begin *b = slots[i] ? &t->pool[slots[i] - 1] : NULL;
		size_t to;

		if (b && b->above == SPENT_BEGIN)
			free_place(t, slots[i] - 1);
		if (!b || b->above == SPENT_BEGIN)
			continue;
		for (to = b->hash & t->mask; t->slots[to];)
			to = (to + 1) & t->mask;
		t->slots[to] = slots[i];
	}
	free(slots);
	t->nr_keys -= t->nr_spent;
	t->nr_spent = 0;
}

static u32 take_place(struct open_begins *t)
{
	u32 i = t->free;

	if (i != NO_BEGIN) {
		t->free = t->pool[i].newer;
		return i;
	}
	vec_push(t->pool, t->nr_pool, t->cap_pool, (struct open_begin){ 0 });
	return (u32)(t->nr_pool - 1);
}

/* The place of a new begin of this key, on top of others. */
static u32 place_on_top(struct open_begins *t, const u64 *key)
{
	struct open_begin *b;
	size_t slot;
	u32 place, below = NO_BEGIN;

	if ((t->nr_keys + 1) * 2 > t->mask)
		renew_slots(t);
	slot = find_slot_again(t, key);
	place = t->slots[slot] - 1;
	if (t->slots[slot] && t->pool[place].above == SPENT_BEGIN) {
		t->nr_spent--;
	} else {
		if (t->slots[slot])
			below = place;
		else
			t->nr_keys++;
		place = take_place(t);
		if (below != NO_BEGIN)
			t->pool[below].above = place;
		t->slots[slot] = place + 1;
		memcpy(t->pool[place].key, key, t->nr_parts * sizeof(*key));
		t->pool[place].hash = t->last_hash;
	}
	b = &t->pool[place];
	b->below = below;
	b->above = NO_BEGIN;
	return place;
}

struct open_begin *open_begins_put(struct open_begins *t, const u64 *key)
{
	u32 place = place_on_top(t, key);
	struct open_begin *b = &t->pool[place];

	b->older = t->newest;
	b->newer = NO_BEGIN;
	if (t->newest != NO_BEGIN)
		t->pool[t->newest].newer = place;
	else
		t->oldest = place;
	t->newest = place;
	t->nr++;
	return b;
}

void open_begins_remove(struct open_begins *t, struct open_begin *b)
{
	u32 place = (u32)(b - t->pool);

	*(b->older != NO_BEGIN ? &t->pool[b->older].newer : &t->oldest) = b->newer;
	*(b->newer != NO_BEGIN ? &t->pool[b->newer].older : &t->newest) = b->older;
	t->nr--;
	if (b->above == NO_BEGIN && b->below == NO_BEGIN) {
		b->above = SPENT_BEGIN;
		t->nr_spent++;
		return;
	}
	if (b->above != NO_BEGIN)
		t->pool[b->above].below = b->below;
	else
		t->slots[find_slot_again(t, b->key)] = b->below + 1;
	if (b->below != NO_BEGIN)
		t->pool[b->below].above = b->above;
	free_place(t, place);
}

struct open_begin *open_begins_oldest(const struct open_begins *t)
{
	return t->nr ? &t->pool[t->oldest] : NULL;
}

size_t open_begins_bytes(const struct open_begins *t)
{
	return t->cap_pool * sizeof(*t->pool) + (t->mask ? (t->mask + 1) * sizeof(*t->slots) : 0);
}
