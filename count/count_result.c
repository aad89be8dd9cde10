/* SPDX-License-Identifier: MIT */
#include "count/count_result.h"

#include "base/mem.h"
#include "base/rank_order.h"
#include "count/count_columns.h"
#include "count/counts_priv.h"
#include "machine/machine_waits.h"
#include "session/frames.h"

#define AHEAD 16 /* rows between a prefetch and its use */

void count_result_frames(struct counts *c, const struct counter *from, const u32 *ids)
{
	struct counts_priv *p = c->priv;
	size_t i;

	p->first_wait = (u32)from->frames.nr;
	p->nr_frames = from->frames.nr + (p->waits ? PD_NR_OFFCPU : 0);
	p->frames = table_alloc(p->nr_frames * sizeof(*p->frames));
	for (i = p->first_wait; i < p->nr_frames; i++) {
		enum pd_offcpu how = (enum pd_offcpu)(i - p->first_wait);

		p->frames[i].ip = machine_waits_ip(p->waits, how);
		p->frames[i].map = p->waits;
	}
	for (i = 0; i < p->first_wait; i++) {
		const struct count_frame *fr = &from->frames.items[i];
		struct frame *to = &p->frames[ids ? ids[i] : i];

		to->ip = fr->ip;
		to->map = fr->map;
	}
}

/* New numbers for stacks or blobs by their first row. */
struct renumber {
	u32 *ids;
	u32 next;
};

static u32 renumber(struct renumber *n, u64 id)
{
	if (!n->ids || !id)
		return (u32)id;
	if (!n->ids[id])
		n->ids[id] = n->next++;
	return n->ids[id];
}

/* What is behind the rows: where nothing was merged, one share, which is the counter's own. */
struct merged {
	const struct count_order *order;
	struct counter *from;
	unsigned int nr;
	const struct blobs *stacks[COUNT_MAX_SHARES], *blobs[COUNT_MAX_SHARES];
};

static struct merged merged_of(const struct count_order *order, struct counter *from)
{
	struct merged m = { .order = order, .from = from, .nr = order->nr_shares };

	for (unsigned int k = 0; k < m.nr; k++) {
		m.stacks[k] = &order->shares[k].stacks;
		m.blobs[k] = &order->shares[k].blobs;
	}
	if (m.nr)
		return m;
	m.nr = 1;
	m.stacks[0] = &from->stacks;
	m.blobs[0] = &from->blobs;
	return m;
}

static u32 *room_for_ids(const struct merged *m, const struct blobs *const *tables)
{
	size_t most = 0;

	if (!m->order->rows)
		return NULL;
	for (unsigned int k = 0; k < m->nr; k++)
		if (tables[k]->nr > most)
			most = tables[k]->nr;
	return xcalloc(most * m->nr, sizeof(u32));
}

/* Numbers the blobs that no row has, too, and puts all of them into `to` by their numbers. */
static void renumber_blobs(const struct merged *m, struct renumber *n,
			   const struct blobs *const *tables, struct blobs *to)
{
	if (!n->ids)
		return;
	for (unsigned int k = 0; k < m->nr; k++)
		for (size_t i = 1; i < tables[k]->nr; i++)
			(void)renumber(n, count_share_id(m->nr, k, (u32)i));
	blobs_number(to, tables, m->nr, n->ids);
	free(n->ids);
}

/* Elements of count_row.v that rows with these columns have room for. */
static unsigned int width_of(u32 columns)
{
	/* the place behind the last column */
	return columns ? count_place((enum count_column)(32 - __builtin_clz(columns))) : 0;
}

static void put_value(u32 *v, enum count_column col, u64 value)
{
	u32 narrow = (u32)value;

	if (col < COUNT_WIDE)
		v[col] = narrow;
	else
		memcpy(&v[count_place(col)], &value, sizeof(value));
}

/* The words of a row by its index in the order; rows lie in the order of their shares. */
static u32 *row_at(const struct merged *m, size_t at)
{
	return m->order->shares ? m->order->shares[at % m->nr].rows.rows[at / m->nr]
				: count_rows_key(&m->from->rows, at);
}

static void fetch_row(const struct merged *m, size_t at)
{
	const u32 *key = row_at(m, at);

	__builtin_prefetch(key);
	__builtin_prefetch(key + count_rows_width(&m->from->rows) - 1);
}

static void fill_row(const struct merged *m, struct renumber *stacks, struct renumber *blobs,
		     size_t at, struct count_row *to, u32 *v)
{
	u32 *row = row_at(m, at);
	const u32 *key = row;
	const struct count_sums *sums = count_rows_sums_in(&m->from->rows, row);
	u64 value;

	to->event = *key++;
	for (u32 cols = m->from->keyed; cols; cols &= cols - 1) {
		enum count_column col = (enum count_column)__builtin_ctz(cols);

		key = count_key_get(key, col, &value);
		if (count_columns[col].flags & COLUMN_FRAME && m->order->frames)
			value = m->order->frames[value];
		else if (count_columns[col].flags & COLUMN_STACK)
			value = renumber(stacks, value);
		else if (count_columns[col].flags & COLUMN_BLOB)
			value = renumber(blobs, value);
		put_value(v, col, value);
	}
	for (u32 cols = m->from->cfg->first_only; cols; cols &= cols - 1) {
		enum count_column col = (enum count_column)__builtin_ctz(cols);

		key = count_key_get(key, col, &value);
		put_value(v, col, value);
	}
	to->v = v;
	to->samples = sums->samples;
	to->period = sums->period;
	to->first = sums->first >> RANK_BITS;
}

