/* SPDX-License-Identifier: MIT */
#include "picture/fold_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parallel.h"
#include "picture/fold_order.h"

/* Which lines of a node are printed at one place: its own, those below it, or both. */
enum part { PART_LINE = 1, PART_BELOW = 2 };

struct pending {
	u32 node;
	u32 parts;
	size_t len; /* of the text before its name */
};

struct walk {
	const struct fold_tree *t;
	const struct fold_order *order;
	struct pending *pending; /* a stack: the last one is printed next */
	size_t nr, cap;
	char *text;
	size_t cap_text;
};

static int compare_pending(const void *pa, const void *pb, void *ctx)
{
	const struct pending *a = pa, *b = pb;
	const struct walk *w = ctx;

	/* in reverse order, because the last one is printed first */
	return -fold_order_compare(w->order, w->t->nodes[a->node].name, a->parts & PART_LINE,
				   w->t->nodes[b->node].name, b->parts & PART_LINE);
}

static void add_pending(struct walk *w, u32 node, u32 parts, size_t len)
{
	vec_push(w->pending, w->nr, w->cap, ((struct pending){ node, parts, len }));
}

static void add_children(struct walk *w, u32 node, size_t len)
{
	size_t first = w->nr;
	u32 n;

	for (n = w->t->nodes[node].child; n; n = w->t->nodes[n].next) {
		const struct fold_node *c = &w->t->nodes[n];

		if (!w->order->torn[c->name] || !c->line || !c->child) {
			add_pending(w, n, (c->line ? PART_LINE : 0) | (c->child ? PART_BELOW : 0),
				    len);
			continue;
		}
		add_pending(w, n, PART_LINE, len);
		add_pending(w, n, PART_BELOW, len);
	}
	if (w->nr - first > 1)
		qsort_r(w->pending + first, w->nr - first, sizeof(*w->pending), compare_pending, w);
}

/*
 * Calls fn for the lines of what is pending, until their texts have `most` bytes or more. Returns
 * true if something is left.
 */
static bool walk_on(struct walk *w, size_t most, fold_line_fn *fn, void *ctx)
{
	const struct fold_tree *t = w->t;
	size_t n = 0;

	while (w->nr && n < most) {
		struct pending now = w->pending[--w->nr];
		const struct fold_node *node = &t->nodes[now.node];
		const char *name = intern_text(&t->names, node->name);
		size_t len = strlen(name), end = now.len + len;

		vec_reserve(w->text, w->cap_text, end + 1);
		memcpy(w->text + now.len, name, len);
		if (now.parts & PART_LINE) {
			fn(ctx, w->text, end, t->lines[node->line].counts);
			n += end;
		}
		if (now.parts & PART_BELOW) {
			w->text[end] = ';';
			add_children(w, now.node, end + 1);
		}
	}
	return w->nr > 0;
}

static void walk_fini(struct walk *w)
{
	free(w->pending);
	free(w->text);
}

void fold_tree_each(const struct fold_tree *t, fold_line_fn *fn, void *ctx)
{
	struct fold_order order;
	struct walk w = { .t = t, .order = &order };

	fold_order_init(&order, &t->names);
	add_children(&w, 0, 0);
	(void)walk_on(&w, SIZE_MAX, fn, ctx);
	fold_order_fini(&order);
	walk_fini(&w);
}

/* --- several threads -------------------------------------------------------------------------- */

#define FEW_LINES 4096                   /* one thread prints so many */
#define PIECES_PER_THREAD 8              /* so that large and small ones even out */
#define PIECES_AT_ONCE 2                 /* per thread */
#define TEXT_AT_ONCE ((size_t)256 << 10) /* of each of them, in memory */
#define MOST_LEVELS 200                  /* of the tree that are looked at for where to cut it */

/* Lines that follow each other in the order: all those of a pending node. */
struct cut {
	struct pending at;
	const char *text; /* before its name, at.len bytes */
};

/* The whole tree as cuts, in the order of their lines. */
struct cuts {
	struct cut *v;
	size_t nr, cap;
	struct arena texts;
};

static void add_cut(struct cuts *c, const struct pending *at, const char *text)
{
	vec_push(c->v, c->nr, c->cap, ((struct cut){ *at, text }));
}

/* Adds the children of a node, each as a cut. w: for their order; nothing is pending. */
static void add_cuts_below(struct cuts *c, struct walk *w, u32 node, const char *text, size_t len)
{
	add_children(w, node, len);
	while (w->nr)
		add_cut(c, &w->pending[--w->nr], text);
}

