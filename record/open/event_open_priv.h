/* SPDX-License-Identifier: MIT */
/* State of opening all events, shared by event_open.c and event_refusal.c. */
#ifndef RECORD_OPEN_EVENT_OPEN_PRIV_H
#define RECORD_OPEN_EVENT_OPEN_PRIV_H

#include "base/wbuf.h"
#include "record/open/event_open.h"
#include "record/open/fallback.h"

/* Result of an attempt to open an event, or of a round of attempts. */
enum outcome {
	OUT_OK,
	/* the thread has ended or may not be recorded: continue with the next one */
	OUT_NO_THREAD,
	OUT_AGAIN, /* attrs or the list of events have changed: open everything again */
	OUT_FAIL,  /* give up; p->e has the cause */
};

struct opener {
	struct rec_evlist *l;
	struct rec_target *t;
	struct rec_opts *o;
	const struct rec_sys *sys;
	struct perr *e;
	size_t nr_cpus; /* rows of the matrices of descriptors; 1 for events on any CPU */
	struct fallback_kernel kernel;
	struct event_fallback *tries; /* fallbacks by index of the event */
	struct rec_rights rights;
	bool have_rights;
	u64 fds_wanted;
	struct perr first_refusal; /* cause for the first event that was left out */
	size_t nr_denied;          /* threads that this process may not record */
	struct rec_thread first_denied;
	struct wbuf attr;      /* attr of the current attempt, as passed to the kernel */
	struct pd_attr logged; /* attr that -vv printed last */
	bool have_logged;
};

/*
 * Decides how to continue after the kernel refused ev with sys_errno on thread index th of p->t:
 * with a changed attr, without the thread, without the event, or not at all. OUT_OK: try the same
 * CPU and thread again. pid and cpu: of the refused attempt.
 */
enum outcome opener_recover(struct opener *p, struct rec_event *ev, size_t th, s32 pid, s32 cpu,
			    int sys_errno);

/* Sets p->e to advice on the refusal. Returns OUT_FAIL. */
enum outcome opener_fail(struct opener *p, const struct rec_event *ev, s32 pid, s32 cpu,
			 int sys_errno);

#endif
