/* SPDX-License-Identifier: MIT */
/*
 * Calls of malloc() and its relatives, put together from the samples at their entry and at their
 * return. A function that calls another of them (realloc() malloc(), say) allocates once. Addresses
 * and sizes are those of the recorded process.
 */
#ifndef EVENTS_LEAK_LEAK_CALLS_H
#define EVENTS_LEAK_LEAK_CALLS_H

#include "base/bytes.h"
#include "events/leak/leak_table.h"

enum leak_function {
	LEAK_MALLOC,        /* (size) */
	LEAK_CALLOC,        /* (n, size) */
	LEAK_REALLOC,       /* (ptr, size) */
	LEAK_REALLOCARRAY,  /* (ptr, n, size) */
	LEAK_ALIGNED_ALLOC, /* (alignment, size), memalign() as well */
	LEAK_FREE,          /* (ptr) */
	NR_LEAK_FUNCTIONS,
};

/* The function of an event that prec calls "uprobe:FILE:malloc" or "uretprobe:FILE:malloc", and
 * perf probe "probe_libc:malloc" or "probe_libc:malloc__return". NR_LEAK_FUNCTIONS: none of them.
 */
enum leak_function leak_function_find(const char *event, bool *ret_is_return);

struct leak_call;

struct leak_calls {
	struct leak_table *table;
	struct leak_call *all; /* pending calls of all threads, linked by thread */
	size_t nr, cap;
	u32 free;            /* the first unused one */
	struct idmap by_tid; /* the innermost pending call */
	u64 nr_no_entry;     /* returns whose entry was not recorded: their size is not known */
	u64 nr_no_return;    /* entries without return: longjmp(), the end of the thread */
};

/* One sample. */
struct leak_call_event {
	u32 pid, tid;
	u64 time;
	u64 args[3]; /* at entry */
	u64 result;  /* at return */
	u32 group;   /* at return: the caller's, of leak_entry */
};

/* table is borrowed until leak_calls_fini(). */
void leak_calls_init(struct leak_calls *c, struct leak_table *table);
void leak_calls_fini(struct leak_calls *c);

/* Bytes of memory of the pending calls. */
size_t leak_calls_bytes(const struct leak_calls *c);

/* A call is left out where the table is full and the thread has not called before. */
void leak_calls_enter(struct leak_calls *c, enum leak_function f, const struct leak_call_event *ev);
void leak_calls_leave(struct leak_calls *c, enum leak_function f, const struct leak_call_event *ev);
/* A thread ends. */
void leak_calls_end_thread(struct leak_calls *c, u32 tid);
/* Records were lost: entries and returns may be among them, so pending calls are forgotten. */
void leak_calls_lost(struct leak_calls *c);

#endif
