/* SPDX-License-Identifier: MIT */
/* The inside of struct counts. Only the .c files of count/ include this. */
#ifndef COUNT_COUNTS_PRIV_H
#define COUNT_COUNTS_PRIV_H

#include "base/blobs.h"
#include "count/counter.h"
#include "count/counts.h"

struct counts_priv {
	struct frame *frames;
	size_t nr_frames;
	struct sym_hit **syms; /* what the frames' symbols lie in */
	size_t nr_syms, cap_syms;
	struct blobs stacks, blobs;
	struct count_tails tails;
	u32 *values; /* of all rows */
	size_t values_size;
	unsigned int nr_threads;
	const struct map *waits; /* see machine/machine_waits.h; NULL without counts_config.waits */
	u32 first_wait;          /* with waits: the first of PD_NR_OFFCPU frames */
	bool by_symbol;          /* as in counts_config */
	struct join_table *joins; /* NULL: no stack was truncated */
};

/* Moves what a counter has summed up into c; the counter keeps its frames and counts on from zero.
 */
void counter_take_window(struct counter *from, struct counts *c);

/* Frames of a stack copy that count unless the config says otherwise. */
#define COUNT_USUAL_MAX_USER_STACK UNWIND_MAX_FRAMES

/* The config with defaults instead of zeros. */
struct counts_config counts_config_with_defaults(const struct counts_config *cfg);
/* Unwinds the session's stack copies; NULL where there can be none, or none is wanted. */
struct machine_stacks *counts_new_unwinder(struct session *s, const struct counts_config *cfg);

/*
 * Loads the symbols of all objects that have frames in the counters, in a thread of its own where
 * there are several: the frames themselves are looked at before count_loading_start returns.
 */
struct count_loading;
struct count_loading *count_loading_start(const struct counter *counters, unsigned int nr);
void count_loading_join(struct count_loading *l);

#endif
