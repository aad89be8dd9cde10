/* SPDX-License-Identifier: MIT */
#include "count/count_passage.h"

void count_passage_init(struct count_passage *p, const struct counter *c)
{
	for (size_t k = 0; k < COUNT_RING; k++)
		counter_sample_init(c, &p->ready[k]);
}

void count_passage_fini(struct count_passage *p)
{
	for (size_t k = 0; k < COUNT_RING; k++)
		counter_sample_fini(&p->ready[k]);
}

/* Reads the next group of samples; how many there are, *ret_more: others may follow. */
static size_t read_group(struct count_passage *p, struct counter *c, bool swap,
			 bool (*next)(void *ctx, struct count_passing *ret), void *ctx,
			 bool *ret_more)
{
	size_t at = p->nr % COUNT_RING, n = 0;
	struct count_passing in;
	struct perr e;

	while (n < COUNTER_AHEAD && (*ret_more = next(ctx, &in))) {
		struct counter_sample *cs = &p->ready[at + n];

		cs->ev = in.ev;
		cs->s = &p->samples[at + n];
		cs->task = in.task;
		cs->rank = in.rank;
		if (pd_read_sample(cs->ev, &in.rec, swap, &p->samples[at + n], &e))
			counter_add_broken(c, &in.rec, &e, in.rank);
		else
			n++;
	}
	return n;
}

static void count_group(struct counter *c, struct count_passage *p, size_t n)
{
	/* frames that were unwound have their ids already, and new ones get theirs in order */
	const size_t unnamed = c->user ? 0 : COUNT_UNNAMED;

	counter_unwind_ahead(c, &p->ready[p->nr % COUNT_RING], n);
	while (n--) {
		struct counter_sample *cs = &p->ready[p->nr % COUNT_RING];

		counter_prepare(c, cs, cs->ev, cs->s, cs->task, cs->rank);
		if (++p->nr - p->named > unnamed)
			counter_name(c, &p->ready[p->named++ % COUNT_RING]);
		if (p->nr - p->done == COUNT_PREPARED) {
			counter_fetch(c, &p->ready[(p->done + COUNT_FETCHED) % COUNT_RING]);
			counter_fetch_bytes(c, &p->ready[(p->done + 1) % COUNT_RING]);
			counter_count(c, &p->ready[p->done++ % COUNT_RING]);
		}
	}
}

void count_passage_run(struct count_passage *p, struct counter *c, bool swap,
		       bool (*next)(void *ctx, struct count_passing *ret), void *ctx)
{
	bool more = true;
	size_t n;

	p->nr = p->named = p->done = 0;
	while (more) {
		n = read_group(p, c, swap, next, ctx, &more);
		count_group(c, p, n);
	}
	counter_unwind_ahead(c, NULL, 0);
	while (p->named < p->nr)
		counter_name(c, &p->ready[p->named++ % COUNT_RING]);
	while (p->done < p->nr)
		counter_count(c, &p->ready[p->done++ % COUNT_RING]);
}
