/* SPDX-License-Identifier: MIT */
#include "report/table/hist_places.h"

#include "base/mem.h"
#include "report/table/key_text.h"

#define BATCH 32 /* frames that are prefetched together before their symbols are looked up */

void hist_places_init(struct hist *h)
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
	tuple_table_init(&h->row_ids, nr[0], 0);
	tuple_table_init(&h->frame_ids, nr[1], 0);
	h->nr_seen = chain_frames_nr(&h->d->frames) + 1;
	for (i = 0; i < 2; i++)
		h->seen[i] = table_alloc(h->nr_seen * sizeof(struct hist_seen));
}

void hist_places_fini(struct hist *h)
{
	for (int i = 0; i < 2; i++)
		table_free(h->seen[i], h->nr_seen * sizeof(struct hist_seen));
	tuple_table_fini(&h->row_ids);
	tuple_table_fini(&h->frame_ids);
	free(h->of_symbol);
	free(h->key_is_frame);
	free(h->key_slot);
	free(h->tuple);
}

static void fill_tuple(struct hist *h, const struct key_place *p, bool of_frame, u64 *tuple)
{
	const struct hist_layout *l = h->layout;

	for (size_t i = 0; i < l->nr_keys; i++)
		if (h->key_is_frame[i] == of_frame)
			tuple[h->key_slot[i]] = l->keys[i].key->id(h->d, &l->keys[i], p);
}

/* The index of the symbol's id in the tuples of frame keys; NONE: there is no symbol key. */
#define NONE SIZE_MAX
static size_t symbol_slot(const struct hist *h)
{
	const struct hist_layout *l = h->layout;

	for (size_t i = 0; i < l->nr_keys; i++)
		if (h->key_is_frame[i] && l->keys[i].key->flags & KEY_SYMBOL)
			return h->key_slot[i];
	return NONE;
}

/*
 * Returns the number of a tuple of frame keys. Most symbols are in one tuple only: h->of_symbol has
 * its number by the symbol's id, which saves a hash lookup.
 */
static u32 frame_ids(struct hist *h, size_t symbol, const u64 *tuple)
{
	size_t had = h->nr_of_symbol;
	u32 *first;

	if (symbol == NONE)
		return tuple_table_id(&h->frame_ids, tuple);
	if (tuple[symbol] >= had) {
		vec_reserve(h->of_symbol, h->nr_of_symbol, tuple[symbol] + 1);
		memset(h->of_symbol + had, 0, (h->nr_of_symbol - had) * sizeof(*h->of_symbol));
	}
	first = &h->of_symbol[tuple[symbol]];
	if (!*first)
		*first = tuple_table_add(&h->frame_ids, tuple) + 1;
	if (!memcmp(tuple_table_get(&h->frame_ids, *first - 1), tuple,
		    h->frame_ids.width * sizeof(*tuple)))
		return *first - 1;
	return tuple_table_id(&h->frame_ids, tuple);
}

/* Returns the number of a tuple of row keys. Rows that follow each other mostly have the same. */
static u32 row_ids(struct hist *h, const u64 *tuple)
{
	struct tuple_table *t = &h->row_ids;

	if (!t->nr || !t->width ||
	    memcmp(tuple_table_get(t, h->last_row_ids), tuple, t->width * sizeof(*tuple)))
		h->last_row_ids = tuple_table_id(t, tuple);
	return h->last_row_ids;
}

u32 hist_place_ids(struct hist *h, const struct key_place *p, bool of_frame)
{
	fill_tuple(h, p, of_frame, h->tuple);
	return of_frame ? frame_ids(h, symbol_slot(h), h->tuple) : row_ids(h, h->tuple);
}

/*
 * True if all frame keys are objects or symbols: their ids do not depend on the row that comes
 * first, and they are cheap to compute.
 */
static bool can_ask(const struct hist *h)
{
	bool symbols = false;

	for (size_t i = 0; i < h->layout->nr_keys; i++) {
		u32 flags = h->layout->keys[i].key->flags;

		if (flags & KEY_FRAME && !(flags & (KEY_DSO | KEY_SYMBOL)))
			return false;
		symbols |= flags & KEY_FRAME && flags & KEY_SYMBOL;
	}
	return symbols && h->d->dso_is_key;
}

bool hist_places_can_ask_apart(const struct hist *h)
{
	const u32 shared = KEY_SYMBOL | KEY_DSO | KEY_PARENT | KEY_TRACE | KEY_LINE;

	for (size_t i = 0; i < h->layout->nr_keys; i++) {
		u32 flags = h->layout->keys[i].key->flags;

		if (!(flags & KEY_FRAME) && flags & shared)
			return false;
	}
	return can_ask(h);
}

/* Frames whose key numbers are computed together. */
struct frame_batch {
	struct hist *h;
	bool own;
	u32 frames[BATCH], nr;
	size_t symbol; /* symbol_slot() */
};

static void ask_batch(struct frame_batch *b)
{
	struct key_place p = { .own = b->own };
	struct hist *h = b->h;
	u32 i;

	for (i = 0; i < b->nr; i++) {
		const struct frame *fr = hist_frame(h->d, b->frames[i]);

		hist_data_fetch_symbol(h->d, fr, key_address(h->d, fr, b->own));
	}
	for (i = 0; i < b->nr; i++) {
		p.frame = b->frames[i];
		fill_tuple(h, &p, true, h->tuple);
		h->seen[b->own][p.frame].frame_ids = frame_ids(h, b->symbol, h->tuple) + 1;
	}
	b->nr = 0;
}

/* Whether a frame has the same keys as a sample's own place as it has as a caller. */
static bool has_same_keys(const struct hist *h, u32 frame)
{
	const struct frame *fr = hist_frame(h->d, frame);

	return fr->has_sym || key_address(h->d, fr, true) == key_address(h->d, fr, false);
}

/* Fills h->seen. own: a bit per frame, as samples' own places; NULL: all frames, as callers. */
static void ask_frames(struct hist *h, const u64 *own)
{
	struct frame_batch b = { .h = h, .own = own, .symbol = symbol_slot(h) };

	for (u32 i = 0; i + 1 < h->nr_seen; i++) {
		if (own && !(own[i >> 6] >> (i & 63) & 1))
			continue;
		if (own && has_same_keys(h, i)) {
			h->seen[true][i].frame_ids = h->seen[false][i].frame_ids;
			continue;
		}
		b.frames[b.nr++] = i;
		if (b.nr == BATCH)
			ask_batch(&b);
	}
	ask_batch(&b);
}

void hist_places_ask(struct hist *h, const u64 *own)
{
	size_t nr = h->nr_seen - 1;

	if (!can_ask(h))
		return;
	tuple_table_expect(&h->d->symbol_ids, nr);
	tuple_table_expect(&h->frame_ids, nr);
	ask_frames(h, NULL);
	if (own)
		ask_frames(h, own);
}
