/* SPDX-License-Identifier: MIT */
#include "count/count_merge.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "base/rank_order.h"
#include "count/count_columns.h"
#include "count/stack_entry.h"

#define AHEAD 16 /* entries whose slot is fetched before they are looked up */

/* Maps one counter's ids to those of the counter that it is merged into. */
struct translation {
	struct counter *from;
	u32 *frames, *stacks, *blobs;
	u32 *final_frames; /* final frame id by the counter's own id */
	u32 *tails;        /* final tail number by the counter's own */
};

struct count_merge {
	struct counter *c;
	unsigned int nr;
	struct translation parts[]; /* [nr] is c itself */
};

static void merge_frames(struct counter *c, struct translation *t)
{
	const struct count_frames *from = &t->from->frames;

	t->frames = xmalloc(from->nr * sizeof(*t->frames));
	for (size_t i = 0; i < from->nr; i++) {
		if (i + AHEAD < from->nr)
			count_frames_prefetch(&c->frames, &from->items[i + AHEAD]);
		t->frames[i] = count_frames_adopt(&c->frames, &from->items[i]);
	}
}

static u32 *order_frames(const struct count_frames *f)
{
	struct ranked *v = xmalloc(f->nr * sizeof(*v));
	u32 *ids = xmalloc(f->nr * sizeof(*ids));

	for (size_t i = 0; i < f->nr; i++)
		v[i] = (struct ranked){ .rank = f->items[i].first, .index = (u32)i };
	rank_order(v, f->nr);
	for (size_t i = 0; i < f->nr; i++)
		ids[v[i].index] = (u32)i;
	free(v);
	return ids;
}

/* Merges the tails of all counters into c's; their frames get final ids. */
static void merge_tails(struct count_merge *m)
{
	struct count_tails own = m->c->tails;

	m->c->tails = (struct count_tails){ 0 };
	for (unsigned int i = 0; i <= m->nr; i++) {
		struct translation *t = &m->parts[i];

		t->tails = count_tails_merge(&m->c->tails, i < m->nr ? &t->from->tails : &own,
					     t->final_frames);
	}
	count_tails_fini(&own);
}

/* Rewrites the stacks of one counter with final frame ids and tail numbers. */
static void translate_stacks(void *ctx, size_t k)
{
	struct count_merge *m = ctx;
	struct translation *t = &m->parts[k];
	struct blobs *stacks = &t->from->stacks;

	for (size_t i = 1; i < stacks->nr; i++) {
		/* the table's own bytes, which it hands out as constant */
		u32 *ids = (u32 *)(uintptr_t)stacks->items[i].p;

		for (size_t j = 0; j < stacks->items[i].n / sizeof(*ids); j++) {
			if (!(ids[j] & (CHAIN_REPEAT | COUNT_TAIL)))
				ids[j] = t->final_frames[ids[j]];
			else if (count_is_tail(ids[j]))
				ids[j] = COUNT_TAIL | t->tails[count_tail_number(ids[j])];
		}
	}
}

static u32 *merge_blobs(struct blobs *to, struct blobs *from)
{
	u32 *ids = xmalloc(from->nr * sizeof(*ids));

	for (size_t i = 0; i < from->nr; i++) {
		if (i + AHEAD < from->nr)
			blobs_prefetch(to, from->items[i + AHEAD].check);
		ids[i] = blobs_adopt(to, &from->items[i]);
	}
	blobs_take_blocks(to, from);
	return ids;
}

/* A row's key in the ids of the counter that it goes into. */
static void translate_key(const struct counter *c, const struct translation *t, u64 *key)
{
	for (u32 cols = c->keyed; cols; cols &= cols - 1) {
		u32 flags = count_columns[__builtin_ctz(cols)].flags;

		key++;
		if (flags & COLUMN_FRAME)
			*key = t->frames[*key];
		else if (flags & COLUMN_STACK)
			*key = t->stacks[*key];
		else if (flags & COLUMN_BLOB)
			*key = t->blobs[*key];
	}
}

static void merge_rows(struct counter *c, const struct translation *t)
{
	struct count_rows *from = &t->from->rows;
	u32 hashes[AHEAD];

	for (size_t i = 0; i < from->nr + AHEAD; i++) {
		if (i >= AHEAD)
			count_rows_add(&c->rows, count_rows_key(from, i - AHEAD), hashes[i % AHEAD],
				       count_rows_sums(from, i - AHEAD));
		if (i >= from->nr)
			continue;
		translate_key(c, t, count_rows_key(from, i));
		hashes[i % AHEAD] = count_columns_hash_key(c, count_rows_key(from, i));
		count_rows_prefetch(&c->rows, hashes[i % AHEAD]);
	}
}

static struct ranked *order_rows(const struct count_rows *rows)
{
	struct ranked *v = xmalloc(rows->nr * sizeof(*v));

	for (size_t i = 0; i < rows->nr; i++)
		v[i] = (struct ranked){ .rank = count_rows_sums(rows, i)->first, .index = (u32)i };
	rank_order(v, rows->nr);
	return v;
}

struct count_merge *count_merge_frames(struct counter *c, struct counter *others, unsigned int nr,
				       unsigned int nr_threads, struct count_order *ret)
{
	struct count_merge *m = xcalloc(1, sizeof(*m) + (nr + 1) * sizeof(*m->parts));
	unsigned int i;

	m->c = c;
	m->nr = nr;
	for (i = 0; i < nr; i++) {
		m->parts[i].from = &others[i];
		merge_frames(c, &m->parts[i]);
	}
	m->parts[nr].from = c;
	ret->frames = m->parts[nr].final_frames = order_frames(&c->frames);
	for (i = 0; i < nr; i++) {
		struct translation *t = &m->parts[i];

		t->final_frames = xmalloc(t->from->frames.nr * sizeof(*t->final_frames));
		for (size_t k = 0; k < t->from->frames.nr; k++)
			t->final_frames[k] = ret->frames[t->frames[k]];
	}
	merge_tails(m);
	parallel_run(nr_threads, nr + 1, translate_stacks, m);
	for (i = 0; i <= nr; i++)
		free(m->parts[i].tails);
	return m;
}

void count_merge_rows(struct count_merge *m, struct count_order *ret)
{
	struct counter *c = m->c;

	for (unsigned int i = 0; i < m->nr; i++) {
		struct translation *t = &m->parts[i];

		t->stacks = merge_blobs(&c->stacks, &t->from->stacks);
		t->blobs = merge_blobs(&c->blobs, &t->from->blobs);
		merge_rows(c, t);
		counter_add_totals(c, t->from);
		free(t->frames);
		free(t->stacks);
		free(t->blobs);
		free(t->final_frames);
	}
	free(m);
	ret->rows = order_rows(&c->rows);
}

void count_order_fini(struct count_order *o)
{
	free(o->frames);
	free(o->rows);
	*o = (struct count_order){ 0 };
}
