/* SPDX-License-Identifier: MIT */
#include "report/hist.h"

#include "base/mem.h"
#include "report/hist_chains.h"

#define FIRST_ENTRIES 1024
#define AHEAD 8 /* frames of a stack that are fetched into the cache before their turn */

/* Keys that depend on the frame only are looked up once per frame, the others once per row. */
static void split_keys(struct hist *h)
{
	const struct hist_layout *l = h->layout;
	size_t nr[2] = { 0, 0 }, i;

	h->key_is_frame = xcalloc(l->nr_keys + 1, sizeof(*h->key_is_frame));
	h->key_slot = xcalloc(l->nr_keys + 1, sizeof(*h->key_slot));
	h->tuple = xcalloc(l->nr_keys + 1, sizeof(*h->tuple));
	for (i = 0; i < l->nr_keys; i++) {
		h->key_is_frame[i] = l->keys[i].key->flags & KEY_FRAME;
		h->key_slot[i] = nr[h->key_is_frame[i]]++;
	}
	tuple_table_init(&h->row_ids, nr[0]);
	tuple_table_init(&h->frame_ids, nr[1]);
	h->nr_seen = counts_nr_frames(h->d->counts) + 1;
	if (h->children) {
		tuple_table_expect(&h->frame_ids, h->nr_seen);
		tuple_table_expect(&h->d->symbol_ids, h->nr_seen);
		vec_reserve(h->d->symbols, h->d->cap_symbols, h->nr_seen);
		mem_will_fill(h->d->symbols, h->d->cap_symbols * sizeof(*h->d->symbols));
	}
	for (i = 0; i < 2; i++)
		h->seen[i] = table_alloc(h->nr_seen * sizeof(struct hist_seen));
}

static u32 ids_of(struct hist *h, const struct key_place *p, bool of_frame)
{
	const struct hist_layout *l = h->layout;

	for (size_t i = 0; i < l->nr_keys; i++)
		if (h->key_is_frame[i] == of_frame)
			h->tuple[h->key_slot[i]] = l->keys[i].key->id(h->d, &l->keys[i], p);
	return tuple_table_id(of_frame ? &h->frame_ids : &h->row_ids, h->tuple);
}

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
	fr = counts_frame(h->d->counts, p->frame);
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
	h->stats = table_realloc(h->stats, had * h->nr_events * sizeof(*h->stats),
				 cap * h->nr_events * sizeof(*h->stats));
	h->counts = table_realloc(h->counts, had * sizeof(*h->counts), cap * sizeof(*h->counts));
	h->cap = cap;
}

