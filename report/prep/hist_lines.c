/* SPDX-License-Identifier: MIT */
/* The lines of a histogram, printed by several threads. */
#include "report/prep/hist_lines.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "report/prep/hist_chains.h"
#include "report/prep/hist_print.h"

#define AHEAD 8 /* entries between the one printed and the one prefetched */
/* Threads print pieces of so many lines; a round of pieces is written when all are done. */
#define PIECE 2048
#define ROUND 16

/* The state of printing lines one after the other. */
struct lines {
	struct out *o;
	const struct hist_text *t;
	size_t nr_figures; /* columns that a line begins with */
	/* Most lines have the same figures as the line before: its statistics, and where in o their
	 * text begins. */
	const void *last;
	size_t start, len;
};

static size_t count_figures(const struct hist_layout *l)
{
	size_t n = 0;

	while (n < l->nr_out && !l->out[n].is_key && !l->out[n].elided)
		n++;
	return n;
}

/* Appends the columns from one up to another. */
static void print_cells(struct out *o, const struct hist_text *t, u32 entry, size_t from, size_t to)
{
	const struct hist_layout *l = t->h->layout;
	bool first = !from;

	for (size_t i = from; i < to; i++) {
		if (l->out[i].elided)
			continue;
		hist_print_gap(o, t, first);
		first = false;
		hist_print_cell(o, t, i, entry, i + 1 < l->nr_out);
	}
}

static void print_figures(struct lines *l, u32 entry)
{
	const void *stats = hist_stat_of(l->t->h, entry, 0);
	struct out *o = l->o;

	if (l->last && !memcmp(stats, l->last, l->t->h->nr_events * l->t->h->stat_size)) {
		out_reserve(o, l->len);
		memcpy(o->buf + o->len, o->buf + l->start, l->len);
		o->len += l->len;
		return;
	}
	l->last = stats;
	l->start = o->len;
	print_cells(o, l->t, entry, 0, l->nr_figures);
	l->len = o->len - l->start;
}

static void print_line(struct lines *l, u32 entry)
{
	const struct hist_layout *layout = l->t->h->layout;
	size_t end = layout->nr_out;

	while (end && layout->out[end - 1].elided)
		end--;
	if (l->nr_figures)
		print_figures(l, entry);
	print_cells(l->o, l->t, entry, l->nr_figures, end);
	out_char(l->o, '\n');
}

/* Prefetches what later lines need: entries in display order lie anywhere in memory. */
static void fetch_ahead(const struct hist *h, size_t n)
{
	if (n + 2 * AHEAD < h->nr_lines) {
		u32 far = h->lines[n + 2 * AHEAD];

		__builtin_prefetch(&h->entries[far]);
		__builtin_prefetch(&h->entries[far].nr_uses);
		__builtin_prefetch(hist_stat_of(h, far, 0));
	}
	if (n + AHEAD < h->nr_lines) {
		const struct hist_entry *e = &h->entries[h->lines[n + AHEAD]];

		__builtin_prefetch(tuple_table_get(&h->frame_ids, e->frame_ids));
		if (e->place.frame < chain_frames_nr(&h->d->frames))
			__builtin_prefetch(hist_frame(h->d, e->place.frame));
	}
}

/* Shared by the threads that print a round of pieces. */
struct lines_round {
	const struct hist_text *t;
	size_t first; /* piece of the round */
	struct out pieces[ROUND];
};

static size_t nr_pieces(const struct hist *h)
{
	return (h->nr_lines + PIECE - 1) / PIECE;
}

static size_t end_of(const struct hist *h, size_t piece)
{
	return (piece + 1) * PIECE < h->nr_lines ? (piece + 1) * PIECE : h->nr_lines;
}

/* Appends the lines of a piece, the chains below each. */
static void print_lines_of(struct out *o, const struct hist_text *t, size_t piece)
{
	double min_percent = t->opt->percent_limit;
	const struct hist *h = t->h;
	struct lines l = { .o = o, .t = t, .nr_figures = count_figures(h->layout) };

	for (size_t n = piece * PIECE; n < end_of(h, piece); n++) {
		u32 entry = h->lines[n];

		fetch_ahead(h, n);
		if (min_percent > 0 && hist_percent(h, entry) < min_percent)
			continue;
		print_line(&l, entry);
		if (t->tree)
			hist_print_chains(o, t, entry);
	}
}

/* True when threads may print lines at the same time: printing a key changes nothing they share. */
static bool can_print_in_parallel(const struct hist_text *t)
{
	return t->opt->table.mode == TABLE_NORMAL && !t->opt->table.hierarchy;
}

static void print_piece(void *ctx, size_t i)
{
	struct lines_round *r = ctx;

	print_lines_of(&r->pieces[i], r->t, r->first + i);
}

void hist_print_lines(struct out *o, const struct hist_text *t, unsigned int nr_threads)
{
	struct lines_round r = { .t = t };
	size_t i, nr;

	/* hist_print_chains() uses the tree unless the texts were prepared */
	if (!can_print_in_parallel(t) || (t->h->chain && !t->chains_ready))
		nr_threads = 1;
	for (i = 0; i < ROUND; i++) {
		out_init_mem(&r.pieces[i]);
		out_escape_like(&r.pieces[i], o);
	}
	for (; r.first < nr_pieces(t->h); r.first += ROUND) {
		nr = nr_pieces(t->h) - r.first;
		nr = nr < ROUND ? nr : ROUND;
		parallel_run(nr_threads, nr, print_piece, &r);
		for (i = 0; i < nr; i++) {
			if (r.pieces[i].len)
				out_long(o, r.pieces[i].buf, r.pieces[i].len);
			r.pieces[i].len = 0;
		}
	}
	for (i = 0; i < ROUND; i++)
		out_fini(&r.pieces[i]);
}
