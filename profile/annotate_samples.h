/* SPDX-License-Identifier: MIT */
/* Counted samples by function and address: the cost of each instruction. */
#ifndef PROFILE_ANNOTATE_SAMPLES_H
#define PROFILE_ANNOTATE_SAMPLES_H

#include "base/types.h"

struct counts;
struct map;

/* Samples of one event at one address. */
struct annot_hit {
	u64 addr; /* of the object (see symbols/symbols.h) */
	u32 event;
	u64 samples, period;
};

struct annot_sum {
	u64 samples, period;
};

/* A function that has samples. */
struct annot_func {
	const char *name;
	const struct map *map; /* one of the maps that it was seen in */
	u64 ip;         /* run-time address of the first of hits; of the start if it has none */
	u64 start, end; /* addresses of the object */
	const struct annot_hit *hits; /* by event, then address */
	size_t nr_hits;
	struct annot_sum *sums; /* by pd_event.idx */
};

struct annot_samples {
	struct annot_func *funcs;
	size_t nr;
	size_t nr_events;
	/* by event: of all wanted functions, and of samples in no function when all are wanted */
	struct annot_sum *totals;
	/* private: */
	struct annot_hit *hits;
	struct annot_sum *sums;
};

/*
 * Sorts the rows of c by function and address; c must be resolved and have COUNT_IP. name: only
 * functions of this name, or when none has it, those whose name is this one with parameters or in
 * any class ("f" also finds "f(int)" and "ns::f()"); NULL: all functions. rows[0..c->nr_rows): the
 * rows that are used; NULL: all. c is borrowed until annot_samples_fini.
 */
void annot_samples_init(struct annot_samples *s, const struct counts *c, const char *name,
			const bool *rows);
void annot_samples_fini(struct annot_samples *s);

/*
 * Sorts the functions by their costs, the hottest first: by events[0], then by events[1], and so
 * on; functions with equal costs by object and name.
 */
void annot_samples_sort(struct annot_samples *s, const u32 *events, size_t nr);

/* The sum of the function's samples of an event at addresses in [from, to). */
struct annot_sum annot_func_sum(const struct annot_func *f, u32 event, u64 from, u64 to);

/*
 * Whether a user's word `wanted` names a function. loosely: with parameters or in any class, as
 * annot_samples_init has it.
 */
bool annot_name_matches(const char *name, const char *wanted, bool loosely);

#endif
