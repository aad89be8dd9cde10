/* SPDX-License-Identifier: MIT */
#include "count/count_result.h"

#include "base/mem.h"
#include "base/rank_order.h"
#include "count/count_columns.h"
#include "count/counts_priv.h"
#include "session/frames.h"

void count_result_frames(struct counts *c, const struct counter *from, const u32 *ids)
{
	struct counts_priv *p = c->priv;
	size_t i;

	p->nr_frames = from->frames.nr;
	p->frames = table_alloc(p->nr_frames * sizeof(*p->frames));
	for (i = 0; i < p->nr_frames; i++) {
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

static void renumber_blobs(struct renumber *n, struct blobs *blobs)
{
	if (!n->ids)
		return;
	for (size_t i = 1; i < blobs->nr; i++)
		if (!n->ids[i])
			n->ids[i] = n->next++;
	blobs_renumber(blobs, n->ids);
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

void count_result_rows(struct counts *c, struct counter *from, const struct count_order *order)
{
	struct renumber stacks = { .next = 1 }, blobs = { .next = 1 };
	const u32 columns = from->cfg->columns;
	const unsigned int width = width_of(columns);
	struct counts_priv *p = c->priv;
	size_t i, row;

	if (order->rows) {
		stacks.ids = xcalloc(from->stacks.nr, sizeof(*stacks.ids));
		blobs.ids = xcalloc(from->blobs.nr, sizeof(*blobs.ids));
	}
	c->nr_rows = from->rows.nr;
	c->rows = table_alloc(c->nr_rows * sizeof(*c->rows));
	/* up to the last column asked for; a look at those beyond stays in memory that is ours */
	p->values_size = (c->nr_rows * width + 2 * COUNT_COLUMNS) * sizeof(*p->values);
	p->values = table_alloc(p->values_size);
	for (i = 0; i < c->nr_rows; i++) {
		const struct count_sums *sums;
		struct count_row *to = &c->rows[i];
		u32 *v = p->values + i * width;
		const u64 *key;

		row = order->rows ? order->rows[i].index : i;
		sums = count_rows_sums(&from->rows, row);
		key = count_rows_key(&from->rows, row);
		to->event = (u32)*key++;
		for (u32 cols = from->keyed; cols; cols &= cols - 1) {
			enum count_column col = (enum count_column)__builtin_ctz(cols);
			u64 value = *key++;

			if (count_columns[col].flags & COLUMN_FRAME && order->frames)
				value = order->frames[value];
			else if (count_columns[col].flags & COLUMN_STACK)
				value = renumber(&stacks, value);
			else if (count_columns[col].flags & COLUMN_BLOB)
				value = renumber(&blobs, value);
			put_value(v, col, value);
		}
		for (u32 cols = from->cfg->first_only; cols; cols &= cols - 1)
			put_value(v, (enum count_column)__builtin_ctz(cols), *key++);
		to->v = v;
		to->samples = sums->samples;
		to->period = sums->period;
		to->first = sums->first >> RANK_BITS;
	}
	renumber_blobs(&stacks, &from->stacks);
	renumber_blobs(&blobs, &from->blobs);
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
