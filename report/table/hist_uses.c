/* SPDX-License-Identifier: MIT */
#include "report/table/hist_uses.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "base/mem.h"
#include "base/pages.h"
#include "count/counts.h"

#define AHEAD 8         /* uses between a prefetch and its use */
#define MANY_ROWS 4096u /* from here on two threads go through the rows */
#define MOST_HASHES (1u << 22)

/* Whether a part of the entry's call tree may reach a percentage. */
static bool can_show(const struct hist *h, u32 entry, double least)
{
	const struct hist_stat *s = hist_stat_of(h, entry, 0);
	u64 period = h->children ? s->acc_period : s->period;

	if (!h->chain || h->chain->mode == CHAIN_NONE)
		return false;
	/*
	 * Below the limit no part of the entry can reach it, unless the limit is a share of the
	 * entry itself.
	 */
	return h->chain->mode == CHAIN_FRACTAL || period >= chain_least(least, h->totals[0].period);
}

struct use_gather {
	struct hist *h;
	bool *shown;   /* by entry: its chains are shown */
	bool *of_rows; /* by row_ids: some entry of them is shown */
	u64 *of_own;   /* a bit per frame: an entry with chains is for samples in it */
	u64 *callers;  /* a bit per frame: an entry with chains is for it as a caller */
	u64 *hashes;   /* a bit per hash of an entry: some entry with chains has it */
	u64 hash_mask;
};

/*
 * Rows that one thread goes through. Two threads begin at both ends of the rows and fill the room
 * of each entry from both ends, so the uses are in the order of rows.
 */
struct use_half {
	const struct use_gather *g;
	size_t start, end; /* rows */
	bool backwards;
	u32 *last_row; /* by entry: the last row that was noted for it, + 1 */
	u32 *nr;       /* by entry: uses noted */
};

static inline bool is_marked(const u64 *marks, u32 frame)
{
	return marks[frame >> 6] >> (frame & 63) & 1;
}

static inline void note_use(const struct use_half *u, u32 at, u32 row, u32 pos)
{
	struct hist *h = u->g->h;
	size_t first = h->entries[at].first_use, n;

	if (!u->g->shown[at] || u->last_row[at] == row + 1)
		return;
	u->last_row[at] = row + 1;
	n = u->nr[at]++;
	if (u->backwards)
		n = h->counts[at].nr_uses - 1 - n;
	h->uses[first + n] = (struct hist_use){ row, pos };
}

static inline u64 hash_of_entry(const struct use_gather *g, u32 row_ids, u32 frame_ids)
{
	return hash_u64((u64)row_ids << 32 | frame_ids) & g->hash_mask;
}

/*
 * Whether the entry of a place may be one whose chains are shown. Most are not, and to find an
 * entry among many misses the cache.
 */
static inline bool may_be_shown(const struct use_gather *g, u32 row_ids, const struct key_place *p)
{
	u32 frame_ids = g->h->seen[p->own][p->frame].frame_ids - 1;
	u64 hash = hash_of_entry(g, row_ids, frame_ids);

	return g->hashes[hash >> 6] >> (hash & 63) & 1;
}

static void gather_row(const struct use_half *u, u32 row)
{
	const struct use_gather *g = u->g;
	struct hist *h = g->h;
	struct hist_stack st = hist_stack_of(h->stacks, row);
	struct key_place p = { .frame = st.own, .own = true };
	u32 row_ids = h->row_ids_of[row] - 1;

	hist_stacks_fetch(h->stacks, row);
	if (!st.nr)
		return;
	if (is_marked(g->of_own, p.frame) && may_be_shown(g, row_ids, &p))
		note_use(u, hist_known_entry(h, row_ids, &p), row, HIST_WHOLE);
	if (!h->children)
		return;
	p.own = false;
	for (u32 i = 0; i < st.nr; i++) {
		u32 pos = h->order == CHAIN_CALLER ? st.nr - 1 - i : i;

		p.frame = st.ids[pos];
		if (!is_marked(g->callers, p.frame) || !may_be_shown(g, row_ids, &p))
			continue;
		/* from the root, a repeated frame is first met in the last repetition */
		if (h->order == CHAIN_CALLER && i < st.turn)
			pos += st.more;
		note_use(u, hist_known_entry(h, row_ids, &p), row, pos);
	}
}

