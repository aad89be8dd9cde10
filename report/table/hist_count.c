/* SPDX-License-Identifier: MIT */
/* Adds up the figures of a histogram's entries. */
#include "count/counts.h"
#include "report/table/hist.h"

#define AHEAD 8 /* frames of a stack between a prefetch and its use */

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

static void add_row(struct hist *h, size_t event, u32 row)
{
	const struct count_row *r = &h->d->counts->rows[row];
	struct hist_stack st = hist_stack_of(h->stacks, row);
	struct key_place p = { .frame = st.own, .own = true };
	u32 row_ids = h->row_ids_of[row] - 1;
	u32 at = hist_find_entry(h, row_ids, &p);

	hist_stacks_fetch(h->stacks, row);
	add_own_stat(h, hist_stat_at(h, h->stats, at * h->nr_events + event), r);
	h->counts[at].last_row = row + 1;
	if (!event)
		note_chain(&h->counts[at], st.nr + st.more);
	if (h->children)
		add_callers(h, event, row, &st, row_ids);
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
		for (size_t i = 0; i < c->nr_rows; i++)
			if (c->rows[i].event == h->events[ev] && h->row_ids_of[i])
				add_row(h, ev, (u32)i);
		take_counts(h, ev);
	}
}
