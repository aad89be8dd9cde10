/* SPDX-License-Identifier: MIT */
#include "report/hist.h"

#include "base/mem.h"
#include "report/hist_chains.h"
#include "report/hist_places.h"

#define FIRST_ENTRIES 1024
#define LINE_SLOTS 16

u64 hist_key_id(const struct hist *h, const struct hist_entry *e, size_t key)
{
	const u64 *ids = h->key_is_frame[key] ? tuple_table_get(&h->frame_ids, e->frame_ids)
					      : tuple_table_get(&h->row_ids, e->row_ids);

	return ids[h->key_slot[key]];
}

/* --symbol-filter looks at what the entry shows. */
static bool is_filtered(const struct hist *h, const struct key_place *p)
{
	const char *wanted = h->d->opt->symbol_filter;
	const struct frame *fr;

	if (!wanted)
		return false;
	fr = hist_frame(h->d, p->frame);
	return !fr->has_sym || !strstr(fr->sym.name, wanted);
}

/* Room for `want` entries. */
static void grow_to(struct hist *h, size_t want)
{
	size_t had = h->cap, cap = had ? had : FIRST_ENTRIES;

	while (cap < want)
		cap *= 2;
	h->entries =
		table_realloc(h->entries, had * sizeof(*h->entries), cap * sizeof(*h->entries));
	h->cap = cap;
}

/* Frames' ids rise as they are first seen: those of a cache line of slots are hashed as one. */
static size_t first_slot(const struct hist *h, u32 row_ids, u32 frame_ids)
{
	u64 line = hash_u64((u64)row_ids << 32 | frame_ids / LINE_SLOTS);

	return (line * LINE_SLOTS + frame_ids % LINE_SLOTS) & h->mask;
}

static size_t slot_of(const struct hist *h, u32 row_ids, u32 frame_ids)
{
	size_t at = first_slot(h, row_ids, frame_ids);

	while (h->slots[at]) {
		const struct hist_entry *e = &h->entries[h->slots[at] - 1];

		if (e->row_ids == row_ids && e->frame_ids == frame_ids)
			break;
		at = (at + 1) & h->mask;
	}
	return at;
}

static void free_slots(struct hist *h)
{
	if (h->slots)
		table_free(h->slots, (h->mask + 1) * sizeof(*h->slots));
	h->slots = NULL;
}

static void grow_slots(struct hist *h, size_t nr)
{
	free_slots(h);
	h->slots = table_alloc(nr * sizeof(*h->slots));
	h->mask = nr - 1;
	for (u32 i = 0; i < h->nr; i++)
		h->slots[slot_of(h, h->entries[i].row_ids, h->entries[i].frame_ids)] = i + 1;
}

/* Half of the slots are free. */
static size_t slots_for(size_t nr_entries)
{
	size_t nr = 2;

	while (nr / 2 < nr_entries)
		nr *= 2;
	return nr;
}

u32 hist_find_entry(struct hist *h, u32 row_ids, const struct key_place *p)
{
	struct hist_seen *seen = &h->seen[p->own][p->frame];
	size_t slot;

	if (seen->row_ids == row_ids + 1)
		return seen->entry;
	if (!seen->frame_ids)
		seen->frame_ids = hist_place_ids(h, p, true) + 1;
	slot = slot_of(h, row_ids, seen->frame_ids - 1);
	if (!h->slots[slot]) {
		if (h->nr == h->cap)
			grow_to(h, h->nr + 1);
		h->entries[h->nr++] = (struct hist_entry){ .row_ids = row_ids,
							   .frame_ids = seen->frame_ids - 1,
							   .place = *p,
							   .filtered = is_filtered(h, p) };
		h->slots[slot] = (u32)h->nr;
		if (h->nr > h->mask / 2)
			grow_slots(h, (h->mask + 1) * 2);
		seen->entry = (u32)h->nr - 1;
	} else {
		seen->entry = h->slots[slot] - 1;
	}
	seen->row_ids = row_ids + 1;
	return seen->entry;
}

void hist_fetch_seen(const struct hist *h, bool own, u32 frame)
{
	__builtin_prefetch(&h->seen[own][frame]);
}

void hist_fetch_entry(const struct hist *h, bool own, u32 frame, u32 row_ids)
{
	const struct hist_seen *seen = &h->seen[own][frame];

	if (seen->frame_ids)
		__builtin_prefetch(&h->slots[first_slot(h, row_ids, seen->frame_ids - 1)]);
}

void hist_make_room(struct hist *h)
{
	grow_to(h, h->nr_seen);
	grow_slots(h, slots_for(h->children ? h->nr_seen : FIRST_ENTRIES));
}

void hist_fini(struct hist *h)
{
	free_slots(h);
	hist_places_fini(h);
	table_free(h->entries, h->cap * sizeof(*h->entries));
	table_free(h->stats, h->nr_counted * h->nr_events * sizeof(*h->stats));
	table_free(h->counts, h->nr_counted * sizeof(*h->counts));
	free(h->totals);
	free(h->row_ids_of);
	free(h->uses);
	hist_chain_texts_fini(h);
	free(h->shown);
	free(h->lines);
	free(h->widths);
	*h = (struct hist){ 0 };
}
