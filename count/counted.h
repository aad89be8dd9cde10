/* SPDX-License-Identifier: MIT */
/*
 * The result of counting as plain values: rows by their columns, and totals per event. counts.h
 * makes them. Code that only reads rows needs no other header.
 */
#ifndef COUNT_COUNTED_H
#define COUNT_COUNTED_H

#include <string.h>

#include "base/types.h"

/*
 * Samples are in one row when they have the same event and the same values in all columns that the
 * config asks for: see count_value(). Columns before COUNT_WIDE have values of 32 bits. The columns
 * that most tables ask for come first, as a row has room up to the last one asked for.
 */
enum count_column {
	COUNT_COMM,  /* id in the session's strings */
	COUNT_IP,    /* frame id of the sample's own ip */
	COUNT_STACK, /* stack id of the call chain; 0 is the empty one */
	COUNT_PID,
	COUNT_TID,
	COUNT_CPUMODE,     /* PD_CPUMODE_* of the sample */
	COUNT_END,         /* with COUNT_STACK: how it ended, STACK_* of machine/chain_ips.h */
	COUNT_OFFCPU,      /* 1 + enum pd_offcpu of a sample of prec's offcpu-time, else 0 */
	COUNT_CPU,         /* (u32)-1 where the sample has none */
	COUNT_CGROUP_NS,   /* of the task: see struct thread */
	COUNT_ADDR,        /* frame id of the data address in the task's space */
	COUNT_PARALLELISM, /* recorded threads that ran, see machine_parallelism() */
	COUNT_RAW,         /* id of the raw payload in counts' blobs; 0 is the empty one */
	COUNT_TIME,        /* ns, in steps of time_quantum */
	COUNT_WIDE = COUNT_TIME,
	COUNT_CGROUP, /* id of the cgroup that the sample was taken in */
	COUNT_WEIGHT,
	COUNT_INS_LAT,
	COUNT_WEIGHT3,
	COUNT_TRANSACTION,
	COUNT_DATA_SRC,
	COUNT_PHYS_ADDR,
	COUNT_DATA_PAGE_SIZE,
	COUNT_CODE_PAGE_SIZE,
	COUNT_PERIOD_STEP, /* the sample's period, rounded down to its five highest bits */
	COUNT_BRANCH_FROM, /* branch rows: one per branch of the sample, see config */
	COUNT_BRANCH_TO,
	COUNT_BRANCH_FLAGS,
	COUNT_COLUMNS
};

/* COUNT_CPUMODE of rows that counts_join_waits() has changed. */
#define COUNT_MODE_WAITS 0xff

struct count_row {
	u32 event;    /* pd_event.idx */
	const u32 *v; /* its columns, for count_value() */
	u64 samples;
	u64 period; /* sum of the samples' periods */
	u64 first;  /* rank of the first such sample in the file */
};

/* Where a column is in count_row.v; those from COUNT_WIDE on take two elements. */
static inline unsigned int count_place(enum count_column col)
{
	return col < COUNT_WIDE ? col : 2 * col - COUNT_WIDE;
}

/* The value of a column that the config asks for. */
static inline u64 count_value(const struct count_row *r, enum count_column col)
{
	u64 wide;

	if (col < COUNT_WIDE)
		return r->v[col];
	memcpy(&wide, &r->v[count_place(col)], sizeof(wide));
	return wide;
}

/* How unwinding the stack copies went. */
struct count_unwound {
	u64 stacks, frames;        /* unwound, and their frames in user space */
	u64 guessed;               /* frames found without call frame information */
	u64 joined, joined_frames; /* truncated stacks completed from others; frames added */
};

/* The samples of one event. */
struct count_totals {
	u64 samples, period;           /* those that passed the filter */
	u64 filtered, filtered_period; /* those that the filter left out */
	u64 longest_chain;             /* entries of the longest recorded chain, with its markers */
	/* with COUNT_PARALLELISM: see count_latency(); samples, filtered or not, that ran alone */
	u64 latency, filtered_latency, alone;
};

/*
 * What samples of this period count for in wall clock time: thousandths of it, shared out among
 * the threads that ran beside each other. Each is rounded down, as in perf; where the samples have
 * different periods, that of the mean one stands for each.
 */
static inline u64 count_latency(u64 samples, u64 period, u64 parallelism)
{
	u64 each = samples ? period / samples : 0, rest = samples ? period % samples : 0;

	return parallelism ? samples * (each * 1000 / parallelism) + rest * 1000 / parallelism : 0;
}

#endif