/* Puts what is below each cut in its place. Returns true if there was any. */
static bool cut_deeper(struct cuts *c, struct walk *w)
{
	struct cuts now = *c;
	bool is_new = false;

	c->v = NULL;
	c->nr = c->cap = 0;
	for (size_t i = 0; i < now.nr; i++) {
		struct pending at = now.v[i].at;
		const char *name = intern_text(&w->t->names, w->t->nodes[at.node].name);
		size_t len = strlen(name);
		char *text;

		if (!(at.parts & PART_BELOW)) {
			add_cut(c, &at, now.v[i].text);
			continue;
		}
		is_new = true;
		at.parts &= ~(u32)PART_BELOW;
		if (at.parts)
			add_cut(c, &at, now.v[i].text);
		text = arena_alloc(&c->texts, at.len + len + 1);
		if (at.len)
			memcpy(text, now.v[i].text, at.len);
		memcpy(text + at.len, name, len);
		text[at.len + len] = ';';
		add_cuts_below(c, w, at.node, text, at.len + len + 1);
	}
	free(now.v);
	return is_new;
}

static struct cuts cut_tree(const struct fold_tree *t, const struct fold_order *order, size_t nr)
{
	struct walk w = { .t = t, .order = order };
	struct cuts c = { 0 };

	add_cuts_below(&c, &w, 0, NULL, 0);
	for (int level = 0; c.nr < nr && level < MOST_LEVELS && cut_deeper(&c, &w); level++)
		;
	walk_fini(&w);
	return c;
}

/* Some of the lines, which one thread prints: a few at a time, where they are many. */
struct print_piece {
	size_t at, end; /* cuts that are left */
	struct walk w;  /* of what comes before them */
	struct out text;
	struct out *o; /* text, or where one thread prints all */
	u64 sums[FOLD_SIDES];
};

struct print_job {
	const struct fold_tree *t;
	const struct fold_order *order;
	struct cuts cuts;
	size_t nr_pieces;
	struct print_piece *pieces; /* that are being printed */
};

static void print_line(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES])
{
	struct print_piece *p = ctx;

	out_mem(p->o, text, n);
	out_char(p->o, ' ');
	out_dec(p->o, counts[0], 0);
	out_char(p->o, '\n');
	for (int i = 0; i < FOLD_SIDES; i++)
		p->sums[i] += counts[i];
}

static void piece_init(struct print_piece *p, const struct print_job *j, size_t nr,
		       const struct out *o)
{
	*p = (struct print_piece){ .at = j->cuts.nr * nr / j->nr_pieces,
				   .end = j->cuts.nr * (nr + 1) / j->nr_pieces,
				   .w = { .t = j->t, .order = j->order } };
	out_init_mem(&p->text);
	out_escape_like(&p->text, o);
}

static void piece_fini(struct print_piece *p)
{
	walk_fini(&p->w);
	out_fini(&p->text);
}

static bool is_done(const struct print_piece *p)
{
	return !p->w.nr && p->at == p->end;
}

/*
 * Moves the later lines of a piece into a new piece, *later. Returns false if the piece has only
 * one pending node or cut.
 */
static bool piece_split(struct print_piece *p, struct print_piece *later, const struct out *o)
{
	size_t nr_cuts = p->end - p->at, nr = p->w.nr / 2;
	struct walk *w = &p->w;

	if (nr_cuts + w->nr < 2)
		return false;
	*later = (struct print_piece){ .at = p->end,
				       .end = p->end,
				       .w = { .t = w->t, .order = w->order } };
	if (nr_cuts) {
		later->at -= w->nr ? nr_cuts : nr_cuts / 2;
		p->end = later->at;
	} else {
		/* the last of these nodes is at the lowest level: its text begins as the others' */
		size_t len = w->pending[nr - 1].len;

		vec_reserve(later->w.pending, later->w.cap, nr);
		memcpy(later->w.pending, w->pending, nr * sizeof(*w->pending));
		later->w.nr = nr;
		vec_reserve(later->w.text, later->w.cap_text, len + 1);
		memcpy(later->w.text, w->text, len);
		w->nr -= nr;
		memmove(w->pending, w->pending + nr, w->nr * sizeof(*w->pending));
	}
	out_init_mem(&later->text);
	out_escape_like(&later->text, o);
	return true;
}