static size_t slot_of(const struct hist *h, u32 row_ids, u32 frame_ids)
{
	size_t at = hash_u64((u64)row_ids << 32 | frame_ids) & h->mask;

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

u32 hist_find_entry(struct hist *h, u32 row_ids, const struct key_place *p)
{
	struct hist_seen *seen = &h->seen[p->own][p->frame];
	size_t slot;

	if (seen->row_ids == row_ids + 1)
		return seen->entry;
	if (!seen->frame_ids)
		seen->frame_ids = ids_of(h, p, true) + 1;
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

static void add_own_stat(const struct hist_data *d, struct hist_stat *s, const struct count_row *r)
{
	u64 period = hist_period(d, r);

	s->period += period;
	s->samples += r->samples;
	s->acc_period += period;
	switch (hist_value(d, r, COUNT_CPUMODE)) {
	case PD_CPUMODE_KERNEL: s->sys += period; break;
	case PD_CPUMODE_USER: s->us += period; break;
	case PD_CPUMODE_GUEST_KERNEL: s->guest_sys += period; break;
	case PD_CPUMODE_GUEST_USER: s->guest_us += period; break;
	}
	s->weights[0] += (double)hist_value(d, r, COUNT_WEIGHT) * (double)r->samples;
	s->weights[1] += (double)hist_value(d, r, COUNT_INS_LAT) * (double)r->samples;
	s->weights[2] += (double)hist_value(d, r, COUNT_WEIGHT3) * (double)r->samples;
}

static void note_chain(struct hist_count *c, u32 depth)
{
	if (depth > c->depth)
		c->depth = depth;
	c->nr_uses += !!depth;
}

/* Frames of a stack to come are fetched into the cache, then what their entries have counted. */
static void fetch_ahead(const struct hist *h, const struct hist_stack *st, u32 i, bool from_root)
{
	if (st->nr - i > 2 * AHEAD)
		__builtin_prefetch(
			&h->seen[0]
				[st->ids[from_root ? st->nr - 1 - i - 2 * AHEAD : i + 2 * AHEAD]]);
	if (st->nr - i > AHEAD)
		__builtin_prefetch(
			&h->counts[h->seen[0]
					  [st->ids[from_root ? st->nr - 1 - i - AHEAD : i + AHEAD]]
						  .entry]);
}

/*
 * Entries of the callers of a row's samples, in the order of display: each gets the row's period
 * once, at its first frame in that order.
 */
static void add_callers(struct hist *h, size_t event, u32 row, const struct hist_stack *st,
			u32 row_ids, struct key_place p)
{
	const struct count_row *r = p.row;
	bool from_root = h->order == CHAIN_CALLER;
	struct hist_count *c;

	p.own = false;
	for (u32 i = 0; i < st->nr; i++) {
		u32 pos = from_root ? st->nr - 1 - i : i, at;

		fetch_ahead(h, st, i, from_root);
		p.frame = st->ids[pos];
		/* as perf 7: whatever has a map is shown as user space, and what follows it, too */
		if (p.level != '.' && counts_frame(h->d->counts, p.frame)->map)
			p.level = '.';
		at = hist_find_entry(h, row_ids, &p); /* which may move h->counts */
		c = &h->counts[at];
		if (c->last_row == row + 1)
			continue;
		c->last_row = row + 1;
		c->acc_period += r->period;
		if (!event) /* a group shows its leader's chains */
			note_chain(c, st->nr - i);
	}
}

/* --socket-filter */
static bool is_of_socket(const struct hist *h, const struct count_row *r)
{
	s64 socket = h->d->opt->socket;

	return socket < 0 || hist_data_socket(h->d, hist_value(h->d, r, COUNT_CPU)) == socket;
}

static void add_row(struct hist *h, size_t event, u32 row)
{
	const struct count_row *r = &h->d->counts->rows[row];
	struct hist_stack st = hist_stack_of(h->stacks, row);
	struct key_place p = {
		.row = r, .frame = st.own, .parent = st.parent, .own = true, .level = st.level
	};
	u32 row_ids, at;
	bool wanted;

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
	row_ids = ids_of(h, &p, false);
	if (!event && h->row_ids_of)
		h->row_ids_of[row] = row_ids + 1;
	at = hist_find_entry(h, row_ids, &p);
	add_own_stat(h->d, &h->stats[at * h->nr_events + event], r);
	h->counts[at].last_row = row + 1;
	if (!event)
		note_chain(&h->counts[at], st.nr);
	if (h->children)
		add_callers(h, event, row, &st, row_ids, p);
}

static void add_counts(struct hist *h, size_t event)
{
	for (size_t i = 0; i < h->nr; i++) {
		struct hist_count *c = &h->counts[i];

		h->stats[i * h->nr_events + event].acc_period += c->acc_period;
		h->entries[i].depth = c->depth;
		h->entries[i].nr_uses = c->nr_uses;
		c->acc_period = 0;
	}
}

void hist_build(struct hist *h)
{
	const struct counts *c = h->d->counts;
	size_t ev, i;

	split_keys(h);
	grow_to(h, h->nr_seen);
	grow_slots(h, 2 * FIRST_ENTRIES);
	h->totals = xcalloc(h->nr_events, sizeof(*h->totals));
	if (h->chain)
		h->row_ids_of = xcalloc(c->nr_rows + 1, sizeof(*h->row_ids_of));
	for (ev = 0; ev < h->nr_events; ev++) {
		for (i = 0; i < c->nr_rows; i++)
			if (c->rows[i].event == h->events[ev])
				add_row(h, ev, (u32)i);
		add_counts(h, ev);
	}
}

void hist_fini(struct hist *h)
{
	free_slots(h);
	for (int i = 0; i < 2; i++)
		table_free(h->seen[i], h->nr_seen * sizeof(struct hist_seen));
	table_free(h->entries, h->cap * sizeof(*h->entries));
	table_free(h->stats, h->cap * h->nr_events * sizeof(*h->stats));
	table_free(h->counts, h->cap * sizeof(*h->counts));
	free(h->totals);
	free(h->row_ids_of);
	tuple_table_fini(&h->row_ids);
	tuple_table_fini(&h->frame_ids);
	free(h->key_is_frame);
	free(h->key_slot);
	free(h->tuple);
	free(h->uses);
	hist_chain_texts_fini(h);
	free(h->lines);
	free(h->widths);
	*h = (struct hist){ 0 };
}
