/* SPDX-License-Identifier: MIT */
/* Lists a histogram's entries in the order in which rows first need them: hist_list(). */
#include "base/mem.h"
#include "base/parallel.h"
#include "count/counts.h"
#include "report/table/hist.h"
#include "report/table/hist_places.h"

#define MAX_KNOWN 64 /* row_ids with a set of frames; a set takes one bit for each frame */
#define MAX_NOTED ((size_t)1 << 20) /* places between two passes of make_noted() */
#define AHEAD 8                     /* places between a prefetch and its use */

/* A place whose entry will be added by make_noted(). */
struct noted_place {
	u32 row, frame, parent;
	bool own;
	char level;
};

struct entry_lister {
	struct hist *h;
	size_t event, row; /* the next row that note_places() looks at */
	u64 **known[2];    /* by own and row_ids: a bit per frame that has an entry; or NULL */
	u64 *own;          /* a bit per frame: samples were taken in it */
	bool notes;        /* places are noted; otherwise their entries are added at once */
	struct noted_place *noted;
	size_t nr, cap;
};

/* The set of frames that have an entry with these row_ids; NULL: too many row_ids to keep it. */
static u64 *known_frames(struct entry_lister *l, bool own, u32 row_ids)
{
	u64 **known = l->known[own];

	if (row_ids >= MAX_KNOWN)
		return NULL;
	if (!known[row_ids])
		known[row_ids] = xcalloc(l->h->nr_seen / 64 + 1, sizeof(u64));
	return known[row_ids];
}

/* Adds a frame to a set; returns true if it was in it before. */
static inline bool is_known(u64 *known, u32 frame)
{
	u64 bit = 1ull << (frame & 63);
	bool had = known[frame >> 6] & bit;

	known[frame >> 6] |= bit;
	return had;
}

static void add_place(struct entry_lister *l, u32 row, u32 row_ids, const struct key_place *p)
{
	struct noted_place n = { row, p->frame, p->parent, p->own, p->level };

	if (l->notes)
		vec_push(l->noted, l->nr, l->cap, n);
	else
		hist_find_entry(l->h, row_ids, p);
}

/*
 * Adds entries for the callers of a row's samples, in the order of display. As in perf 7, the first
 * caller that has a map and all callers after it get the level of user space; this is computed only
 * when an entry is new.
 */
static void add_callers(struct entry_lister *l, const struct hist_stack *st, u32 row, u32 row_ids,
			struct key_place p)
{
	const struct hist *h = l->h;
	bool from_root = h->order == CHAIN_CALLER;
	u64 *known = known_frames(l, false, row_ids);
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
		add_place(l, row, row_ids, &p);
	}
}

/* True if --socket-filter lets the row through. */
static bool is_of_socket(const struct hist *h, const struct count_row *r)
{
	s64 socket = h->d->cfg->socket;

	return socket < 0 || hist_data_socket(h->d, hist_value(h->d, r, COUNT_CPU)) == socket;
}

static struct key_place place_of(const struct hist *h, u32 row, const struct hist_stack *st)
{
	return (struct key_place){ .row = &h->d->counts->rows[row],
				   .frame = st->own,
				   .parent = st->parent,
				   .own = true,
				   .level = st->level };
}

/* Adds a row to the totals, and gives it row_ids if it counts. */
static void add_row(struct hist *h, size_t event, u32 row, const struct hist_stack *st)
{
	const struct count_row *r = &h->d->counts->rows[row];
	struct key_place p = place_of(h, row, st);
	bool wanted;

	if (st->hidden)
		return;
	wanted = !(h->wanted && !h->wanted[row]) && !(h->d->cfg->exclude_other && !st->parent) &&
		 is_of_socket(h, r);
	if (wanted || !h->relative) {
		h->totals[event].period += hist_period(h->d, r);
		h->totals[event].latency += hist_latency(h->d, r);
		h->totals[event].samples += r->samples;
	}
	if (wanted)
		h->row_ids_of[row] = hist_place_ids(h, &p, false) + 1;
}

static void add_entries(struct entry_lister *l, u32 row, const struct hist_stack *st)
{
	struct hist *h = l->h;
	struct key_place p = place_of(h, row, st);
	u32 row_ids = h->row_ids_of[row] - 1;
	u64 *known = known_frames(l, true, row_ids);

	if (!known || !is_known(known, p.frame))
		add_place(l, row, row_ids, &p);
	if (h->children)
		add_callers(l, st, row, row_ids, p);
}

static bool is_row_of(const struct hist *h, size_t event, size_t row)
{
	return h->d->counts->rows[row].event == h->events[event];
}

static void list_in_turn(struct entry_lister *l)
{
	struct hist *h = l->h;

	if (h->children)
		hist_places_ask(h, NULL);
	for (size_t ev = 0; ev < h->nr_events; ev++)
		for (size_t row = 0; row < h->d->counts->nr_rows; row++) {
			struct hist_stack st;

			if (!is_row_of(h, ev, row))
				continue;
			st = hist_stack_of(h->stacks, (u32)row);
			hist_stacks_fetch(h->stacks, (u32)row);
			add_row(h, ev, (u32)row, &st);
			if (h->row_ids_of[row])
				add_entries(l, (u32)row, &st);
		}
}

