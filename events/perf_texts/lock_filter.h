/* SPDX-License-Identifier: MIT */
/* Which waits for locks count: those of some kinds, for some locks, with some functions in their
 * stacks, as -Y, -L and -S of perf lock contention choose. */
#ifndef EVENTS_PERF_TEXTS_LOCK_FILTER_H
#define EVENTS_PERF_TEXTS_LOCK_FILTER_H

#include "base/err.h"
#include "session/filter.h"

/* All zero: all waits. */
struct lock_filter {
	u32 kinds; /* of lock_kinds_named(); 0: all */
	struct number_list locks;
	struct name_list lock_names; /* of symbols that begin where the lock lies */
	struct name_list stack;      /* parts of names of the kernel's functions */
};

void lock_filter_fini(struct lock_filter *f);

/* Parsers for OPT_PARSE; filter is a struct lock_filter. A NULL arg changes nothing. PERR_USAGE. */
int lock_filter_kinds(void *filter, const char *arg, struct perr *e) MUST_CHECK;
int lock_filter_locks(void *filter, const char *arg, struct perr *e) MUST_CHECK;
int lock_filter_stack(void *filter, const char *arg, struct perr *e) MUST_CHECK;

/* What a wait has. flags: LCB_F_* of the kernel. lock_name: of the symbol that begins at the lock;
 * NULL: there is none. */
bool lock_filter_has_kind(const struct lock_filter *f, u32 flags);
bool lock_filter_has_lock(const struct lock_filter *f, u64 lock, const char *lock_name);
/* A function of the kernel in its stack; with f->stack any one of them will do. */
bool lock_filter_has_function(const struct lock_filter *f, const char *name);

#endif
