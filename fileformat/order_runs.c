/* SPDX-License-Identifier: MIT */
#include "fileformat/order_runs.h"

#include <stdlib.h>

#include "fileformat/order.h"

void order_runs_fini(struct order_runs *q)
{
	for (int i = 0; i < 2; i++) {
		free(q->batches[i].e);
		free(q->batches[i].words);
	}
	free(q->runs);
	free(q->heads);
	*q = (struct order_runs){ 0 };
}

/* No more entries are added to the last run. */
static void end_run(struct order_runs *q)
{
	if (!q->is_open)
		return;
	q->is_open = false;
	q->runs[q->nr_runs - 1].end = q->batches[q->filling].nr;
	if (q->open_time > q->max_time)
		q->max_time = q->open_time;
}

void order_runs_begin(struct order_runs *q, u32 file_idx)
{
	size_t at = q->batches[q->filling].nr;

	end_run(q);
	vec_push(q->runs, q->nr_runs, q->cap_runs,
		 ((struct order_run){ q->filling, file_idx, at, at }));
	q->is_open = true;
	q->open_file = file_idx;
	q->open_time = 0;
}

void order_runs_make_due(struct order_runs *q, u64 limit)
{
	end_run(q);
	q->due_limit = limit;
	q->is_due = true;
	vec_reserve(q->heads, q->cap_heads, q->nr_runs);
	for (q->nr_heads = 0; q->nr_heads < q->nr_runs; q->nr_heads++) {
		const struct order_run *run = &q->runs[q->nr_heads];

		q->heads[q->nr_heads] = (struct order_head){
			.time = q->batches[run->batch].e[run->next].time,
			.run = (u32)q->nr_heads,
		};
	}
	for (size_t i = q->nr_heads / 2; i-- > 0;)
		order_sift_down(q, i);
}

void order_runs_end_due(struct order_runs *q)
{
	size_t nr = 0, nr_of[2] = { 0 };

	q->is_due = false;
	for (size_t i = 0; i < q->nr_runs; i++) {
		const struct order_run *run = &q->runs[i];

		if (run->next == run->end)
			continue;
		nr_of[run->batch]++;
		q->runs[nr++] = *run;
	}
	q->nr_runs = nr;
	for (u32 i = 0; i < 2; i++)
		if (!nr_of[i])
			q->batches[i].nr = q->batches[i].nr_words = 0;
	if (!nr_of[!q->filling])
		q->filling = !q->filling;
}

/* ---- short samples ---- */

/* Entries of a run that are still to come, and the words of its short samples. */
struct order_span {
	const struct order_entry *e, *end;
	const u64 *words;
};

static ALWAYS_INLINE struct order_span order_run_span(const struct order_runs *q,
						      const struct order_run *run)
{
	const struct order_batch *b = &q->batches[run->batch];

	return (struct order_span){ b->e + run->next, b->e + run->end, b->words };
}

/*
 * The two runs whose entries come first, the earlier one in the file as a; *ret_bound: the time of
 * the next entry of any other. False: there are no two.
 */
static ALWAYS_INLINE bool order_runs_two(const struct order_runs *q, struct order_run **a,
					 struct order_run **b, u64 *ret_bound)
{
	size_t second = q->nr_heads > 2 && order_is_before(&q->heads[2], &q->heads[1]) ? 2 : 1;
	/* the least of the others is a child of the first or of the second */
	size_t others[] = { 3 - second, 2 * second + 1, 2 * second + 2 };
	u32 x, y;

	if (q->nr_heads < 2)
		return false;
	*ret_bound = UINT64_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i] < q->nr_heads && q->heads[others[i]].time < *ret_bound)
			*ret_bound = q->heads[others[i]].time;
	x = q->heads[0].run;
	y = q->heads[second].run;
	*a = &q->runs[x < y ? x : y];
	*b = &q->runs[x < y ? y : x];
	return true;
}