/* A bit for each frame that is the place of an entry whose chains are shown. */
static u64 *mark_frames(const struct hist *h, const bool *by_ids, bool own)
{
	u64 *marks = xcalloc(h->nr_seen / 64 + 1, sizeof(*marks));

	for (size_t i = 0; i < h->nr_seen; i++)
		if (h->seen[own][i].frame_ids && by_ids[h->seen[own][i].frame_ids - 1])
			marks[i >> 6] |= 1ull << (i & 63);
	return marks;
}

/* 64 bits for each of the entries, so that one of 64 others looks like one of them. */
static void mark_hashes(struct use_gather *g, size_t nr_shown)
{
	const struct hist *h = g->h;
	u64 bits = 64;

	while (bits < MOST_HASHES && bits < 64 * (u64)nr_shown)
		bits *= 2;
	g->hashes = xcalloc(bits / 64, sizeof(*g->hashes));
	g->hash_mask = bits - 1;
	for (size_t i = 0; i < h->nr; i++)
		if (g->shown[i]) {
			const struct hist_entry *e = &h->entries[i];
			u64 hash = hash_of_entry(g, e->row_ids, e->frame_ids);

			g->hashes[hash >> 6] |= 1ull << (hash & 63);
		}
}

/* Makes room for the uses of an entry. Returns false if its tree shows nothing, or it has them. */
static bool begin_uses(struct hist *h, u32 entry, double least)
{
	struct hist_entry *e = &h->entries[entry];

	if (e->filtered || e->gathered || !can_show(h, entry, least))
		return false;
	e->gathered = true;
	e->first_use = h->nr_uses;
	e->nr_uses = 0;
	h->nr_uses += h->counts[entry].nr_uses;
	return true;
}

static bool is_row_with_uses(const struct use_gather *g, size_t row)
{
	const struct hist *h = g->h;

	return h->row_ids_of[row] && g->of_rows[h->row_ids_of[row] - 1] &&
	       h->d->counts->rows[row].event == h->events[0];
}

static void gather_half(void *ctx, size_t i)
{
	const struct use_half *u = &((const struct use_half *)ctx)[i];

	for (size_t n = 0; n < u->end - u->start; n++) {
		size_t row = u->backwards ? u->end - 1 - n : u->start + n;

		if (is_row_with_uses(u->g, row))
			gather_row(u, (u32)row);
	}
}

/* Goes through all rows. Every row's stack was made by hist_list(), so threads only read them. */
static void gather_rows(const struct use_gather *g)
{
	struct hist *h = g->h;
	size_t nr = h->d->counts->nr_rows, mid = nr < MANY_ROWS ? nr : nr / 2, i;
	struct use_half halves[] = { { .g = g, .end = mid },
				     { .g = g, .start = mid, .end = nr, .backwards = true } };
	size_t nr_halves = mid < nr ? 2 : 1;

	for (i = 0; i < nr_halves; i++) {
		halves[i].last_row = xcalloc(h->nr + 1, sizeof(u32));
		halves[i].nr = xcalloc(h->nr + 1, sizeof(u32));
	}
	parallel_run(h->nr_threads, nr_halves, gather_half, halves);
	for (i = 0; i < nr_halves; i++) {
		for (size_t k = 0; k < h->nr; k++)
			if (g->shown[k])
				h->entries[k].nr_uses += halves[i].nr[k];
		free(halves[i].last_row);
		free(halves[i].nr);
	}
}

/* entries: those that are wanted; NULL: all. */
static void gather_uses(struct hist *h, double least, const u32 *entries, size_t nr)
{
	struct use_gather g = { .h = h };
	bool *by_ids = xcalloc(h->frame_ids.nr + 1, sizeof(*by_ids));
	size_t had = h->nr_uses, nr_shown = 0, i;

	g.shown = xcalloc(h->nr + 1, sizeof(*g.shown));
	g.of_rows = xcalloc(h->row_ids.nr + 1, sizeof(*g.of_rows));
	for (i = 0; i < nr; i++) {
		u32 entry = entries ? entries[i] : (u32)i;

		if (!begin_uses(h, entry, least))
			continue;
		g.shown[entry] = by_ids[h->entries[entry].frame_ids] =
			g.of_rows[h->entries[entry].row_ids] = true;
		nr_shown++;
	}
	mark_hashes(&g, nr_shown);
	g.of_own = mark_frames(h, by_ids, true);
	g.callers = mark_frames(h, by_ids, false);
	h->uses = xrealloc(h->uses, (h->nr_uses + 1) * sizeof(*h->uses));
	pages_will_fill(h->uses + had, (h->nr_uses - had) * sizeof(*h->uses));
	gather_rows(&g);
	free(by_ids);
	free(g.shown);
	free(g.of_rows);
	free(g.of_own);
	free(g.callers);
	free(g.hashes);
}