/*
 * Splits pieces of which something is left until there are `wanted` of these, or `most` in all.
 * Returns how many there are. A few roots often have most of the lines, and their pieces would be
 * printed by one thread while the texts of the pieces behind them wait.
 */
static size_t split_pieces(struct print_piece *v, size_t nr, size_t wanted, size_t most,
			   const struct out *o)
{
	size_t left = 0, before;

	for (size_t i = 0; i < nr; i++)
		left += !is_done(&v[i]);
	do {
		before = nr;
		for (size_t i = 0; i < nr && nr < most && left < wanted; i++) {
			struct print_piece later;

			if (!piece_split(&v[i], &later, o))
				continue;
			i++;
			memmove(&v[i + 1], &v[i], (nr - i) * sizeof(*v));
			v[i] = later;
			nr++;
			left++;
		}
	} while (nr > before);
	return nr;
}

/* Goes on with a piece until its end, or until its text is long enough. */
static void print_piece(void *ctx, size_t i)
{
	struct print_job *j = ctx;
	struct print_piece *p = &j->pieces[i];
	const struct cut *c;

	p->o = &p->text;
	while (p->text.len < TEXT_AT_ONCE) {
		if (walk_on(&p->w, TEXT_AT_ONCE - p->text.len, print_line, p))
			continue;
		if (p->at == p->end)
			break;
		c = &j->cuts.v[p->at++];
		vec_reserve(p->w.text, p->w.cap_text, c->at.len + 1);
		if (c->at.len)
			memcpy(p->w.text, c->text, c->at.len);
		vec_push(p->w.pending, p->w.nr, p->w.cap, c->at);
	}
}

static void add_sums(u64 sums[FOLD_SIDES], const u64 more[FOLD_SIDES])
{
	for (int i = 0; i < FOLD_SIDES; i++)
		sums[i] += more[i];
}

/* Writes the texts of the first pieces. Returns how many of them are done; the next one is not. */
static size_t write_texts(struct print_piece *pieces, size_t nr, struct out *o,
			  u64 ret_sums[FOLD_SIDES])
{
	size_t done;

	for (done = 0; done < nr; done++) {
		struct print_piece *p = &pieces[done];

		out_long(o, p->text.buf, p->text.len);
		p->text.len = 0;
		if (!is_done(p))
			break;
		add_sums(ret_sums, p->sums);
		piece_fini(p);
	}
	return done;
}

static void print_pieces(struct print_job *j, unsigned int nr_threads, struct out *o,
			 u64 ret_sums[FOLD_SIDES])
{
	const size_t at_once = (size_t)nr_threads * PIECES_AT_ONCE;
	size_t next = 0, nr = 0, done;

	j->pieces = xcalloc(2 * at_once, sizeof(*j->pieces));
	while (nr || next < j->nr_pieces) {
		while (nr < at_once && next < j->nr_pieces)
			piece_init(&j->pieces[nr++], j, next++, o);
		nr = split_pieces(j->pieces, nr, at_once, 2 * at_once, o);
		parallel_run(nr_threads, nr, print_piece, j);
		done = write_texts(j->pieces, nr, o, ret_sums);
		nr -= done;
		memmove(j->pieces, j->pieces + done, nr * sizeof(*j->pieces));
	}
	free(j->pieces);
}

static void print_by_threads(const struct fold_tree *t, unsigned int nr_threads, struct out *o,
			     u64 ret_sums[FOLD_SIDES])
{
	struct fold_order order;
	struct print_job j = { .t = t, .order = &order };

	fold_order_init(&order, &t->names);
	j.nr_pieces = (size_t)nr_threads * PIECES_PER_THREAD;
	j.cuts = cut_tree(t, &order, j.nr_pieces);
	print_pieces(&j, nr_threads, o, ret_sums);
	free(j.cuts.v);
	arena_fini(&j.cuts.texts);
	fold_order_fini(&order);
}

void fold_tree_print(const struct fold_tree *t, unsigned int nr_threads, struct out *o,
		     u64 ret_sums[FOLD_SIDES])
{
	struct print_piece all = { .o = o };

	memset(ret_sums, 0, FOLD_SIDES * sizeof(*ret_sums));
	if (nr_threads > 1 && t->nr_lines > FEW_LINES) {
		print_by_threads(t, nr_threads, o, ret_sums);
		return;
	}
	fold_tree_each(t, print_line, &all);
	add_sums(ret_sums, all.sums);
}
