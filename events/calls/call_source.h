/* SPDX-License-Identifier: MIT */
/*
 * What the records of a recording say about system calls: they feed a struct call_trace. Events of
 * all calls (raw_syscalls:sys_enter, sys_exit), or of single ones (syscalls:sys_enter_openat),
 * whose arguments are those of the recorded format. Where the recording has both, those of all
 * calls count.
 */
#ifndef EVENTS_CALLS_CALL_SOURCE_H
#define EVENTS_CALLS_CALL_SOURCE_H

#include "events/calls/call_trace.h"
#include "events/losses.h"
#include "session/sample_sink.h"
#include "session/session.h"

struct call_event;

struct call_source {
	struct call_trace *trace;
	struct session *s;
	struct call_event *events; /* of the recording, by their idx; NULL: not known yet */
	size_t nr;
	bool has_ends, is_live;
	bool is_own_arch; /* the recording is of this machine's architecture */
	struct losses losses;
};

/* trace and s must outlive src. is_live: the threads run now, and their memory is read. */
void call_source_init(struct call_source *src, struct call_trace *trace, struct session *s,
		      bool is_live);
void call_source_fini(struct call_source *src);

void call_source_take(struct call_source *src, const struct pd_event *ev,
		      const struct pd_sample *s);
/* Any other record. */
void call_source_record(struct call_source *src, const struct replay_event *rec);

/* After the pass. Fails with PERR_NOTFOUND where the recording has no ends of system calls. */
int call_source_check(struct call_source *src, struct perr *e) MUST_CHECK;

#endif
