/* SPDX-License-Identifier: MIT */
/*
 * Entries of records that wait for their turn. Every ring has its records in order of time, so what
 * waits consists of a few runs, which are merged when they are due. With FINISHED_ROUND number k,
 * all that was read before number k-1 becomes due, so that two batches take turns and no entry is
 * moved. For fileformat/ only.
 */
#ifndef FILEFORMAT_ORDER_RUNS_H
#define FILEFORMAT_ORDER_RUNS_H

#include "base/mem.h"
#include "base/types.h"

#define SHORT UINT32_MAX

/* A record that waits for its turn. Type, misc and size are read from its header again later. */
struct order_entry {
	u64 time;
	u32 place; /* SHORT: a short sample, at words[at] of the batch */
	u32 at;    /* bytes behind the place's start */
};

/* The entries of a round, and the words of its short samples. */
struct order_batch {
	struct order_entry *e;
	size_t nr, cap;
	u64 *words; /* of each one: its event's idx and their number, then the words */
	size_t nr_words, cap_words;
};

/* Entries [next, end) of a batch, in order of time and of the file. */
struct order_run {
	u32 batch, file_idx;
	size_t next, end;
};

/* A run by the time of its next entry. */
struct order_head {
	u64 time;
	u32 run;
};

/* All zero: empty. Entries are added until some become due, and again when those are given out. */
struct order_runs {
	struct order_batch batches[2];
	u32 filling;            /* the batch that new entries go to */
	struct order_run *runs; /* in order of the file */
	size_t nr_runs, cap_runs;
	struct order_head *heads; /* a heap of runs, the next entry on top; while entries are due */
	size_t nr_heads, cap_heads;
	bool is_due; /* entries up to due_limit are given out now, none are added */
	u64 due_limit;
	u64 max_time; /* largest time added so far */
};

void order_runs_fini(struct order_runs *q);
/* Makes all entries due whose time is at most `limit`. */
void order_runs_make_due(struct order_runs *q, u64 limit);
/* After order_runs_next() has returned false: entries can be added again. */
void order_runs_end_due(struct order_runs *q);

/* Adds an entry to the batch that is being filled, which belongs to data file file_idx. */
static inline void order_runs_add(struct order_runs *q, u32 file_idx, struct order_entry e)
{
	struct order_batch *b = &q->batches[q->filling];
	struct order_run *run = q->nr_runs ? &q->runs[q->nr_runs - 1] : NULL;

	if (!run || run->batch != q->filling || run->file_idx != file_idx ||
	    b->e[b->nr - 1].time > e.time)
		vec_push(q->runs, q->nr_runs, q->cap_runs,
			 ((struct order_run){ q->filling, file_idx, b->nr, b->nr }));
	if (e.time > q->max_time)
		q->max_time = e.time;
	vec_push(b->e, b->nr, b->cap, e);
	q->runs[q->nr_runs - 1].end = b->nr;
}

/* True if head a comes before head b: by time, and by their places in the file. */
static inline bool order_is_before(const struct order_head *a, const struct order_head *b)
{
	return a->time != b->time ? a->time < b->time : a->run < b->run;
}

/* Moves head i down the heap to where it belongs. */
static inline void order_sift_down(struct order_runs *q, size_t i)
{
	struct order_head *h = q->heads, moved = h[i];
	size_t child;

	while ((child = 2 * i + 1) < q->nr_heads) {
		if (child + 1 < q->nr_heads && order_is_before(&h[child + 1], &h[child]))
			child++;
		if (!order_is_before(&h[child], &moved))
			break;
		h[i] = h[child];
		i = child;
	}
	h[i] = moved;
}

/* An entry whose turn has come. */
struct order_turn {
	const struct order_batch *batch;
	const struct order_entry *entry;
	size_t nr_behind; /* entries that follow it in its run */
};

/* Whether an entry is due, and lies at this place. */
static inline bool order_runs_has_next(const struct order_runs *q, u32 place)
{
	const struct order_run *run;

	if (!q->nr_heads || q->heads->time > q->due_limit)
		return false;
	run = &q->runs[q->heads->run];
	return q->batches[run->batch].e[run->next].place == place;
}

/* Gives out the next entry that is due, or returns false. */
static inline __attribute__((always_inline)) bool order_runs_next(struct order_runs *q,
								  struct order_turn *ret)
{
	struct order_head *top = q->heads;
	struct order_run *run;

	if (!q->nr_heads || top->time > q->due_limit)
		return false;
	run = &q->runs[top->run];
	ret->batch = &q->batches[run->batch];
	ret->entry = &ret->batch->e[run->next++];
	ret->nr_behind = run->end - run->next;
	if (ret->nr_behind)
		top->time = ret->entry[1].time;
	else
		*top = q->heads[--q->nr_heads];
	order_sift_down(q, 0);
	return true;
}

#endif
