/* SPDX-License-Identifier: MIT */
#include "report/hist.h"

#include "base/mem.h"
#include "report/hist_chains.h"
#include "report/hist_places.h"

#define FIRST_ENTRIES 1024
#define LINE_SLOTS 16
#define MAX_KNOWN 64 /* sets of frames, which take little memory: a bit for each frame */

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
static size_t slot_of(const struct hist *h, u32 row_ids, u32 frame_ids)
{
	u64 line = hash_u64((u64)row_ids << 32 | frame_ids / LINE_SLOTS);
	size_t at = (line * LINE_SLOTS + frame_ids % LINE_SLOTS) & h->mask;

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

/* Frames whose entries as callers are there, NULL: not kept, as there are too many rows' ids. */
static u64 *known_callers(struct hist *h, u32 row_ids)
{
	if (row_ids >= MAX_KNOWN)
		return NULL;
	if (!h->known[row_ids])
		h->known[row_ids] = xcalloc(h->nr_seen / 64 + 1, sizeof(u64));
	return h->known[row_ids];
}

/* Notes a frame; true when it was noted before. */
static inline bool is_known(u64 *known, u32 frame)
{
	u64 bit = 1ull << (frame & 63);
	bool had = known[frame >> 6] & bit;

	known[frame >> 6] |= bit;
	return had;
}

/*
 * Entries of the callers of a row's samples, in the order of display. As perf 7: whatever has a map
 * is shown as user space, and what follows it, too; which is looked at for new entries only.
 */
static void list_callers(struct hist *h, const struct hist_stack *st, u32 row_ids,
			 struct key_place p)
{
	bool from_root = h->order == CHAIN_CALLER;
	u64 *known = known_callers(h, row_ids);
	u32 nr_looked = 0;

	p.own = false;
	for (u32 i = 0; i < st->nr; i++) {
		p.frame = st->ids[from_root ? st->nr - 1 - i : i];
		if (known && is_known(known, p.frame))
			continue;
		for (; nr_looked <= i && p.level != '.'; nr_looked++) {
			u32 pos = from_root ? st->nr - 1 - nr_looked : nr_looked;

			if (hist_frame(h->d, st->ids[pos])->map)
				p.level = '.';
		}
		hist_find_entry(h, row_ids, &p);
	}
}

/* --socket-filter */
static bool is_of_socket(const struct hist *h, const struct count_row *r)
{
	s64 socket = h->d->opt->socket;

	return socket < 0 || hist_data_socket(h->d, hist_value(h->d, r, COUNT_CPU)) == socket;
}

static void list_row(struct hist *h, size_t event, u32 row)
{
	const struct count_row *r = &h->d->counts->rows[row];
	struct hist_stack st = hist_stack_of(h->stacks, row);
	struct key_place p = {
		.row = r, .frame = st.own, .parent = st.parent, .own = true, .level = st.level
	};
	u32 row_ids;
	bool wanted;

	hist_stacks_fetch(h->stacks, row);
	if (st.hidden)
		return;
	wanted = !(h->wanted && !h->wanted[row]) && !(h->d->opt->exclude_other && !st.parent) &&
		 is_of_socket(h, r);
	if (wanted || !h->relative) {
		h->totals[event].period += hist_period(h->d, r);
		h->totals[event].samples += r->samples;
	}
	if (!wanted)
		return;
	row_ids = hist_place_ids(h, &p, false);
	h->row_ids_of[row] = row_ids + 1;
	hist_find_entry(h, row_ids, &p);
	if (h->children)
		list_callers(h, &st, row_ids, p);
}

void hist_list(struct hist *h)
{
	const struct counts *c = h->d->counts;
	size_t ev, i;

	hist_places_init(h);
	if (h->children)
		hist_places_ask_callers(h);
	grow_to(h, h->nr_seen);
	grow_slots(h, slots_for(h->children ? h->nr_seen : FIRST_ENTRIES));
	h->totals = xcalloc(h->nr_events, sizeof(*h->totals));
	h->known = xcalloc(MAX_KNOWN, sizeof(*h->known));
	h->row_ids_of = xcalloc(c->nr_rows + 1, sizeof(*h->row_ids_of));
	for (ev = 0; ev < h->nr_events; ev++)
		for (i = 0; i < c->nr_rows; i++)
			if (c->rows[i].event == h->events[ev])
				list_row(h, ev, (u32)i);
	for (i = 0; i < MAX_KNOWN; i++)
		free(h->known[i]);
	free(h->known);
	h->known = NULL;
	h->stats = table_alloc(h->nr * h->nr_events * sizeof(*h->stats));
	h->counts = table_alloc(h->nr * sizeof(*h->counts));
	h->nr_counted = h->nr;
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
