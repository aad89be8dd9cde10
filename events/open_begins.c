/* SPDX-License-Identifier: MIT */
#include "events/open_begins.h"

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS 1024

void open_begins_init(struct open_begins *t)
{
	*t = (struct open_begins){
		.free = NO_BEGIN, .oldest = NO_BEGIN, .newest = NO_BEGIN, .last_slot = SIZE_MAX
	};
}

void open_begins_fini(struct open_begins *t)
{
	for (u32 i = t->oldest; i != NO_BEGIN; i = t->pool[i].newer)
		occurrence_fini(&t->pool[i].at);
	free(t->pool);
	free(t->slots);
	open_begins_init(t);
}

static u32 key_hash(const u64 key[MAX_PARTS])
{
	return (u32)hash_u64(key[0] + key[1] * 0x632be59bd9b4e019ull +
			     key[2] * 0xd6e8feb86659fd93ull + key[3] * 0xa0761d6478bd642full);
}

/* The slot of a key, or the free one where it would be. */
static size_t find_slot(const struct open_begins *t, const u64 key[MAX_PARTS], u32 hash)
{
	size_t i = hash & t->mask;

	for (; t->slots[i]; i = (i + 1) & t->mask) {
		const struct open_begin *b = &t->pool[t->slots[i] - 1];

		if (b->hash == hash && keys_are_equal(b->key, key))
			break;
	}
	return i;
}

/* As find_slot(), which is asked for the same key two or three times in a row. */
static size_t find_slot_again(struct open_begins *t, const u64 key[MAX_PARTS])
{
	bool is_same = keys_are_equal(t->last_key, key) && t->last_hash;

	if (is_same && t->last_slot != SIZE_MAX)
		return t->last_slot;
	if (!is_same) {
		t->last_hash = key_hash(key);
		memcpy(t->last_key, key, sizeof(t->last_key));
	}
	t->last_slot = find_slot(t, key, t->last_hash);
	return t->last_slot;
}

struct open_begin *open_begins_get(struct open_begins *t, const u64 key[MAX_PARTS])
{
	size_t i;

	if (!t->nr)
		return NULL;
	i = find_slot_again(t, key);
	return t->slots[i] ? &t->pool[t->slots[i] - 1] : NULL;
}

static void grow_slots(struct open_begins *t)
{
	size_t old = t->mask ? t->mask + 1 : 0, nr = old ? old * 2 : FIRST_SLOTS;
	u32 *slots = t->slots;

	t->slots = xcalloc(nr, sizeof(*t->slots));
	t->mask = nr - 1;
	t->last_slot = SIZE_MAX;
	for (size_t i = 0; i < old; i++) {
		size_t to;

		if (!slots[i])
			continue;
		for (to = t->pool[slots[i] - 1].hash & t->mask; t->slots[to];)
			to = (to + 1) & t->mask;
		t->slots[to] = slots[i];
	}
	free(slots);
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

struct open_begin *open_begins_put(struct open_begins *t, const u64 key[MAX_PARTS])
{
	u32 place = take_place(t);
	struct open_begin *b = &t->pool[place];
	size_t slot;

	if ((t->nr_keys + 1) * 2 > t->mask)
		grow_slots(t);
	slot = find_slot_again(t, key);
	*b = (struct open_begin){ .hash = t->last_hash,
				  .below = NO_BEGIN,
				  .above = NO_BEGIN,
				  .older = t->newest,
				  .newer = NO_BEGIN };
	memcpy(b->key, key, sizeof(b->key));
	if (t->slots[slot]) {
		b->below = t->slots[slot] - 1;
		t->pool[b->below].above = place;
	} else {
		t->nr_keys++;
	}
	t->slots[slot] = place + 1;
	if (t->newest != NO_BEGIN)
		t->pool[t->newest].newer = place;
	else
		t->oldest = place;
	t->newest = place;
	t->nr++;
	return b;
}

/* Frees a slot, and moves up those behind it that would not be found any more. */
static void free_slot(struct open_begins *t, size_t i)
{
	t->last_slot = SIZE_MAX;
	for (size_t j = (i + 1) & t->mask; t->slots[j]; j = (j + 1) & t->mask) {
		size_t home = t->pool[t->slots[j] - 1].hash & t->mask;

		if (((j - home) & t->mask) < ((j - i) & t->mask))
			continue;
		t->slots[i] = t->slots[j];
		i = j;
	}
	t->slots[i] = 0;
}

void open_begins_remove(struct open_begins *t, struct open_begin *b)
{
	u32 place = (u32)(b - t->pool);

	if (b->above != NO_BEGIN) {
		t->pool[b->above].below = b->below;
	} else {
		size_t slot = find_slot_again(t, b->key);

		if (b->below != NO_BEGIN) {
			t->slots[slot] = b->below + 1;
		} else {
			free_slot(t, slot);
			t->nr_keys--;
		}
	}
	if (b->below != NO_BEGIN)
		t->pool[b->below].above = b->above;
	*(b->older != NO_BEGIN ? &t->pool[b->older].newer : &t->oldest) = b->newer;
	*(b->newer != NO_BEGIN ? &t->pool[b->newer].older : &t->newest) = b->older;
	b->newer = t->free;
	t->free = place;
	t->nr--;
}

struct open_begin *open_begins_oldest(const struct open_begins *t)
{
	return t->nr ? &t->pool[t->oldest] : NULL;
}

size_t open_begins_bytes(const struct open_begins *t)
{
	return t->cap_pool * sizeof(*t->pool) + (t->mask ? (t->mask + 1) * sizeof(*t->slots) : 0);
}
