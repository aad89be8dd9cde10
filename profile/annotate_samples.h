/* SPDX-License-Identifier: MIT */
/* Counted samples by function and address: what each instruction cost. */
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
	const struct map *map;        /* one of the maps that it was seen in */
	u64 ip;                       /* a sample's */
	u64 start, end;               /* addresses of the object */
	const struct annot_hit *hits; /* by event, then address */
	size_t nr_hits;
	struct annot_sum *sums; /* by pd_event.idx */
};

struct annot_samples {
	struct annot_func *funcs;
	size_t nr;
	size_t nr_events;
	struct annot_sum
		*totals; /* by event: of all functions that are wanted, and what has none */
	/* private: */
	struct annot_hit *hits;
	struct annot_sum *sums;
};

/*
 * Of resolved counts with COUNT_IP. name NULL: all functions; else those of this name, and if there
 * are none, those whose name is this one with parameters or of any class ("f" is "f(int)" and
 * "ns::f()"). rows: those that count, NULL: all.
 */
void annot_samples_init(struct annot_samples *s, const struct counts *c, const char *name,
			const bool *rows);
void annot_samples_fini(struct annot_samples *s);

/*
 * Brings the functions into the order of their costs, the hottest first: in the first of nr events,
 * then the next; equal ones by object and name.
 */
void annot_samples_sort(struct annot_samples *s, const u32 *events, size_t nr);

/* Of the function's samples of an event those in [from, to). */
struct annot_sum annot_func_sum(const struct annot_func *f, u32 event, u64 from, u64 to);

/* Whether a function's name is meant by the one that a user gave. loosely: see annot_samples_init.
 */
bool annot_name_matches(const char *name, const char *wanted, bool loosely);

#endif
