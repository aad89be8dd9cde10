/* SPDX-License-Identifier: MIT */
/*
 * What to count, and how: the argument of counts_run(). Callers that only ask for a profile need no
 * more of count/ than this.
 */
#ifndef COUNT_COUNTS_CONFIG_H
#define COUNT_COUNTS_CONFIG_H

#include "base/types.h"

struct counts;
struct filter;
struct progress;

struct counts_config {
	const char *pass; /* what the pass is for, see session_begin_pass(); NULL: counting */
	u32 pass_flags;   /* enum session_pass_flags */
	u32 columns;      /* bit n: enum count_column n */
	/*
	 * Of these columns a row has the value of its first sample: samples that differ in nothing
	 * else are one row. COUNT_PID and COUNT_TID alone may be in it; not with branch_rows.
	 */
	u32 first_only;
	unsigned int threads; /* 0: one per CPU */
	u64 max_mem;          /* bytes for rows, stacks and frames; 0: no limit */
	u32 max_stack; /* call chains are used up to this number of entries; 0: 127, as perf */
	u64 time_quantum_ns; /* 0: 100 ms */
	/*
	 * Count by function: all addresses of a function are one frame (of an object, where no
	 * symbol is known; of each half of the address space, where nothing is mapped). For output
	 * that shows names only. COUNT_IP is then set only for samples without a call chain.
	 */
	bool by_symbol;
	/*
	 * By symbol: a recording with so many bytes of records, or more, is counted with the names
	 * of the kernel's functions from its first kernel sample on, for which all threads wait
	 * until the kernel's symbols are read. In a smaller one that wait would cost more than it
	 * saves: each kernel address is a frame of its own there. 0: 32 MiB.
	 */
	u64 kernel_names_from;
	/*
	 * An address of a mapped file that has a symbol is one frame, wherever processes map the
	 * file: of such a frame, ip is that of the first sample. For output that shows no run-time
	 * addresses of what has a name. Symbols are then looked up while samples are counted. Not
	 * with by_symbol, nor with COUNT_ADDR or branch_rows.
	 */
	bool by_file_address;
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
	/*
	 * Make room for frames that say how threads were off the CPU, for counts_join_waits(); with
	 * COUNT_OFFCPU, COUNT_IP and COUNT_CPUMODE, not by_symbol.
	 */
	bool waits;
	bool only_joins;    /* count no sample, only collect what counts_take_joins() returns */
	u32 max_user_stack; /* unwind at most so many frames of a stack copy; 0: UNWIND_MAX_FRAMES
			     */
	const bool *wanted_events;   /* by pd_event.idx; NULL: all */
	const struct filter *filter; /* NULL: all samples */
	struct progress *progress;   /* NULL: none is shown */
};

#endif
