/* SPDX-License-Identifier: MIT */
/* Adds up the figures of a histogram's entries. */
#include "count/counts.h"
#include "report/table/hist.h"

#define AHEAD 8      /* frames of a stack between a prefetch and its use */
#define ROWS_AHEAD 4 /* rows between a prefetch and its use */

static void add_parts(const struct hist_data *d, struct hist_stat *s, const struct count_row *r)
{
	u64 period = hist_period(d, r);

	switch (hist_value(d, r, COUNT_CPUMODE)) {
	case PD_CPUMODE_KERNEL: s->sys += period; break;
	case PD_CPUMODE_USER: s->us += period; break;
	case PD_CPUMODE_GUEST_KERNEL: s->guest_sys += period; break;
	case PD_CPUMODE_GUEST_USER: s->guest_us += period; break;
	}
	s->latency += hist_latency(d, r);
	s->acc_latency += hist_latency(d, r);
	s->weights[0] += (double)hist_value(d, r, COUNT_WEIGHT) * (double)r->samples;
	s->weights[1] += (double)hist_value(d, r, COUNT_INS_LAT) * (double)r->samples;
	s->weights[2] += (double)hist_value(d, r, COUNT_WEIGHT3) * (double)r->samples;
}

static void add_own_stat(const struct hist *h, struct hist_stat *s, const struct count_row *r)
{
	u64 period = hist_period(h->d, r);

	s->period += period;
	s->samples += r->samples;
	s->acc_period += period;
	if (h->stat_size == sizeof(*s))
		add_parts(h->d, s, r);
}

static void note_chain(struct hist_count *c, u32 depth)
{
	if (depth > c->depth)
		c->depth = depth;
	c->nr_uses += !!depth;
}

/* Prefetches h->seen for a later frame of the stack, and the counts of a nearer one. */
static void fetch_ahead(const struct hist *h, const struct hist_stack *st, u32 i, bool from_root)
{
	if (st->nr - i > 2 * AHEAD)
		__builtin_prefetch(
			&h->seen[0]
				[st->ids[from_root ? st->nr - 1 - i - 2 * AHEAD : i + 2 * AHEAD]]);
	if (st->nr - i > AHEAD)
		__builtin_prefetch(
			&h->counts[h->seen[0]
					  [st->ids[from_root ? st->nr - 1 - i - AHEAD : i + AHEAD]]
						  .entry]);
}

/* The number of frames from frame i (in the order of display) to the end of the stack. */
static u32 depth_from(const struct hist_stack *st, u32 i, bool from_root)
{
	return st->nr - i + (from_root && i >= st->turn ? 0 : st->more);
}

/* Adds the row's period to each caller's entry once, at the caller's first frame in display order.
 */
static void add_callers(struct hist *h, size_t event, u32 row, const struct hist_stack *st,
			u32 row_ids)
{
	struct key_place p = { .own = false };
	const struct count_row *r = &h->d->counts->rows[row];
	u64 latency = h->stat_size == sizeof(struct hist_stat) ? hist_latency(h->d, r) : 0;
	bool from_root = h->order == CHAIN_CALLER;

	for (u32 i = 0; i < st->nr; i++) {
		struct hist_count *c;
		u32 entry;

		fetch_ahead(h, st, i, from_root);
		p.frame = st->ids[from_root ? st->nr - 1 - i : i];
		entry = hist_entry_of(h, row_ids, &p);
		c = &h->counts[entry];
		if (c->last_row == row + 1)
			continue;
		c->last_row = row + 1;
		c->acc_period += r->period;
		if (latency)
			hist_stat_at(h, h->stats, (size_t)entry * h->nr_events + event)
				->acc_latency += latency;
		if (!event) /* a group shows its leader's chains */
			note_chain(c, depth_from(st, i, from_root));
	}
}

