/* SPDX-License-Identifier: MIT */
#include "events/open_begins.h"

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

u32 open_begins_put_anew(struct open_begins *t, const u64 *key)
{
	struct open_begin *b;
	size_t slot;
	u32 place, below = NO_BEGIN;

	if ((t->nr_keys + 1) * 2 > t->mask)
		renew_slots(t);
	slot = open_begins_slot(t, key);
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
		t->pool[place].hash = open_begins_hash(t, key);
	}
	b = &t->pool[place];
	b->below = below;
	b->above = NO_BEGIN;
	return place;
}

void open_begins_unstack(struct open_begins *t, struct open_begin *b)
{
	u32 place = (u32)(b - t->pool);

	if (b->above != NO_BEGIN)
		t->pool[b->above].below = b->below;
	else
		t->slots[open_begins_slot(t, b->key)] = b->below + 1;
	if (b->below != NO_BEGIN)
		t->pool[b->below].above = b->above;
	free_place(t, place);
}

struct open_begin *open_begins_oldest(const struct open_begins *t)
{
	return t->nr ? &t->pool[t->oldest] : NULL;
}
