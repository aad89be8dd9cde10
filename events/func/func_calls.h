/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions, put together from the samples at their entries and returns: for each thread
 * the calls that have begun, the innermost on top.
 *
 * Where samples have the stack pointer, a call is known by the place of its return address: calls
 * below the stack pointer of a later sample have ended without a return, as after longjmp().
 * Without it, a return ends the innermost call of its function, and the calls on top of that one.
 *
 * A function that jumps to another one at its end has the place of its return address in common
 * with it. Then both return, one after the other. After longjmp() the place may be used again, and
 * only one returns: so what a call is in is known with the sample after its return.
 *
 * Where the samples are taken at the instructions that return, jumps to other functions among them,
 * a place belongs to one call at a time: an entry at the place of another call says that the other
 * one has ended. Where a function begins with such an instruction, the sample of the return may
 * come in front of that of the entry.
 */
#ifndef EVENTS_FUNC_FUNC_CALLS_H
#define EVENTS_FUNC_FUNC_CALLS_H

#include "base/hash.h"
#include "events/func/func_tree.h"

/* The kernel follows so many calls of a thread to their returns (MAX_URETPROBE_DEPTH, Linux 6.18).
 */
#define FUNC_KERNEL_DEPTH 64

/* What an entry says. Times in ns. */
struct func_entry {
	u32 pid, tid;
	/* 0: the calls are those of the thread; else of this goroutine of process pid */
	u64 goroutine;
	u32 stack;     /* the caller's number, see struct func_call */
	bool exact;    /* its returns are seen at the instructions that return */
	u32 func, row; /* the caller's numbers */
	u64 time;
	u64 sp; /* address of the return address; 0: not known */
	u64 ip; /* of the instruction that was probed */
};

/* A call that has returned. Valid during the callback. */
struct func_call {
	u32 func, row;
	u32 stack; /* of its entry */
	u32 tid;
	u64 start, ns;
	u64 self;    /* ns outside of other calls */
	u32 depth;   /* calls that it is in */
	bool nested; /* one of these is of the same function */
	bool broken; /* records were lost between entry and return: the times may be wrong */
	u32 inner;   /* the list of the calls in it */
};

enum func_end {
	FUNC_UNWOUND,  /* the stack was cut: longjmp(), an exception, another program */
	FUNC_TOO_DEEP, /* the kernel did not follow it */
	FUNC_OPEN,     /* the recording ended, or the thread */
	NR_FUNC_ENDS,
};

/* What becomes of calls. A list is one of calls, of the caller's own making, see func_tree.h. */
struct func_calls_ops {
	/* A call has returned. list: calls before it that are in the same call. Returns the list
	 * with it. */
	u32 (*returned)(void *ctx, const struct func_call *call, u32 list);
	/* A call has ended without return. Returns the list with `inner`, the calls in it. */
	u32 (*no_return)(void *ctx, u32 row, u32 list, u32 inner);
	/* A thread is in no call any more. list: those that have ended since it was last in none;
	 * longest: one of these that returned, whose row, start and ns are known; NULL: none. */
	void (*emptied)(void *ctx, u32 tid, u32 list, const struct func_call *longest);
};

struct func_thread;

struct func_calls {
	const struct func_calls_ops *ops;
	void *ctx;
	struct func_thread *threads;
	size_t nr, cap;
	struct idmap by_tid;
	u64 epoch; /* gaps in the records so far */
	u64 nr_returns, nr_broken;
	u64 nr_no_entry;           /* returns whose entry was not recorded */
	u64 nr_no_entry_lost;      /* of them: of threads with a gap since they were in no call */
	u64 nr_ends[NR_FUNC_ENDS]; /* calls without return */
};

/* ops and ctx are borrowed until func_calls_fini(). */
void func_calls_init(struct func_calls *c, const struct func_calls_ops *ops, void *ctx);
void func_calls_fini(struct func_calls *c);

/* A function is entered. */
void func_calls_enter(struct func_calls *c, const struct func_entry *e);
/* It has returned; e->sp: where its return address was, e->row is not looked at. */
void func_calls_leave(struct func_calls *c, const struct func_entry *e);
/* A thread ends, or begins another program. Goroutines do not end with it. */
void func_calls_end_thread(struct func_calls *c, u32 tid, enum func_end end);
/* Records were lost. */
void func_calls_lost(struct func_calls *c);
/* Sets the counts to 0. Calls that have begun go on. */
void func_calls_restart(struct func_calls *c);
/* The recording ends. */
void func_calls_end(struct func_calls *c);

#endif