/* Prefetches rows and stacks of the next uses, which are scattered in memory. */
static void fetch_ahead(const struct hist *h, const struct hist_entry *e, u32 i)
{
	const struct hist_use *use = &h->uses[e->first_use + i];
	const struct count_row *rows = h->d->counts->rows;
	u32 left = e->nr_uses - i;

	if (left > 3 * AHEAD)
		__builtin_prefetch(&rows[use[3 * AHEAD].row]);
	if (left > 2 * AHEAD)
		__builtin_prefetch(rows[use[2 * AHEAD].row].v);
	if (left > AHEAD)
		hist_stacks_fetch_place(h->stacks, use[AHEAD].row);
}

static struct chain_row row_of(const struct hist *h, u32 row)
{
	const struct count_row *r = &h->d->counts->rows[row];
	struct hist_stack st = hist_stack_of(h->stacks, row);

	return (struct chain_row){ .ids = st.ids,
				   .nr = st.nr,
				   .turn = st.turn,
				   .more = st.more,
				   .period = hist_period(h->d, r),
				   .samples = r->samples };
}

/* The part of a use's call chain that is below the entry. */
static struct chain_row row_of_use(const struct hist *h, const struct hist_entry *e, u32 i)
{
	const struct hist_use *use = &h->uses[e->first_use + i];
	struct chain_row row = row_of(h, use->row);

	fetch_ahead(h, e, i);
	return use->pos == HIST_WHOLE ? row : chain_row_of_caller(h->chain, &row, use->pos);
}

void hist_fill_tree(const struct hist *h, u32 entry, struct chain_tree *tree)
{
	const struct hist_entry *e = &h->entries[entry];

	chain_tree_reset(tree);
	for (u32 i = 0; i < e->nr_uses; i++) {
		struct chain_row row = row_of_use(h, e, i);

		chain_tree_add(tree, &row);
	}
}

bool hist_branch_reaches(const struct hist *h, u32 entry, u64 least, struct chain_tree *tree)
{
	const struct hist_entry *e = &h->entries[entry];
	bool reaches = false;

	chain_tree_reset(tree);
	for (u32 i = 0; i < e->nr_uses && !reaches; i++) {
		struct chain_row row = row_of_use(h, e, i);
		u64 total;

		reaches = chain_tree_weigh(tree, &row, &total) && total >= least;
	}
	chain_tree_reset(tree);
	return reaches;
}

void hist_gather_more(struct hist *h, double least, const u32 *entries, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!h->entries[entries[i]].gathered && !h->entries[entries[i]].filtered &&
		    can_show(h, entries[i], least)) {
			gather_uses(h, least, entries, nr);
			return;
		}
}

void hist_gather_uses(struct hist *h)
{
	if (h->chain)
		gather_uses(h, h->chain->min_percent, NULL, h->nr);
}

struct counted_and_sorted {
	struct hist *h;
	struct order_tree *display;
};

/*
 * Part 0 sorts by keys, which needs no figures; part 1 counts. Both may run at once; one thread
 * sorts first, so that what that takes is free again when the figures are collected.
 */
static void count_or_sort_by_keys(void *ctx, size_t part)
{
	struct counted_and_sorted *c = ctx;

	if (!part) {
		hist_sort_found(c->h);
		return;
	}
	hist_count(c->h);
	c->display = hist_display_order(c->h);
	hist_gather_uses(c->h);
}

struct order_tree *hist_count_beside_sorting(struct hist *h, unsigned int nr_threads)
{
	struct counted_and_sorted c = { .h = h };

	hist_pick_shown(h);
	parallel_run(nr_threads, 2, count_or_sort_by_keys, &c);
	return c.display;
}
