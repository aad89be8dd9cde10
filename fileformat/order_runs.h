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

#define ALWAYS_INLINE inline __attribute__((always_inline))

/*
 * A short sample lies in the words of its batch. In place of a place it has this bit, the number of
 * its words, and its event's idx, which is below SHORT_EVENTS.
 */
#define SHORT (1u << 31)
#define SHORT_NR_SHIFT 25
#define SHORT_EVENTS (1u << SHORT_NR_SHIFT)

/* A record that waits for its turn. Type, misc and size are read from its header again later. */
struct order_entry {
	u64 time;
	u32 place; /* with SHORT: a short sample, at words[at] of the batch */
	u32 at;    /* bytes behind the place's start */
};

static inline u32 order_short_words(const struct order_entry *q)
{
	return (q->place & ~SHORT) >> SHORT_NR_SHIFT;
}

static inline u32 order_short_event(const struct order_entry *q)
{
	return q->place % SHORT_EVENTS;
}

/* The entries of a round, and the words of its short samples. */
struct order_batch {
	struct order_entry *e;
	size_t nr, cap;
	u64 *words;
	size_t nr_words, cap_words;
};

/* Entries [next, end) of a batch, in order of time and of the file. Where entries are added, `end`
 * is not known. */
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
	bool is_open; /* entries are added to the last run; the last one has open_time */
	u32 open_file;
	u64 open_time;
	struct order_head *heads; /* a heap of runs, the next entry on top; while entries are due */
	size_t nr_heads, cap_heads;
	bool is_due; /* entries up to due_limit are given out now, none are added */
	u64 due_limit;
	u64 max_time; /* largest time added so far, but to the run that is open */
};

void order_runs_fini(struct order_runs *q);
/* Makes all entries due whose time is at most `limit`. */
void order_runs_make_due(struct order_runs *q, u64 limit);
/* After order_runs_next() has returned false: entries can be added again. */
void order_runs_end_due(struct order_runs *q);

/* Begins a run where the next entry will be. */
void order_runs_begin(struct order_runs *q, u32 file_idx);

/* Adds an entry to the batch that is being filled, which belongs to data file file_idx. */
static ALWAYS_INLINE void order_runs_add(struct order_runs *q, u32 file_idx, u64 time, u32 place,
					 u32 at)
{
	struct order_batch *b = &q->batches[q->filling];

	if (!q->is_open || q->open_file != file_idx || time < q->open_time)
		order_runs_begin(q, file_idx);
	q->open_time = time;
	vec_push(b->e, b->nr, b->cap, ((struct order_entry){ time, place, at }));
}

/* True if head a comes before head b: by time, and by their places in the file. */
static inline bool order_is_before(const struct order_head *a, const struct order_head *b)
{
	return a->time != b->time ? a->time < b->time : a->run < b->run;
}

/* As order_sift_down(), of more than two runs. */
static inline void order_sift_down_heap(struct order_runs *q, size_t i)
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

/* Moves head i down the heap to where it belongs. */
static inline void order_sift_down(struct order_runs *q, size_t i)
{
	/* most often there is one run, or two */
	if (q->nr_heads <= 2) {
		if (q->nr_heads == 2 && order_is_before(&q->heads[1], &q->heads[0])) {
			struct order_head first = q->heads[1];

			q->heads[1] = q->heads[0];
			q->heads[0] = first;
		}
		return;
	}
	order_sift_down_heap(q, i);
}

/* An entry whose turn has come. */
struct order_turn {
	const struct order_batch *batch;
	const struct order_entry *entry;
	size_t nr_behind; /* entries that follow it in its run */
};

/* Moves on by nr entries of the run on top, which has so many. */
static ALWAYS_INLINE void order_runs_advance(struct order_runs *q, size_t nr)
{
	struct order_head *top = q->heads;
	struct order_run *run = &q->runs[top->run];

	run->next += nr;
	if (run->next < run->end)
		top->time = q->batches[run->batch].e[run->next].time;
	else
		*top = q->heads[--q->nr_heads];
	order_sift_down(q, 0);
}

/* Gives out the next entry that is due, or returns false. */
static ALWAYS_INLINE bool order_runs_next(struct order_runs *q, struct order_turn *ret)
{
	const struct order_run *run;

	if (!q->nr_heads || q->heads->time > q->due_limit)
		return false;
	run = &q->runs[q->heads->run];
	ret->batch = &q->batches[run->batch];
	ret->entry = &ret->batch->e[run->next];
	ret->nr_behind = run->end - run->next - 1;
	order_runs_advance(q, 1);
	return true;
}

struct pd_event;
struct pd_short;
/* See pd_order_next_shorts(). events: of the recording, by idx. */
size_t order_runs_next_shorts(struct order_runs *q, struct pd_event *const *events,
			      struct pd_short *ret, size_t most);

#endif
