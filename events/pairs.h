/* SPDX-License-Identifier: MIT */
/*
 * What lies between two events: a begin waits under its key until an end of the same key comes; the
 * time between them goes to a row. Without begins, the events that are called ends are counted, or
 * a value of each is measured.
 *
 * Every begin and every end is accounted for: nr_begins = pairs + broken + negative + replaced +
 * dropped + of ended threads + still open, nr_ends = pairs + broken + negative + without begin;
 * broken ones that are kept are among the pairs. Where the key is the thread itself, begins of
 * threads that have ended, such as of exit_group(), wait for nothing and are removed.
 */
#ifndef EVENTS_PAIRS_H
#define EVENTS_PAIRS_H

#include "events/losses.h"
#include "events/roles.h"
#include "events/rows.h"
#include "session/switch_gaps.h"

/* Ends in the first 100 ms may have begun before the recording. */
#define PAIRS_START_NS 100000000ull

/* A begin with its end. */
struct pair {
	u64 ns;
	u64 key[MAX_PARTS], row[MAX_PARTS];
	struct occurrence begin, end;
};

/* Where a sample comes from that comes short: its thread's ids, and the caller's number of its
 * stack. */
struct short_place {
	const struct pd_event *ev;
	u64 time; /* ns */
	u32 pid, tid;
	u64 stack;
};

/* The sample at the end of a pair. */
struct pair_end {
	const struct sample_view *v;     /* NULL: it came short */
	const struct short_place *place; /* of such a one, with keep_place(); else NULL */
};

struct pairs_config {
	struct role_texts texts;
	bool nest; /* begins of one key lie on each other; else a second one replaces the first */
	bool keep_broken;  /* pairs with a loss between begin and end count as others */
	bool keep_samples; /* pairs come with their whole samples */
	bool some_samples; /* a filter leaves samples out: switches are no gaps then */
	u64 than;          /* ns; found() gets the pairs that took longer; 0: none */
	u32 nr_longest;    /* so many are kept in `longest` */
	u64 max_keys;      /* begins that may wait at once */
	u64 max_mem;       /* bytes for all of it */
	/* A number of a begin's stack, for each(). NULL: occurrences have none. */
	u32 (*stack_of)(void *ctx, const struct sample_view *v);
	/*
	 * The same of samples that come short: as one is read, keep_place() gives its stack a
	 * number, or returns false: it cannot come short. When its turn has come, set_place() sets
	 * comm and stack of a begin, and drop_place() is called once. NULL: with stack_of, no
	 * sample comes short.
	 */
	bool (*keep_place)(void *ctx, const struct pd_event *ev, const struct pd_sample *s,
			   u64 *ret_stack);
	void (*set_place)(void *ctx, const struct short_place *place, struct occurrence *ret);
	void (*drop_place)(void *ctx, const struct short_place *place);
	/* The pair and what it holds are borrowed. Returns 0, or a negative code. */
	int (*found)(void *ctx, const struct pair *p, struct perr *e);
	/* Gets every pair, without its end, which is `end`. NULL: nothing to do. */
	void (*each)(void *ctx, const struct pair *p, const struct pair_end *end);
	void *ctx;
};

struct pair_switch;

/* Threads that have ended lately, the oldest first. */
struct ended_threads {
	struct ended_thread {
		u32 tid;
		u64 time; /* ns */
	} * all;
	size_t first, nr, cap; /* those before the first are done with */
};

struct pairs {
	struct pairs_config cfg;
	struct roles roles;
	bool ready;       /* roles are there: with the first sample */
	bool can_shorten; /* nothing is done with pairs that needs a sample: see
			   * series/pair_shorts.h */
	bool key_is_thread;
	struct ended_threads ended; /* with key_is_thread */
	struct open_begins open;
	struct rows rows;
	struct losses losses;
	struct switch_gaps gaps;
	struct pair_switch *switches; /* by pd_event.idx; NULL: no event of a pair is a switch */
	struct pair *longest;         /* the longest first */
	size_t nr_longest;
	size_t kept_bytes; /* of samples of open begins */
	u64 nr_events;     /* samples that had a role */
	u64 nr_begins, nr_ends, nr_pairs;
	u64 nr_broken,
		broken_max; /* left out, or counted with keep_broken; the longest of them, ns */
	u64 nr_negative, negative_max; /* whose end is earlier than their begin; ns */
	u64 nr_replaced, nr_without_begin, nr_before_start, nr_dropped;
	u64 nr_of_ended;  /* begins of threads that have ended */
	u64 dropped_time; /* of the newest begin that was dropped */
	u64 nr_negative_values;
	u64 first_time, last_time; /* of samples with a role; 0: none */
	u64 nr_advanced;           /* of a chain: begins that wait for its next event */
};

void pairs_init(struct pairs *p, const struct pairs_config *cfg);
void pairs_fini(struct pairs *p);

/*
 * Finds the events of the recording, whose formats must be known: a stream has them with its first
 * sample. Call it before the first pairs_take(). Errors: those of roles_init().
 */
int pairs_start(struct pairs *p, const struct perfdata *pd, struct perr *e) MUST_CHECK;

/* After pairs_start(): false if samples may come without thread and task. */
bool pairs_need_tasks(const struct pairs *p);
/* After pairs_start(): true if SINK_BRIEF holds. */
bool pairs_are_brief(const struct pairs *p);

/* Takes a sample. Returns 0, or what found() returned. */
int pairs_take(struct pairs *p, const struct sample_view *v, struct perr *e) MUST_CHECK;

/* Counts a pair that was found elsewhere, as those of pairs_take(). Takes what pair->begin keeps.
 * end->v is set. Returns 0, or what found() returned. */
int pairs_add(struct pairs *p, struct pair *pair, const struct pair_end *end,
	      struct perr *e) MUST_CHECK;

/* An occurrence of a begin, as of the configuration. */
void pairs_occurrence(const struct pairs *p, const struct sample_view *v, struct occurrence *ret);

/* Begins new rows and counts. Begins that wait go on to wait, and losses so far stay known. */
void pairs_restart(struct pairs *p);

/* Begins that have no end: still open, or of threads that have ended. */
static inline u64 pairs_nr_open(const struct pairs *p)
{
	return p->open.nr + p->nr_advanced + p->nr_of_ended;
}

/* With key_is_thread: takes note of an EXIT record, and removes the begins of threads that ended a
 * while before it. */
void pairs_end_thread(struct pairs *p, const struct replay_event *ev, bool swap);

/* Takes note of a record that is no sample. */
static inline void pairs_take_record(struct pairs *p, const struct replay_event *ev, bool swap)
{
	if (ev->rec.type == PD_RECORD_LOST)
		switch_gaps_lost(&p->gaps);
	losses_take(&p->losses, ev, swap);
	if (p->key_is_thread && ev->rec.type == PD_RECORD_EXIT)
		pairs_end_thread(p, ev, swap);
}

#endif
