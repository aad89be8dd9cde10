/* SPDX-License-Identifier: MIT */
/* The opening of all events: its state, and what follows a refusal (event_refusal.c). */
#ifndef RECORD_OPEN_EVENT_OPEN_PRIV_H
#define RECORD_OPEN_EVENT_OPEN_PRIV_H

#include "base/wbuf.h"
#include "record/open/event_open.h"
#include "record/open/fallback.h"

/* What comes of one attempt to open an event, or of a round of attempts. */
enum outcome {
	OUT_OK,
	OUT_NO_THREAD, /* the thread has ended: go on with the next one */
	OUT_AGAIN,     /* attrs or events have changed: everything is opened anew */
	OUT_FAIL,      /* p->e says why */
};

struct opener {
	struct rec_evlist *l;
	struct rec_target *t;
	struct rec_opts *o;
	const struct rec_sys *sys;
	struct perr *e;
	size_t nr_cpus; /* 1 where any CPU will do */
	struct fallback_kernel kernel;
	struct event_fallback *tries; /* of the events, by idx */
	struct rec_rights rights;
	bool have_rights;
	u64 fds_wanted;
	struct perr first_refusal; /* of an event that was left out */
	size_t nr_denied;          /* threads that may not be watched */
	struct rec_thread first_denied;
	struct wbuf attr;      /* of the attempt */
	struct pd_attr logged; /* printed last */
	bool have_logged;
};

/*
 * Decides what follows after the kernel refused ev on thread th (its index in p->t) with sys_errno:
 * another attempt with a changed attr, without the thread, without the event, or an end. OUT_OK:
 * try the same place again. pid and cpu are those of the attempt.
 */
enum outcome opener_recover(struct opener *p, struct rec_event *ev, size_t th, s32 pid, s32 cpu,
			    int sys_errno);

/* Fills p->e with advice on the refusal. Returns OUT_FAIL. */
enum outcome opener_fail(struct opener *p, const struct rec_event *ev, s32 pid, s32 cpu,
			 int sys_errno);

#endif
