/* SPDX-License-Identifier: MIT */
#include "report/table/hist.h"

#include "base/err.h"
#include "base/mem.h"
#include "report/table/hist_places.h"

#define FIRST_ENTRIES 1024
#define FIRST_SLOTS 1024
#define LINE_SLOTS 16

u64 hist_key_id(const struct hist *h, const struct hist_entry *e, size_t key)
{
	const u64 *ids = h->key_is_frame[key] ? tuple_table_get(&h->frame_ids, e->frame_ids)
					      : tuple_table_get(&h->row_ids, e->row_ids);

	return ids[h->key_slot[key]];
}

struct key_cell hist_key_cell(const struct hist *h, const struct hist_field *f, u32 entry)
{
	const struct hist_entry *e = &h->entries[entry];

	return (struct key_cell){ .k = hist_field_key(h->layout, f),
				  .id = hist_key_id(h, e, f->key),
				  .place = &e->place,
				  .stat = hist_stat_of(h, entry, 0) };
}

double hist_percent(const struct hist *h, u32 entry)
{
	const struct hist_stat *s = hist_stat_of(h, entry, 0);
	u64 total = h->totals[0].period, part = h->children ? s->acc_period : s->period;

	return total ? 100.0 * (double)part / (double)total : 0;
}

/* True if --symbol-filter hides an entry whose first place is p. */
static bool is_filtered(const struct hist *h, const struct key_place *p)
{
	const char *wanted = h->d->cfg->symbol_filter;
	const struct frame *fr;

	if (!wanted)
		return false;
	fr = hist_frame(h->d, p->frame);
	return !fr->has_sym || !strstr(fr->sym->name, wanted);
}

/* Makes room for `want` entries. */
static void grow_to(struct hist *h, size_t want)
{
	size_t had = h->cap, cap = had * 2 > want ? had * 2 : want;

	h->entries =
		table_realloc(h->entries, had * sizeof(*h->entries), cap * sizeof(*h->entries));
	h->cap = cap;
}

/*
 * Ids are given out in order of first sight, so neighbouring ids are looked up together. Hash them
 * in groups of LINE_SLOTS, whose slots share a cache line.
 */
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

static void grow_slots(struct hist *h)
{
	u32 *old = h->slots;
	size_t nr = h->mask + 1, i;

	h->slots = table_alloc(nr * 2 * sizeof(*h->slots));
	h->mask = nr * 2 - 1;
	for (i = 0; i < nr; i++) {
		const struct hist_entry *e;

		if (!old[i])
			continue;
		e = &h->entries[old[i] - 1];
		h->slots[slot_of(h, e->row_ids, e->frame_ids)] = old[i];
	}
	table_free(old, nr * sizeof(*old));
}

static u32 add_entry(struct hist *h, u32 row_ids, u32 frame_ids, const struct key_place *p)
{
	if (h->listed)
		BUG();
	if (h->nr == h->cap)
		grow_to(h, h->nr + 1);
	h->entries[h->nr] = (struct hist_entry){ .row_ids = row_ids,
						 .frame_ids = frame_ids,
						 .place = *p,
						 .filtered = is_filtered(h, p) };
	return (u32)h->nr++;
}

/* Finds or adds an entry that is not the first one with its frame_ids. */
static u32 find_other(struct hist *h, u32 row_ids, u32 frame_ids, const struct key_place *p)
{
	size_t slot = slot_of(h, row_ids, frame_ids);
	u32 entry;

	if (h->slots[slot])
		return h->slots[slot] - 1;
	entry = add_entry(h, row_ids, frame_ids, p);
	h->slots[slot] = entry + 1;
	if (++h->nr_slotted > h->mask / 2)
		grow_slots(h);
	return entry;
}

u32 hist_find_entry(struct hist *h, u32 row_ids, const struct key_place *p)
{
	struct hist_seen *seen = &h->seen[p->own][p->frame];
	struct hist_first *first;

	if (seen->row_ids == row_ids + 1)
		return seen->entry;
	if (!seen->frame_ids)
		seen->frame_ids = hist_place_ids(h, p, true) + 1;
	first = &h->firsts[seen->frame_ids - 1];
	if (!first->row_ids)
		*first = (struct hist_first){ row_ids + 1,
					      add_entry(h, row_ids, seen->frame_ids - 1, p) };
	if (first->row_ids == row_ids + 1)
		seen->entry = first->entry;
	else
		seen->entry = find_other(h, row_ids, seen->frame_ids - 1, p);
	seen->row_ids = row_ids + 1;
	return seen->entry;
}

u32 hist_known_entry(const struct hist *h, u32 row_ids, const struct key_place *p)
{
	const struct hist_seen *seen = &h->seen[p->own][p->frame];
	const struct hist_first *first;
	size_t slot;

	if (seen->row_ids == row_ids + 1)
		return seen->entry;
	if (!seen->frame_ids)
		BUG();
	first = &h->firsts[seen->frame_ids - 1];
	if (first->row_ids == row_ids + 1)
		return first->entry;
	slot = slot_of(h, row_ids, seen->frame_ids - 1);
	if (!h->slots[slot])
		BUG();
	return h->slots[slot] - 1;
}

void hist_fetch_seen(const struct hist *h, bool own, u32 frame)
{
	__builtin_prefetch(&h->seen[own][frame]);
}

void hist_fetch_entry(const struct hist *h, bool own, u32 frame, u32 row_ids)
{
	const struct hist_seen *seen = &h->seen[own][frame];

	if (!seen->frame_ids)
		return;
	__builtin_prefetch(&h->firsts[seen->frame_ids - 1], 1);
	if (h->nr_slotted)
		__builtin_prefetch(&h->slots[first_slot(h, row_ids, seen->frame_ids - 1)]);
}

void hist_make_room(struct hist *h)
{
	grow_to(h, h->nr_seen > FIRST_ENTRIES ? h->nr_seen : FIRST_ENTRIES);
	/* a frame may have two frame_ids: as a caller and as a sample's own place */
	h->firsts = table_alloc(2 * h->nr_seen * sizeof(*h->firsts));
	h->slots = table_alloc(FIRST_SLOTS * sizeof(*h->slots));
	h->mask = FIRST_SLOTS - 1;
}

void hist_fini(struct hist *h)
{
	table_free(h->firsts, 2 * h->nr_seen * sizeof(*h->firsts));
	free_slots(h);
	hist_places_fini(h);
	table_free(h->entries, h->cap * sizeof(*h->entries));
	table_free(h->stats, h->nr_counted * h->nr_events * h->stat_size);
	table_free(h->counts, h->nr_counted * sizeof(*h->counts));
	free(h->totals);
	free(h->row_ids_of);
	free(h->uses);
	free(h->shown);
	free(h->lines);
	*h = (struct hist){ 0 };
}
