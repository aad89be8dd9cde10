/* SPDX-License-Identifier: MIT */
/* The state of a running recording, shared by recorder.c, recorder_wait.c and recorder_sweep.c. */
#ifndef RECORD_RECORDER_PRIV_H
#define RECORD_RECORDER_PRIV_H

#include <poll.h>
#include <signal.h>

#include "record/control.h"
#include "record/head_parts.h"
#include "record/recorder.h"
#include "record/ring/ring.h"
#include "record/schedule.h"
#include "record/workload.h"

struct recorder {
	struct rec_opts *o;
	struct rec_evlist *l;
	const struct rec_sys *sys;
	struct rec_rights rights;
	struct rec_target target;
	struct workload child;
	struct control control;
	struct schedule schedule;
	struct rec_rings rings;
	struct rec_buildids *ids;
	struct rec_copier *copier;
	struct rec_sink *sink;
	struct head_parts parts;
	struct wbuf batch, marks;
	u64 expand;
	bool threaded; /* the sink has a thread: records are copied to it */
	bool started;  /* the command runs, or there is none */
	bool stop;
	bool want_switch, want_snapshot;
	int signal_fd, end_signal;
	sigset_t old_mask;
	u64 wakeups, file_start_bytes;
	struct pollfd *polls;
};

/* Prints a line about what happened to o->talk; prints nothing with -q, where that is NULL. */
static inline void recorder_talk(const struct recorder *r, const char *text)
{
	if (r->o->talk) {
		fprintf(r->o->talk, "%s\n", text);
		fflush(r->o->talk);
	}
}

/* recorder_wait.c: signals come as records of a descriptor, so that nothing interrupts anything. */
int recorder_signals_open(struct recorder *r, struct perr *e) MUST_CHECK;
/* Waits for the rings, signals, --control and the command, and takes in what they say. */
int recorder_wait(struct recorder *r, struct perr *e) MUST_CHECK;

/*
 * recorder_sweep.c: everything that is in the rings now, and a round mark. last: the events are
 * off, there will be no more.
 */
int recorder_sweep(struct recorder *r, bool last, struct perr *e) MUST_CHECK;
/* --overwrite: what the rings hold of the time before now. */
int recorder_snapshot(struct recorder *r, struct perr *e) MUST_CHECK;
/* What was there before: maps, processes, event details. */
int recorder_synthesize(struct recorder *r, struct perr *e) MUST_CHECK;
/* The last records of a file: lost counts, and --tail-synthesize. */
int recorder_write_tail(struct recorder *r, struct perr *e) MUST_CHECK;
/* --switch-output: ends this file and goes on in the next. */
int recorder_switch_file(struct recorder *r, struct perr *e) MUST_CHECK;

#endif
