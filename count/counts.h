/* SPDX-License-Identifier: MIT */
/*
 * Samples counted: a recording becomes one row per distinct combination of the columns asked for.
 * Rows, stacks and frames are ids; names are looked up afterwards, for what is left.
 *
 *	counts_run(session, config) -> rows {event, columns, stack} with samples and weight
 *	counts_resolve()	    -> symbols of the frames that rows and stacks use
 *
 * Rows are in the order in which the file first has them, whatever the number of threads.
 */
#ifndef COUNT_COUNTS_H
#define COUNT_COUNTS_H

#include "count/counted.h"
#include "count/counts_config.h"
#include "session/replay.h"

struct count_tail;
struct frame;
struct join_table;
struct session;

struct counts {
	u32 columns; /* that rows have */
	struct count_row *rows;
	size_t nr_rows;
	struct count_totals *events; /* by pd_event.idx */
	size_t nr_events;
	struct replay_stats stats;
	u64 first_time, last_time; /* ns, of the samples counted; 0, 0 for none */
	struct count_unwound unwound;
	struct counts_priv *priv;
};

/*
 * Counts everything. PERR_LIMIT: max_mem is reached. Other errors: those of the reader; when whole
 * samples came before the damage they are counted, *ret is set, and the code is returned as well.
 */
int counts_run(struct session *s, const struct counts_config *cfg, struct counts **ret,
	       struct perr *e) MUST_CHECK;
void counts_free(struct counts *c);

/*
 * Makes the times off the CPU (COUNT_OFFCPU) rows of the event `clock`, whose periods are ns too,
 * and moves the totals of their events to it: its rows then are all the time of the threads. Each
 * such row gets a frame of its own that says how the thread waited, "[off-CPU S]", at the inner end
 * of its stack, and the CPU mode COUNT_MODE_WAITS. For counts made with counts_config.waits, once.
 */
void counts_join_waits(struct counts *c, u32 clock);

/* The callers found for truncated stacks; the caller frees it. NULL when no stack was truncated. */
struct join_table *counts_take_joins(struct counts *c);

/* Stacks are numbered from 0, the empty one; count/stack_iter.h walks their frames. */
size_t counts_nr_stacks(const struct counts *c);
/*
 * The tails that stacks share, by number; a tail's outer ones have lower numbers. 0 is no tail.
 * Borrowed until counts_free.
 */
const struct count_tail *counts_tails(const struct counts *c, size_t *ret_nr);

/* A frame; its symbol after counts_resolve. Borrowed until counts_free. */
const struct frame *counts_frame(const struct counts *c, u32 id);
size_t counts_nr_frames(const struct counts *c);

/* Looks up the symbols of every frame, object by object, with the threads of the config. */
void counts_resolve(struct counts *c);

/* Bytes of a COUNT_RAW id. */
struct span counts_blob(const struct counts *c, u64 id);

#endif