void count_result_rows(struct counts *c, struct counter *from, const struct count_order *order)
{
	const struct merged m = merged_of(order, from);
	struct renumber stacks = { .ids = room_for_ids(&m, m.stacks), .next = 1 };
	struct renumber blobs = { .ids = room_for_ids(&m, m.blobs), .next = 1 };
	const unsigned int width = width_of(from->cfg->columns);
	struct counts_priv *p = c->priv;

	c->nr_rows = order->rows ? order->nr_rows : from->rows.nr;
	c->rows = table_alloc_any(c->nr_rows * sizeof(*c->rows));
	/* up to the last column asked for; a look at those beyond stays in memory that is ours */
	p->values_size = (c->nr_rows * width + 2 * COUNT_COLUMNS) * sizeof(*p->values);
	p->values = table_alloc(p->values_size);
	for (size_t i = 0; i < c->nr_rows; i++) {
		if (order->rows && i + AHEAD < c->nr_rows)
			fetch_row(&m, order->rows[i + AHEAD].index);
		fill_row(&m, &stacks, &blobs, order->rows ? order->rows[i].index : i, &c->rows[i],
			 p->values + i * width);
	}
	renumber_blobs(&m, &stacks, m.stacks, &from->stacks);
	renumber_blobs(&m, &blobs, m.blobs, &from->blobs);
}

void counter_take_window(struct counter *from, struct counts *c)
{
	unsigned int nr_keys = from->rows.nr_keys, nr_first = from->rows.nr_first;

	c->events = from->events;
	c->nr_events = from->nr_events;
	for (size_t i = 0; i < c->nr_events; i++)
		c->stats.nr_samples += c->events[i].samples;
	from->events = NULL;
	from->nr_events = 0;
	c->unwound = from->unwound;
	from->unwound = (struct count_unwound){ 0 };
	c->first_time = from->first_time;
	c->last_time = from->last_time;
	from->first_time = from->last_time = 0;
	blobs_freeze(&from->stacks);
	c->priv->stacks = from->stacks;
	blobs_init(&from->stacks);
	blobs_freeze(&from->blobs);
	c->priv->blobs = from->blobs;
	blobs_init(&from->blobs);
	c->priv->tails = from->tails;
	from->tails = (struct count_tails){ 0 };
	count_rows_fini(&from->rows);
	count_rows_init(&from->rows, nr_keys, nr_first);
}

/* --- times off the CPU as rows of a clock ----------------------------------------------------- */

/* The stack with a frame put before its leaf. known: (stack, frame) -> the stack made for it. */
static u32 stack_below(struct counts_priv *p, struct idmap *known, u64 stack, u32 frame)
{
	struct span old = blobs_get(&p->stacks, stack);
	u32 id = idmap_get(known, stack, frame), *ids;

	if (id != IDMAP_NONE)
		return id;
	ids = blobs_room(&p->stacks, sizeof(*ids) + old.n);
	ids[0] = frame;
	if (old.n)
		memcpy(ids + 1, old.p, old.n);
	id = blobs_append(&p->stacks, ids, sizeof(*ids) + old.n);
	idmap_put(known, stack, frame, id);
	return id;
}

static void move_totals(struct count_totals *from, struct count_totals *to)
{
	to->samples += from->samples;
	to->period += from->period;
	to->filtered += from->filtered;
	to->filtered_period += from->filtered_period;
	if (from->longest_chain > to->longest_chain)
		to->longest_chain = from->longest_chain;
	*from = (struct count_totals){ 0 };
}

void counts_join_waits(struct counts *c, u32 clock)
{
	struct counts_priv *p = c->priv;
	struct idmap known = { 0 };

	for (size_t i = 0; i < c->nr_rows; i++) {
		struct count_row *r = &c->rows[i];
		u32 *v = p->values + (r->v - p->values), frame;

		if (!v[COUNT_OFFCPU] || r->event == clock || clock >= c->nr_events)
			continue;
		frame = p->first_wait + v[COUNT_OFFCPU] - 1;
		move_totals(&c->events[r->event], &c->events[clock]);
		r->event = clock;
		v[COUNT_IP] = frame;
		v[COUNT_CPUMODE] = COUNT_MODE_WAITS;
		if (c->columns >> COUNT_STACK & 1)
			v[COUNT_STACK] = stack_below(p, &known, v[COUNT_STACK], frame);
	}
	idmap_fini(&known);
}
