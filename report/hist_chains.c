/* SPDX-License-Identifier: MIT */
#include "report/hist_chains.h"

#include "base/mem.h"
#include "base/pages.h"
#include "report/chain_print.h"

/* Text of chains that is kept until its line is printed: what is more than this is made then. */
#define AHEAD 8
#define MAX_TEXT ((size_t)16 << 20)

struct hist_chain_text {
	size_t start, len;
	bool made;
};

static bool can_show(const struct hist *h, u32 entry)
{
	const struct hist_stat *s = hist_stat_of(h, entry, 0);
	u64 period = h->children ? s->acc_period : s->period;

	if (!h->chain || h->chain->mode == CHAIN_NONE)
		return false;
	/* no part of it can reach the limit, but where that is a share of the entry itself */
	return h->chain->mode == CHAIN_FRACTAL ||
	       period >= (u64)((double)h->totals[0].period * (h->chain->min_percent / 100));
}

struct gathering {
	struct hist *h;
	bool *shown;  /* entries */
	u64 *of_own;  /* a bit per frame: it has such entries as a sample's own place */
	u64 *callers; /* ... as a caller */
};

static inline bool is_marked(const u64 *marks, u32 frame)
{
	return marks[frame >> 6] >> (frame & 63) & 1;
}

static inline void note_use(struct gathering *g, u32 at, u32 row, u32 pos)
{
	struct hist *h = g->h;
	struct hist_entry *e = &h->entries[at];

	if (!g->shown[at] || h->counts[at].last_row == row + 1)
		return;
	h->counts[at].last_row = row + 1;
	h->uses[e->first_use + e->nr_uses++] = (struct hist_use){ row, pos };
}

static void gather_row(struct gathering *g, u32 row)
{
	struct hist *h = g->h;
	struct hist_stack st = hist_stack_of(h->stacks, row);
	struct key_place p = { .frame = st.own, .own = true };
	u32 row_ids = h->row_ids_of[row] - 1;

	hist_stacks_fetch(h->stacks, row);
	if (!st.nr)
		return;
	if (is_marked(g->of_own, p.frame))
		note_use(g, hist_find_entry(h, row_ids, &p), row, HIST_WHOLE);
	if (!h->children)
		return;
	p.own = false;
	for (u32 i = 0; i < st.nr; i++) {
		u32 pos = h->order == CHAIN_CALLER ? st.nr - 1 - i : i;

		p.frame = st.ids[pos];
		if (!is_marked(g->callers, p.frame))
			continue;
		/* from the root on a circle is met in its last turn */
		if (h->order == CHAIN_CALLER && i < st.turn)
			pos += st.more;
		note_use(g, hist_entry_of(h, row_ids, &p), row, pos);
	}
}

/* Frames of the entries that are shown. */
static u64 *mark_frames(const struct hist *h, const bool *by_ids, bool own)
{
	u64 *marks = xcalloc(h->nr_seen / 64 + 1, sizeof(*marks));

	for (size_t i = 0; i < h->nr_seen; i++)
		if (h->seen[own][i].frame_ids && by_ids[h->seen[own][i].frame_ids - 1])
			marks[i >> 6] |= 1ull << (i & 63);
	return marks;
}

void hist_gather_chains(struct hist *h)
{
	struct gathering g = { .h = h };
	size_t at = 0;
	bool *by_ids;
	u32 i;

	if (!h->chain)
		return;
	g.shown = xcalloc(h->nr + 1, sizeof(*g.shown));
	by_ids = xcalloc(h->frame_ids.nr + 1, sizeof(*by_ids));
	for (i = 0; i < h->nr; i++) {
		struct hist_entry *e = &h->entries[i];

		if (!e->filtered && can_show(h, i)) {
			g.shown[i] = by_ids[e->frame_ids] = true;
			e->first_use = at;
			at += h->counts[i].nr_uses;
		}
		h->counts[i].last_row = 0;
	}
	g.of_own = mark_frames(h, by_ids, true);
	g.callers = mark_frames(h, by_ids, false);
	h->uses = xmalloc((at + 1) * sizeof(*h->uses));
	pages_will_fill(h->uses, at * sizeof(*h->uses));
	for (i = 0; i < h->d->counts->nr_rows; i++)
		if (h->row_ids_of[i] && h->d->counts->rows[i].event == h->events[0])
			gather_row(&g, i);
	free(by_ids);
	free(g.shown);
	free(g.of_own);
	free(g.callers);
}

/* Rows and stacks lie anywhere in memory: those to come are fetched into the cache. */
static void fetch_ahead(const struct hist *h, const struct hist_entry *e, u32 i)
{
	const struct hist_use *use = &h->uses[e->first_use + i];
	const struct count_row *rows = h->d->counts->rows;
	u32 left = e->nr_uses - i;

	if (left > 3 * AHEAD)
		__builtin_prefetch(&rows[use[3 * AHEAD].row]);
	if (left > 2 * AHEAD)
		__builtin_prefetch(&rows[use[2 * AHEAD].row].v[COUNT_STACK]);
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

static void fill_tree(const struct hist *h, const struct hist_entry *e, struct chain_tree *tree)
{
	chain_tree_reset(tree);
	for (u32 i = 0; i < e->nr_uses; i++) {
		const struct hist_use *use = &h->uses[e->first_use + i];
		struct chain_row row = row_of(h, use->row);

		fetch_ahead(h, e, i);
		if (use->pos != HIST_WHOLE)
			row = chain_row_of_caller(h->chain, &row, use->pos);
		chain_tree_add(tree, &row);
	}
}

static void print_chains(struct out *o, const struct hist *h, u32 entry, struct chain_tree *tree)
{
	const struct prep_options *opt = h->d->opt;
	const struct hist_entry *e = &h->entries[entry];
	const struct hist_stat *s = hist_stat_of(h, entry, 0);
	struct chain_text text = {
		.total = h->whole,
		.limit_total = h->totals[0].period,
		.entry_period = h->children ? s->acc_period : s->period,
		.skip_own = chain_skips_own(opt->sort, opt->fields),
		.separator = opt->separator,
		.color = opt->color,
	};

	if (!e->nr_uses)
		return;
	fill_tree(h, e, tree);
	chain_print(o, tree, &text);
}

/* Texts are made while lines are put in order: they need nothing of it. */
void hist_prepare_chains(struct hist *h, struct chain_tree *tree)
{
	u32 i;

	if (!h->chain)
		return;
	h->chain_texts = xcalloc(h->nr + 1, sizeof(*h->chain_texts));
	for (i = 0; i < h->nr && h->chain_text.len < MAX_TEXT; i++) {
		struct hist_chain_text *t = &h->chain_texts[i];

		if (!h->entries[i].nr_uses)
			continue;
		t->start = h->chain_text.len;
		print_chains(&h->chain_text, h, i, tree);
		t->len = h->chain_text.len - t->start;
		t->made = true;
	}
	h->chains_ready = i == h->nr;
}

void hist_print_chains(struct out *o, const struct hist *h, u32 entry, struct chain_tree *tree)
{
	const struct hist_chain_text *t;

	/* most entries have none: they are not looked for in yet another table */
	if (!h->entries[entry].nr_uses)
		return;
	t = &h->chain_texts[entry];
	if (!t->made)
		print_chains(o, h, entry, tree);
	else if (t->len) /* where no entry has a text there is no buffer */
		out_mem(o, h->chain_text.buf + t->start, t->len);
}

void hist_chain_texts_fini(struct hist *h)
{
	free(h->chain_texts);
	out_fini(&h->chain_text);
}
