/* SPDX-License-Identifier: MIT */
/*
 * The way of samples through the steps of a counter, several under way at a time: each step
 * prefetches the memory of the next, which takes that long to arrive. One thread uses a passage.
 */
#ifndef COUNT_COUNT_PASSAGE_H
#define COUNT_COUNT_PASSAGE_H

#include "count/counter.h"

/*
 * Each sample is prepared, then named, then counted. PREPARED samples are under way at a time, of
 * which the last UNNAMED have no names yet. What is reached through two tables takes a step of its
 * own, FETCHED samples before it is counted; what is reached through three, one sample before.
 * Samples are read in groups whose stacks are unwound side by side.
 */
#define COUNT_PREPARED 6
#define COUNT_UNNAMED 2
#define COUNT_FETCHED 2
/* Room for those and one more group; groups do not wrap around. */
#define COUNT_RING ((COUNT_PREPARED + 2 * COUNTER_AHEAD - 1) / COUNTER_AHEAD * COUNTER_AHEAD)

struct count_passage {
	struct counter_sample ready[COUNT_RING];
	struct pd_sample samples[COUNT_RING];
	size_t nr, named, done;
};

void count_passage_init(struct count_passage *p, const struct counter *c);
void count_passage_fini(struct count_passage *p);

/* A sample that is to pass; ev and task are borrowed until all have passed. */
struct count_passing {
	struct pd_record rec;
	const struct pd_event *ev;
	const struct count_task *task;
	u64 rank;
};

/* Counts the samples that next() gives until it returns false. Damaged ones are noted. */
void count_passage_run(struct count_passage *p, struct counter *c, bool swap,
		       bool (*next)(void *ctx, struct count_passing *ret), void *ctx);

#endif