/* The head of a run has moved: sets it anew, or removes it. */
static ALWAYS_INLINE void order_renew_head(struct order_runs *q, size_t head)
{
	struct order_head *h = &q->heads[head];
	const struct order_run *run = &q->runs[h->run];

	if (run->next < run->end)
		h->time = q->batches[run->batch].e[run->next].time;
	else
		*h = q->heads[--q->nr_heads];
	if (head < q->nr_heads)
		order_sift_down_heap(q, head);
}

/* After order_runs_two(), and a change of `next` in both. */
static ALWAYS_INLINE void order_runs_moved_two(struct order_runs *q)
{
	/* as order_runs_two() chose it; what lies below it is put in order before the top */
	order_renew_head(q, q->nr_heads > 2 && order_is_before(&q->heads[2], &q->heads[1]) ? 2 : 1);
	order_renew_head(q, 0);
}

/*
 * Entries of the run on top come next as long as their times are below the one that is returned:
 * then it is another run's turn, or no more are due. No entry has a time of UINT64_MAX.
 */
static inline u64 order_runs_bound(const struct order_runs *q)
{
	u64 bound = q->due_limit < UINT64_MAX ? q->due_limit + 1 : UINT64_MAX;

	for (size_t i = 1; i < 3 && i < q->nr_heads; i++) {
		const struct order_head *h = &q->heads[i];
		u64 other = h->time + (q->heads->run < h->run);

		if (other < bound)
			bound = other;
	}
	return bound;
}

static ALWAYS_INLINE struct pd_short short_of(struct pd_event *const *events, const u64 *words,
					      const struct order_entry *t)
{
	return (struct pd_short){ .time = t->time,
				  .words = words + t->at,
				  .nr = order_short_words(t),
				  .ev = events[order_short_event(t)] };
}

/* As order_runs_next_shorts(), as long as the next entries are those of two runs. */
static size_t next_of_two(struct order_runs *q, struct pd_event *const *events,
			  struct pd_short *ret, size_t most)
{
	struct order_run *a, *b;
	struct order_span in_a, in_b;
	u64 limit = q->due_limit, bound;
	size_t nr = 0;

	if (!order_runs_two(q, &a, &b, &bound))
		return 0;
	if (bound && bound - 1 < limit)
		limit = bound - 1;
	in_a = order_run_span(q, a);
	in_b = order_run_span(q, b);
	while (nr < most && in_a.e < in_a.end && in_b.e < in_b.end) {
		bool is_a = in_a.e->time <= in_b.e->time;
		const struct order_entry *t = is_a ? in_a.e : in_b.e;

		if (t->time > limit || !(t->place & SHORT))
			break;
		ret[nr++] = short_of(events, is_a ? in_a.words : in_b.words, t);
		in_a.e += is_a;
		in_b.e += !is_a;
	}
	a->next = a->end - (size_t)(in_a.end - in_a.e);
	b->next = b->end - (size_t)(in_b.end - in_b.e);
	order_runs_moved_two(q);
	return nr;
}

/* As order_runs_next_shorts(), as long as the next entries are those of one run. */
static size_t next_of_one(struct order_runs *q, struct pd_event *const *events,
			  struct pd_short *ret, size_t most)
{
	struct order_span in = order_run_span(q, &q->runs[q->heads->run]);
	const struct order_entry *t = in.e;
	u64 bound = order_runs_bound(q);
	size_t nr = 0;

	for (; t < in.end && nr < most && t->time < bound && t->place & SHORT; t++)
		ret[nr++] = short_of(events, in.words, t);
	if (nr)
		order_runs_advance(q, nr);
	return nr;
}

size_t order_runs_next_shorts(struct order_runs *q, struct pd_event *const *events,
			      struct pd_short *ret, size_t most)
{
	size_t nr = 0, n;

	while (nr < most && q->is_due && q->nr_heads) {
		n = next_of_two(q, events, ret + nr, most - nr);
		if (!n)
			n = next_of_one(q, events, ret + nr, most - nr);
		if (!n)
			break;
		nr += n;
	}
	return nr;
}
