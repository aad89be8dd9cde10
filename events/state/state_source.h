/* SPDX-License-Identifier: MIT */
/*
 * What the records of a recording say about the states of threads. Best first:
 *
 *	offcpu-time	samples that prec --off-cpu writes: each is a time off the CPU
 *	sched_switch	of all CPUs, with sched_waking or sched_wakeup
 *	sched_switch, context-switches	of the recorded threads, with SWITCH records
 *	SWITCH		alone: on or off the CPU, preempted or not
 */
#ifndef EVENTS_STATE_STATE_SOURCE_H
#define EVENTS_STATE_STATE_SOURCE_H

#include "events/expr/event_fields.h"
#include "events/losses.h"
#include "events/stacks/stack_texts.h"
#include "events/state/thread_states.h"
#include "session/switch_gaps.h"

struct state_event_kind;

struct state_source {
	struct thread_states *states;
	struct session *s;
	struct stack_texts *stacks; /* names the stacks of switches; NULL: they are not wanted */
	bool wakers;                /* and of wakings */
	struct state_event_kind *kinds; /* by pd_event.idx; NULL before the first sample */
	size_t nr_kinds;
	/* names in samples lately, as their bytes, and as texts of the machine; NULL: free */
	struct recent_comm {
		u64 words[2];
		const char *comm;
	} recent[64];
	struct losses losses;
	struct switch_gaps gaps;
	bool has_intervals; /* offcpu-time */
	bool has_switches;  /* sched_switch with its fields, or context-switches */
	bool has_records;   /* SWITCH */
	bool has_states;    /* of threads that leave the CPU */
	bool has_wakings;
	bool needs_tasks;  /* samples must come with thread and task; known with the first one */
	bool has_begun;    /* a sample or another record with a time has come */
	u64 nr_samples;    /* that say something of states */
	bool full;         /* the caller's: there is no memory for more names */
	size_t name_bytes; /* of names that only samples have */
};

/* All is borrowed until state_source_fini(). */
void state_source_init(struct state_source *src, struct thread_states *states, struct session *s);
void state_source_fini(struct state_source *src);

/* Takes a sample, or another record. Returns 0, or the code of states->found(). */
int state_source_take(struct state_source *src, const struct sample_view *v,
		      struct perr *e) MUST_CHECK;
int state_source_take_record(struct state_source *src, const struct replay_event *ev,
			     struct perr *e) MUST_CHECK;

/*
 * Samples that come short, see struct sample_sink: state_source_shorten() returns the number of
 * words, and looks at no more of a sample than SINK_BRIEF says; state_source_take_shorts() does
 * with samples what state_source_take() does. k: their sink.
 */
int state_source_shorten(struct state_source *src, const struct pd_event *ev,
			 const struct pd_sample *s, u64 *words);
int state_source_take_shorts(struct state_source *src, struct sample_sink *k,
			     const struct pd_short *s, size_t nr, struct perr *e) MUST_CHECK;

/* PERR_NOTFOUND: the recording has nothing that says when threads ran. */
int state_source_check(struct state_source *src, struct perr *e) MUST_CHECK;

#endif
