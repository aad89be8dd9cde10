/* SPDX-License-Identifier: MIT */
/*
 * What was allocated and not yet freed, by address. It is given allocations and frees, oldest
 * first. Times are ns of the recording's clock, sizes are bytes. An address belongs to a process;
 * those of the kernel to LEAK_KERNEL.
 *
 * Where records were lost, frees may be among them: what was allocated before a loss and not freed
 * since is "perhaps freed". A process that ends keeps what it had then, so that the leaks of a
 * program are seen after its end; its addresses are no longer known.
 */
#ifndef EVENTS_LEAK_LEAK_TABLE_H
#define EVENTS_LEAK_LEAK_TABLE_H

#include "base/hash.h"

#define LEAK_KERNEL UINT32_MAX
#define LEAK_NO_GROUP UINT32_MAX /* of an object that is not remembered */

/* Objects of one group that were not freed. */
struct leak_sum {
	u64 objects, bytes;
	u64 oldest;                     /* ns: the largest age; of a process that ended, by then */
	u64 maybe_objects, maybe_bytes; /* perhaps freed: not in `objects` and `bytes` */
	u64 maybe_oldest;
	u64 ended; /* of all these: objects of processes that have ended */
};

struct leak_entry {
	u64 ptr; /* 0: the place is free */
	u64 size, time;
	u32 process; /* place in leak_table.processes */
	u32 group;   /* the caller's */
};

/* A process from its start or exec to its exec or end. */
struct leak_process {
	u32 pid;
	u32 nr;    /* entries */
	u64 ended; /* time; 0: not yet */
};

struct leak_table {
	struct leak_entry *slots; /* at the place of their hash, or behind it */
	size_t mask, nr;
	struct leak_process *processes;
	size_t nr_processes, cap_processes;
	struct idmap by_pid; /* the process that has the pid now */
	size_t max_keys;
	bool full;      /* the caller's: there is no memory for more */
	u64 age;        /* ns: younger objects are no leaks */
	u64 last_loss;  /* time; 0: none */
	size_t nr_dead; /* entries of processes that have ended */
	/* by group: what processes had that ended, when their entries made room for others */
	struct leak_sum *sums;
	size_t nr_sums, cap_sums;
	u64 nr_allocs, nr_frees, nr_failed; /* nr_frees: of objects in the table */
	u64 nr_unknown;                     /* frees of what was not allocated here */
	u64 nr_replaced; /* allocations at an address that was not freed: a free is missing */
	u64 nr_negative; /* frees before their allocation */
	u64 nr_dropped, dropped_bytes; /* allocations for which there was no room */
	u64 nr_young;                  /* younger than `age` as of the last leak_table_sums() */
	u64 nr_dead_young;             /* of those that made room */
};

/* max_keys: most objects that are remembered; 0 is as 1. age: ns. */
void leak_table_init(struct leak_table *t, size_t max_keys, u64 age);
void leak_table_fini(struct leak_table *t);

/* An allocation. ptr 0: it failed. */
void leak_table_alloc(struct leak_table *t, u32 pid, const struct leak_entry *e);
/* A free. ptr 0 is none. */
void leak_table_free(struct leak_table *t, u32 pid, u64 ptr, u64 time);
/* A process ends, or calls exec: its address space is gone. */
void leak_table_end_process(struct leak_table *t, u32 pid, u64 time);
/* Records before this time were lost. */
void leak_table_lost(struct leak_table *t, u64 time);

/* Sets used[group] for each group of which something is counted. Groups lie below nr. */
void leak_table_find_groups(const struct leak_table *t, bool *used, size_t nr);
/* Gives group g, of which something is counted, the number numbers[g], which is at most g. Numbers
 * stay in the order of the groups. */
void leak_table_number_groups(struct leak_table *t, const u32 *numbers, size_t nr);

/* Bytes of memory of all objects and processes. */
size_t leak_table_bytes(const struct leak_table *t);

/* The sums of groups 0 to nr - 1 as of a time; malloc'd. */
struct leak_sum *leak_table_sums(struct leak_table *t, size_t nr, u64 now);

#endif
