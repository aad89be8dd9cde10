/* SPDX-License-Identifier: MIT */
/*
 * What `perf lock contention` counts: how often and how long threads wait for locks of the kernel,
 * by caller, by thread or by lock. Given begins and ends of waits, oldest first, in ns of the
 * recording's clock. It counts as perf 7.2 does, so that its text is perf's.
 */
#ifndef EVENTS_PERF_TEXTS_LOCK_CONTENTION_H
#define EVENTS_PERF_TEXTS_LOCK_CONTENTION_H

#include "base/bytes.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/out.h"

enum lock_by { LOCK_BY_CALLER, LOCK_BY_THREAD, LOCK_BY_ADDRESS };

enum lock_column {
	LOCK_CONTENDED,
	LOCK_WAIT_TOTAL,
	LOCK_WAIT_MAX,
	LOCK_WAIT_MIN,
	LOCK_WAIT_AVG,
	NR_LOCK_COLUMNS,
};

struct lock_layout {
	enum lock_by by;
	int key; /* enum lock_column: order of the rows, highest first */
	enum lock_column columns[NR_LOCK_COLUMNS];
	u32 nr_columns;        /* 0: contended, wait_total, wait_max, avg_wait */
	u64 nr_rows;           /* at most; 0: all */
	const char *separator; /* of values for programs; NULL: a table */
	bool quiet;            /* nothing but rows */
	bool stacks;           /* by caller: below each row its first stack; what did not fit
				* together is printed even if nothing did not */
	/* The name of a thread at the end of the recording; NULL: none is known. */
	const char *(*comm_of)(void *ctx, u32 tid);
	void *ctx;
};

/* Waits that have one key. */
struct lock_row {
	u64 key;
	u32 name;  /* interned; 0: "" */
	u32 stack; /* interned, its frames as lines "0xADDRESS NAME"; 0: it is not kept */
	u32 flags; /* LCB_F_* of its first wait */
	bool is_broken;
	u64 nr_contended, nr_acquired;
	u64 total, min, max; /* ns */
};

/* One thread and one lock. */
struct lock_wait {
	enum { LOCK_UNKNOWN, LOCK_WAITED_FOR, LOCK_HELD } state;
	u64 begin;
};

struct lock_contention {
	struct lock_row *rows;
	size_t nr, cap;
	struct idmap row_of; /* key */
	struct lock_wait *waits;
	size_t nr_waits, cap_waits;
	struct idmap wait_of; /* thread, lock */
	struct intern strings;
	/* events that do not fit to what was before them, by what they are */
	u64 nr_bad_ends;
};

void lock_contention_init(struct lock_contention *l);
void lock_contention_fini(struct lock_contention *l);

/* The kinds that have this name, "rwsem", or with a suffix "rwsem:R", as bits; 0: there are none.
 */
u32 lock_kinds_named(struct span name);
/* The bit of the kind of a wait; 0: it is of none that is known. flags: LCB_F_* of the kernel. */
u32 lock_kind_of(u32 flags);

/* The row of a key; NULL: there is none yet. Valid until the next lock_contention_add(). */
struct lock_row *lock_contention_row(struct lock_contention *l, u64 key);
/* Adds the row of a key. name is copied. */
struct lock_row *lock_contention_add(struct lock_contention *l, u64 key, const char *name,
				     u32 flags);

/* Thread tid begins to wait for a lock, or ends to. row: of the event's key; NULL: there is none.
 */
void lock_contention_begin(struct lock_contention *l, struct lock_row *row, u32 tid, u64 lock,
			   u64 time);
void lock_contention_end(struct lock_contention *l, struct lock_row *row, u32 tid, u64 lock,
			 u64 time);

/* Writes the table. */
void lock_contention_put(const struct lock_contention *l, const struct lock_layout *how,
			 struct out *o);

#endif
