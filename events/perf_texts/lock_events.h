/* SPDX-License-Identifier: MIT */
/* What the records of a recording say about waits for locks: they feed a struct lock_contention. */
#ifndef EVENTS_PERF_TEXTS_LOCK_EVENTS_H
#define EVENTS_PERF_TEXTS_LOCK_EVENTS_H

#include "events/losses.h"
#include "events/perf_texts/lock_contention.h"
#include "events/perf_texts/lock_filter.h"
#include "events/task_ids.h"
#include "session/frames.h"
#include "session/sample_sink.h"

/* As perf has it when it is not asked for others. */
#define LOCK_MAX_STACK 8
#define LOCK_STACK_SKIP 4

struct lock_event;

/* Code of locks, in addresses of the kernel's object. */
struct lock_code {
	bool is_known;
	struct {
		u64 start, end;
	} ranges[4];
	u32 nr;
};

struct lock_events {
	struct lock_contention *contention;
	enum lock_by by;
	/* Set before the first sample, or as lock_events_init() does. */
	u32 max_stack, skip; /* frames of a stack that are looked at; those left out of them */
	const struct lock_filter *filter; /* NULL: all waits count */
	bool keep_stacks;                 /* of rows by caller */
	struct session *s;
	struct frames frames;
	struct lock_code code;
	struct task_ids tasks;
	struct losses losses;
	struct lock_event *events; /* of the recording, by their idx; NULL: not known yet */
	size_t nr;
	bool has_ends;
};

/* contention and s must outlive ev. */
void lock_events_init(struct lock_events *ev, struct lock_contention *contention, enum lock_by by,
		      struct session *s);
void lock_events_fini(struct lock_events *ev);

void lock_events_take(struct lock_events *ev, const struct sample_view *v);
/* Any other record. */
void lock_events_record(struct lock_events *ev, const struct replay_event *rec);

/* The last name that a thread had; NULL: not known. For struct lock_layout. */
const char *lock_events_comm(void *events, u32 tid);

/* After the pass: the first lock name of the filter that the kernel's symbols lack; NULL: they have
 * all. Borrowed from the filter. */
const char *lock_events_unknown_lock(struct lock_events *ev);

/* After the pass. Fails with PERR_NOTFOUND where the recording has no ends of waits. */
int lock_events_check(struct lock_events *ev, struct perr *e) MUST_CHECK;

#endif