static void add_row(struct hist *h, size_t event, u32 row, const struct hist_stack *st)
{
	const struct count_row *r = &h->d->counts->rows[row];
	struct key_place p = { .frame = st->own, .own = true };
	u32 row_ids = h->row_ids_of[row] - 1;
	u32 at = hist_find_entry(h, row_ids, &p);

	add_own_stat(h, hist_stat_at(h, h->stats, at * h->nr_events + event), r);
	h->counts[at].last_row = row + 1;
	if (!event)
		note_chain(&h->counts[at], st->nr + st->more);
	if (h->children)
		add_callers(h, event, row, st, row_ids);
}

/* Rows on their way: the memory of their first frames is fetched, in two steps. */
struct rows_ahead {
	struct hist *h;
	size_t event;
	struct {
		u32 row;
		struct hist_stack st;
	} rows[2 * ROWS_AHEAD];
	size_t nr, fetched, done;
};

/* How many callers of a stack are fetched here; add_callers() fetches those after them. */
static u32 nr_first(const struct hist *h, const struct hist_stack *st)
{
	if (!h->children)
		return 0;
	return st->nr < 2 * AHEAD ? st->nr : 2 * AHEAD;
}

static u32 frame_at(const struct hist *h, const struct hist_stack *st, u32 i)
{
	return st->ids[h->order == CHAIN_CALLER ? st->nr - 1 - i : i];
}

static void fetch_seen(const struct hist *h, const struct hist_stack *st)
{
	__builtin_prefetch(&h->seen[true][st->own]);
	for (u32 i = 0; i < nr_first(h, st); i++)
		__builtin_prefetch(&h->seen[false][frame_at(h, st, i)]);
}

/* What h->seen, which has arrived, says where the figures are. */
static void fetch_figures(const struct hist *h, size_t event, const struct hist_stack *st)
{
	u32 own = h->seen[true][st->own].entry;

	__builtin_prefetch(hist_stat_at(h, h->stats, own * h->nr_events + event), 1);
	__builtin_prefetch(&h->counts[own], 1);
	for (u32 i = 0; i < nr_first(h, st); i++)
		__builtin_prefetch(&h->counts[h->seen[false][frame_at(h, st, i)].entry], 1);
}

/* Lets the oldest rows go on until at most `left` are on their way. */
static void go_on(struct rows_ahead *a, size_t left)
{
	while (a->nr - a->fetched > left / 2) {
		size_t at = a->fetched++ % ARRAY_SIZE(a->rows);

		fetch_figures(a->h, a->event, &a->rows[at].st);
	}
	while (a->nr - a->done > left) {
		size_t at = a->done++ % ARRAY_SIZE(a->rows);

		add_row(a->h, a->event, a->rows[at].row, &a->rows[at].st);
	}
}

static void push_row(struct rows_ahead *a, u32 row)
{
	size_t at = a->nr++ % ARRAY_SIZE(a->rows);

	a->rows[at].row = row;
	a->rows[at].st = hist_stack_of(a->h->stacks, row);
	hist_stacks_fetch(a->h->stacks, row);
	fetch_seen(a->h, &a->rows[at].st);
	go_on(a, ARRAY_SIZE(a->rows) - 1);
}

/* Adds what was counted for callers to the entries' figures. */
static void take_counts(struct hist *h, size_t event)
{
	for (size_t i = 0; i < h->nr; i++) {
		hist_stat_at(h, h->stats, i * h->nr_events + event)->acc_period +=
			h->counts[i].acc_period;
		h->counts[i].acc_period = 0;
	}
}

void hist_count(struct hist *h)
{
	const struct counts *c = h->d->counts;

	for (size_t ev = 0; ev < h->nr_events; ev++) {
		struct rows_ahead a = { .h = h, .event = ev };

		for (size_t i = 0; i < c->nr_rows; i++)
			if (c->rows[i].event == h->events[ev] && h->row_ids_of[i])
				push_row(&a, (u32)i);
		go_on(&a, 0);
		take_counts(h, ev);
	}
}
