/* SPDX-License-Identifier: MIT */
/* The lines of a histogram, their text made by several threads. */
#include "base/parallel.h"
#include "report/hist_chains.h"
#include "report/hist_print.h"

#define AHEAD 8
/* Lines are made piece by piece, and written when a round of pieces is done. */
#define PIECE 2048
#define ROUND 16

static void print_line(struct out *o, const struct hist *h, u32 entry)
{
	const struct hist_layout *l = h->layout;
	size_t last = l->nr_out, i;
	bool first = true;

	while (last && l->out[last - 1].elided)
		last--;
	for (i = 0; i < last; i++) {
		if (l->out[i].elided)
			continue;
		hist_print_gap(o, h, first);
		first = false;
		hist_print_cell(o, h, i, entry, i + 1 < l->nr_out);
	}
	out_char(o, '\n');
}

/* Lines lie anywhere in memory: what those to come need is fetched into the cache. */
static void fetch_ahead(const struct hist *h, size_t n)
{
	if (n + 2 * AHEAD < h->nr_lines) {
		u32 far = h->lines[n + 2 * AHEAD];

		__builtin_prefetch(&h->entries[far]);
		__builtin_prefetch(hist_stat_of(h, far, 0));
	}
	if (n + AHEAD < h->nr_lines) {
		const struct hist_entry *e = &h->entries[h->lines[n + AHEAD]];

		__builtin_prefetch(tuple_table_get(&h->frame_ids, e->frame_ids));
		if (e->place.frame < chain_frames_nr(&h->d->frames))
			__builtin_prefetch(hist_frame(h->d, e->place.frame));
	}
}

struct printing {
	const struct hist *h;
	struct chain_tree *tree;
	double min_percent;
	size_t first; /* line of the round */
	struct out pieces[ROUND];
};

static void print_piece(void *ctx, size_t piece)
{
	struct printing *p = ctx;
	const struct hist *h = p->h;
	struct out *o = &p->pieces[piece];
	size_t n = p->first + piece * PIECE, end = n + PIECE;

	for (; n < end && n < h->nr_lines; n++) {
		u32 entry = h->lines[n];

		fetch_ahead(h, n);
		if (hist_percent(h, entry) < p->min_percent)
			continue;
		print_line(o, h, entry);
		if (p->tree)
			hist_print_chains(o, h, entry, p->tree);
	}
}

/* Whether lines do not get in each other's way: of chains the text is there, and of keys it is made
 * of what stays as it is. */
static bool are_apart(const struct hist *h)
{
	return h->d->opt->mode == PREP_NORMAL && (!h->chain || h->chains_ready);
}

void hist_print_lines(struct out *o, const struct hist *h, struct chain_tree *tree,
		      double min_percent, unsigned int nr_threads)
{
	struct printing p = { .h = h, .tree = tree, .min_percent = min_percent };
	size_t i;

	if (!are_apart(h))
		nr_threads = 1;
	for (i = 0; i < ROUND; i++)
		out_init_mem(&p.pieces[i]);
	for (; p.first < h->nr_lines; p.first += ROUND * PIECE) {
		size_t nr = (h->nr_lines - p.first + PIECE - 1) / PIECE;

		nr = nr < ROUND ? nr : ROUND;
		parallel_run(nr_threads, nr, print_piece, &p);
		for (i = 0; i < nr; i++) {
			if (p.pieces[i].len)
				out_long(o, p.pieces[i].buf, p.pieces[i].len);
			p.pieces[i].len = 0;
		}
	}
	for (i = 0; i < ROUND; i++)
		out_fini(&p.pieces[i]);
}
