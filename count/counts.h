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
#include "session/replay.h"

struct count_tail;
struct filter;
struct frame;
struct join_table;
struct progress;
struct session;

struct counts;

struct counts_config {
	const char *pass;     /* what the pass is for, see session_begin_pass(); NULL: counting */
	u32 pass_flags;       /* enum session_pass_flags */
	u32 columns;          /* bit n: enum count_column n */
	unsigned int threads; /* 0: one per CPU */
	u64 max_mem;          /* bytes for rows, stacks and frames; 0: no limit */
	u32 max_stack;        /* use at most so many entries of a call chain; 0: 127 as perf */
	u64 time_quantum_ns;  /* 0: 100 ms */
	/*
	 * Count by function: all addresses of a function are one frame (of an object, where no
	 * symbol is known; of each half of the address space, where nothing is mapped). For output
	 * that shows names only. COUNT_IP is then set only for samples without a call chain.
	 */
	bool by_symbol;
	bool resolve; /* look up symbols as counts_resolve() does, while rows are built */
	/*
	 * Called once all frames are known, in another thread, while rows are still being built:
	 * it may read frames, but no row and no stack. NULL: not needed.
	 */
	void (*on_frames)(void *ctx, const struct counts *c);
	void *on_frames_ctx;
	bool keep_inlines; /* frame_inlines() will be called: by symbol, code that may have inlined
			      functions keeps a frame for each address */
	/*
	 * pd_event.idx + 1, 0: none. Counting starts with a sample of switch_on and stops with one
	 * of switch_off. These samples themselves count only with show_switches.
	 */
	u32 switch_on, switch_off;
	bool show_switches;
	bool branch_rows; /* rows of branches (perf report on -b recordings), not of samples */
	bool keep_deferred_apart; /* do not join CALLCHAIN_DEFERRED */
	bool no_unwind;           /* do not unwind stack copies */
	bool no_join;             /* do not complete truncated stacks; always so with branch_rows */
	bool only_joins;    /* count no sample, only collect what counts_take_joins() returns */
	u32 max_user_stack; /* unwind at most so many frames of a stack copy; 0: 1024 */
	const bool *wanted_events;   /* by pd_event.idx; NULL: all */
	const struct filter *filter; /* NULL: all samples */
	struct progress *progress;   /* NULL: none is shown */
};

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
