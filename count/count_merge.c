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
	u32 *final_frames;                      /* final frame id by the counter's own id */
	u32 *tails;                             /* final tail number by the counter's own */
	u32 *hashes;                            /* of rows */
	u32 *rows;                              /* those of each share together, in their order */
	size_t first_row[COUNT_MAX_SHARES + 1]; /* in `rows`, by share */
};

struct count_merge {
	struct counter *c;
	unsigned int nr;
	struct count_share *shares;
	unsigned int nr_shares;
	bool keeps_apart;           /* what one counter tells apart, the merge tells apart */
	u8 *met[COUNT_MAX_SHARES];  /* by share and stack in it: the stack came more than once */
	struct translation parts[]; /* [nr] is c itself */
};

static void merge_frames(struct counter *c, struct translation *t)
{
	const struct count_frames *from = &t->from->frames;

	t->frames = xmalloc(from->nr * sizeof(*t->frames));
	for (size_t i = 0; i < from->nr; i++) {
		if (i + AHEAD < from->nr)
			count_frames_prefetch(&c->frames, &from->items[i + AHEAD]);
		if (i + AHEAD / 2 < from->nr)
			count_frames_prefetch_equal(&c->frames, &from->items[i + AHEAD / 2]);
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

/* The final ids of a counter's frames, by its own. */
static void finish_frames(void *ctx, size_t i)
{
	struct count_merge *m = ctx;
	struct translation *t = &m->parts[i];
	const u32 *final = m->parts[m->nr].final_frames;

	t->final_frames = xmalloc(t->from->frames.nr * sizeof(*t->final_frames));
	for (size_t k = 0; k < t->from->frames.nr; k++)
		t->final_frames[k] = final[t->frames[k]];
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

/* --- shares ----------------------------------------------------------------------------------- */

/* By the upper bits, as tables look at the lower ones. */
static unsigned int share_of(const struct count_merge *m, u32 hash)
{
	return (unsigned int)((u64)hash * m->nr_shares >> 32);
}

/* Entries whose slots are being fetched. */
struct ahead {
	u32 v[AHEAD];
	size_t nr, done;
};

/* Puts one more entry in; true, with the oldest in *ret, if there are more than can wait. */
static bool push_ahead(struct ahead *a, u32 entry, u32 *ret)
{
	bool full = a->nr - a->done == AHEAD;

	if (full)
		*ret = a->v[a->done++ % AHEAD];
	a->v[a->nr++ % AHEAD] = entry;
	return full;
}

static bool pop_ahead(struct ahead *a, u32 *ret)
{
	if (a->done == a->nr)
		return false;
	*ret = a->v[a->done++ % AHEAD];
	return true;
}

/* Blobs of one share, brought together. */
struct blob_share {
	const struct count_merge *m;
	unsigned int share;
	struct blobs *to;
	u8 *met; /* by id in `to`: it came more than once; NULL: nobody asks */
};

static u32 adopt(const struct blob_share *s, const struct blob *b)
{
	size_t nr = s->to->nr;
	u32 id = blobs_adopt(s->to, b);

	if (s->met && s->to->nr == nr)
		s->met[id] = true;
	return count_share_id(s->m->nr_shares, s->share, id);
}

/* Adopts those of a counter's blobs that belong to the share, and notes their new ids. */
static void share_blobs(const struct blob_share *s, const struct blobs *from, u32 *ids)
{
	struct ahead a = { 0 };
	u32 now;

	for (size_t i = 1; i < from->nr; i++) {
		u32 check = from->items[i].check;

		if (share_of(s->m, check) != s->share)
			continue;
		blobs_prefetch(s->to, check);
		if (push_ahead(&a, (u32)i, &now))
			ids[now] = adopt(s, &from->items[now]);
	}
	while (pop_ahead(&a, &now))
		ids[now] = adopt(s, &from->items[now]);
}

static void merge_blobs(void *ctx, size_t share)
{
	struct count_merge *m = ctx;
	struct count_share *s = &m->shares[share];
	size_t nr_stacks = 0, nr_blobs = 0;
	struct blob_share stacks, blobs;

	for (unsigned int i = 0; i <= m->nr; i++) {
		nr_stacks += m->parts[i].from->stacks.nr;
		nr_blobs += m->parts[i].from->blobs.nr;
	}
	m->met[share] = xcalloc(nr_stacks + 1, 1);
	blobs_init_for(&s->stacks, nr_stacks / m->nr_shares);
	blobs_init_for(&s->blobs, nr_blobs / m->nr_shares);
	stacks = (struct blob_share){ m, (unsigned int)share, &s->stacks, m->met[share] };
	blobs = (struct blob_share){ m, (unsigned int)share, &s->blobs, NULL };
	for (unsigned int i = 0; i <= m->nr; i++) {
		struct translation *t = &m->parts[i];

		share_blobs(&stacks, &t->from->stacks, t->stacks);
		share_blobs(&blobs, &t->from->blobs, t->blobs);
	}
	blobs_freeze(&s->stacks);
	blobs_freeze(&s->blobs);
}

static void hash_rows(void *ctx, size_t k)
{
	struct count_merge *m = ctx;
	struct translation *t = &m->parts[k];
	const struct count_rows *rows = &t->from->rows;
	size_t next[COUNT_MAX_SHARES];

	t->hashes = table_alloc_any((rows->nr + 1) * sizeof(*t->hashes));
	t->rows = table_alloc_any((rows->nr + 1) * sizeof(*t->rows));
	for (size_t i = 0; i < rows->nr; i++) {
		t->hashes[i] = count_columns_hash_key(t->from, count_rows_key(rows, i));
		t->first_row[share_of(m, t->hashes[i]) + 1]++;
	}
	for (unsigned int s = 0; s < m->nr_shares; s++)
		next[s] = t->first_row[s + 1] += t->first_row[s];
	/* from the last row on, so that next[] ends where the shares begin */
	for (size_t i = rows->nr; i--;)
		t->rows[--next[share_of(m, t->hashes[i])]] = (u32)i;
}

/*
 * A row's key in the ids of shares and of the counter whose frames are merged. Returns its stack, 0
 * for none.
 */
static u32 translate_key(const struct counter *c, const struct translation *t, u32 *key)
{
	u32 stack = 0;

	key++;
	for (u32 cols = c->keyed; cols; cols &= cols - 1) {
		enum count_column col = (enum count_column)__builtin_ctz(cols);
		u32 flags = count_columns[col].flags;

		/* ids fit into the first word */
		if (flags & COLUMN_FRAME && t->frames)
			*key = t->frames[*key];
		else if (flags & COLUMN_STACK)
			stack = *key = t->stacks[*key];
		else if (flags & COLUMN_BLOB)
			*key = t->blobs[*key];
		key += count_key_words(1u << col);
	}
	return stack;
}

/* Whether a row with this stack may equal one of another counter. */
static bool may_meet(const struct count_merge *m, u32 stack)
{
	return !stack || !m->keeps_apart || m->met[stack % m->nr_shares][stack / m->nr_shares];
}

static void add_row(const struct count_merge *m, struct row_share *to, const struct translation *t,
		    u32 row)
{
	u32 *key = count_rows_key(&t->from->rows, row);

	if (may_meet(m, translate_key(m->c, t, key)))
		row_share_add(to, key, t->hashes[row]);
	else
		row_share_append(to, key);
}

static void merge_rows(void *ctx, size_t share)
{
	struct count_merge *m = ctx;
	struct row_share *rows = &m->shares[share].rows;
	size_t most = 0;
	u32 now;

	for (unsigned int k = 0; k <= m->nr; k++)
		most += m->parts[k].first_row[share + 1] - m->parts[k].first_row[share];
	row_share_init(rows, &m->c->rows, most);
	for (unsigned int k = 0; k <= m->nr; k++) {
		const struct translation *t = &m->parts[k];
		struct ahead a = { 0 };

		for (size_t i = t->first_row[share]; i < t->first_row[share + 1]; i++) {
			row_share_prefetch(rows, t->hashes[t->rows[i]]);
			if (push_ahead(&a, t->rows[i], &now))
				add_row(m, rows, t, now);
		}
		while (pop_ahead(&a, &now))
			add_row(m, rows, t, now);
	}
	row_share_freeze(rows);
}

/* Rows of all shares, one share behind the other. */
struct row_list {
	const struct count_merge *m;
	struct ranked *v;
	size_t start[COUNT_MAX_SHARES]; /* by share */
};

static void list_rows(void *ctx, size_t share)
{
	const struct row_list *l = ctx;
	const struct count_merge *m = l->m;
	const struct row_share *s = &m->shares[share].rows;
	struct ranked *v = l->v + l->start[share];

	for (size_t i = 0; i < s->nr; i++)
		v[i] = (struct ranked){
			.rank = count_rows_sums_in(&m->c->rows, s->rows[i])->first,
			.index = (u32)(i * m->nr_shares + share),
		};
}

static struct ranked *order_rows(const struct count_merge *m, unsigned int nr_threads,
				 size_t *ret_nr)
{
	struct row_list l = { .m = m };
	size_t nr = 0;

	for (unsigned int k = 0; k < m->nr_shares; k++) {
		l.start[k] = nr;
		nr += m->shares[k].rows.nr;
	}
	l.v = table_alloc_any(nr * sizeof(*l.v));
	parallel_run(nr_threads, m->nr_shares, list_rows, &l);
	rank_order(l.v, nr);
	*ret_nr = nr;
	return l.v;
}

/* --- the merge -------------------------------------------------------------------------------- */

struct count_merge *count_merge_frames(struct counter *c, struct counter *others, unsigned int nr,
				       unsigned int nr_threads, bool keeps_apart,
				       struct count_order *ret)
{
	struct count_merge *m = xcalloc(1, sizeof(*m) + (nr + 1) * sizeof(*m->parts));
	unsigned int i;

	m->c = c;
	m->nr = nr;
	m->keeps_apart = keeps_apart;
	for (i = 0; i < nr; i++) {
		m->parts[i].from = &others[i];
		merge_frames(c, &m->parts[i]);
	}
	m->parts[nr].from = c;
	ret->frames = m->parts[nr].final_frames = order_frames(&c->frames);
	parallel_run(nr_threads, nr, finish_frames, m);
	merge_tails(m);
	parallel_run(nr_threads, nr + 1, translate_stacks, m);
	for (i = 0; i <= nr; i++)
		free(m->parts[i].tails);
	return m;
}

/* Takes what a counter had before: its rows to *ret, the memory of its stacks and blobs to c. */
static void empty_counter(struct counter *c, struct counter *from, struct count_rows *ret)
{
	*ret = from->rows;
	count_rows_init(&from->rows, ret->nr_keys, ret->nr_first);
	if (from == c)
		return;
	blobs_take_blocks(&c->stacks, &from->stacks);
	blobs_take_blocks(&c->blobs, &from->blobs);
	counter_add_totals(c, from);
}

void count_merge_rows(struct count_merge *m, unsigned int nr_threads, struct count_order *ret)
{
	m->nr_shares = nr_threads < COUNT_MAX_SHARES ? nr_threads : COUNT_MAX_SHARES;
	m->shares = xcalloc(m->nr_shares, sizeof(*m->shares));
	ret->nr_kept = m->nr + 1;
	ret->kept = xcalloc(ret->nr_kept, sizeof(*ret->kept));
	for (unsigned int i = 0; i <= m->nr; i++) {
		struct translation *t = &m->parts[i];

		counter_freeze(t->from);
		t->stacks = xcalloc(t->from->stacks.nr, sizeof(*t->stacks));
		t->blobs = xcalloc(t->from->blobs.nr, sizeof(*t->blobs));
	}
	parallel_run(nr_threads, m->nr + 1, hash_rows, m);
	parallel_run(nr_threads, m->nr_shares, merge_blobs, m);
	parallel_run(nr_threads, m->nr_shares, merge_rows, m);
	for (unsigned int i = 0; i <= m->nr; i++) {
		struct translation *t = &m->parts[i];

		table_free(t->hashes, (t->from->rows.nr + 1) * sizeof(*t->hashes));
		table_free(t->rows, (t->from->rows.nr + 1) * sizeof(*t->rows));
		empty_counter(m->c, t->from, &ret->kept[i]);
		free(t->frames);
		free(t->stacks);
		free(t->blobs);
		if (t->from != m->c)
			free(t->final_frames);
	}
	for (unsigned int k = 0; k < m->nr_shares; k++)
		free(m->met[k]);
	ret->rows = order_rows(m, nr_threads, &ret->nr_rows);
	ret->shares = m->shares;
	ret->nr_shares = m->nr_shares;
	free(m);
}

void count_order_fini(struct count_order *o)
{
	free(o->frames);
	table_free(o->rows, o->nr_rows * sizeof(*o->rows));
	for (unsigned int i = 0; i < o->nr_shares; i++) {
		blobs_fini(&o->shares[i].stacks);
		blobs_fini(&o->shares[i].blobs);
		row_share_fini(&o->shares[i].rows);
	}
	free(o->shares);
	for (unsigned int i = 0; i < o->nr_kept; i++)
		count_rows_fini(&o->kept[i]);
	free(o->kept);
	*o = (struct count_order){ 0 };
}