/*
 * Notes the places of rows, starting at l->event and l->row, until MAX_NOTED places are noted or no
 * rows are left. l->event and l->row are then the next row; without one l->event is h->nr_events.
 */
static void note_places(struct entry_lister *l)
{
	struct hist *h = l->h;
	size_t nr_rows = h->d->counts->nr_rows;

	while (l->event < h->nr_events && l->nr < MAX_NOTED) {
		size_t row = l->row++;
		struct hist_stack st;

		if (row == nr_rows) {
			l->event++;
			l->row = 0;
			continue;
		}
		if (!h->row_ids_of[row] || !is_row_of(h, l->event, row))
			continue;
		st = hist_stack_of(h->stacks, (u32)row);
		hist_stacks_fetch(h->stacks, (u32)row);
		add_entries(l, (u32)row, &st);
	}
}

static void fetch_ahead(const struct entry_lister *l, size_t i)
{
	const struct noted_place *n = &l->noted[i];

	if (i + 2 * AHEAD < l->nr)
		hist_fetch_seen(l->h, n[2 * AHEAD].own, n[2 * AHEAD].frame);
	if (i + AHEAD < l->nr)
		hist_fetch_entry(l->h, n[AHEAD].own, n[AHEAD].frame,
				 l->h->row_ids_of[n[AHEAD].row] - 1);
}

static void make_noted(struct entry_lister *l)
{
	struct hist *h = l->h;

	for (size_t i = 0; i < l->nr; i++) {
		const struct noted_place *n = &l->noted[i];
		struct key_place p = { .row = &h->d->counts->rows[n->row],
				       .frame = n->frame,
				       .parent = n->parent,
				       .own = n->own,
				       .level = n->level };

		fetch_ahead(l, i);
		hist_find_entry(h, h->row_ids_of[n->row] - 1, &p);
	}
	l->nr = 0;
}

/* Allocates the figures of h->nr_counted entries. */
static void make_counts(void *ctx)
{
	struct hist *h = ctx;

	h->stat_size = hist_layout_shows_parts(h->layout) ? sizeof(struct hist_stat)
							  : offsetof(struct hist_stat, sys);
	h->stats = table_alloc(h->nr_counted * h->nr_events * h->stat_size);
	h->counts = table_alloc(h->nr_counted * sizeof(*h->counts));
}

static void ask_or_note(void *ctx, size_t i)
{
	struct entry_lister *l = ctx;

	if (i)
		note_places(l);
	else
		hist_places_ask(l->h, l->own);
}

/* Computes the keys of frames in one thread while another collects the places of rows. */
static void list_side_by_side(struct entry_lister *l, unsigned int nr_threads)
{
	struct parallel_task counts = { 0 };
	struct hist *h = l->h;

	l->own = xcalloc(h->nr_seen / 64 + 1, sizeof(*l->own));
	for (size_t ev = 0; ev < h->nr_events; ev++)
		for (size_t row = 0; row < h->d->counts->nr_rows; row++)
			if (is_row_of(h, ev, row)) {
				struct hist_stack st = hist_stack_own(h->stacks, (u32)row);

				add_row(h, ev, (u32)row, &st);
				(void)is_known(l->own, st.own);
			}
	l->notes = true;
	/* most frames have a place or two */
	vec_reserve(l->noted, l->cap, h->nr_seen + h->nr_seen / 4);
	parallel_run(nr_threads, 2, ask_or_note, l);
	/* every noted place is at most one entry, and most places are one */
	if (l->event == h->nr_events && l->nr <= 2 * h->nr_seen) {
		h->nr_counted = l->nr;
		parallel_task_start(&counts, nr_threads, make_counts, h);
	}
	make_noted(l);
	parallel_task_join(&counts);
	while (l->event < h->nr_events) {
		note_places(l);
		make_noted(l);
	}
	free(l->noted);
	free(l->own);
}

void hist_list(struct hist *h, unsigned int nr_threads)
{
	struct entry_lister l = { .h = h };
	size_t i;
	int own;

	h->nr_threads = nr_threads;
	hist_places_init(h);
	hist_make_room(h);
	h->totals = xcalloc(h->nr_events, sizeof(*h->totals));
	h->row_ids_of = xcalloc(h->d->counts->nr_rows + 1, sizeof(*h->row_ids_of));
	for (own = 0; own < 2; own++)
		l.known[own] = xcalloc(MAX_KNOWN, sizeof(*l.known[own]));
	if (h->children && hist_places_can_ask_apart(h))
		list_side_by_side(&l, nr_threads);
	else
		list_in_turn(&l);
	for (own = 0; own < 2; own++) {
		for (i = 0; i < MAX_KNOWN; i++)
			free(l.known[own][i]);
		free(l.known[own]);
	}
	if (!h->counts) {
		h->nr_counted = h->nr;
		make_counts(h);
	}
	h->listed = true;
}
