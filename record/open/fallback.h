/* SPDX-License-Identifier: MIT */
/*
 * The attempts that follow when the kernel refuses an event (FORMAT.md 5.3): a change to its attr
 * for one errno, each at most once, in stock perf's order. record/open/event_open drives it.
 */
#ifndef RECORD_OPEN_FALLBACK_H
#define RECORD_OPEN_FALLBACK_H

#include "record/open/advice.h"

/* What the whole recording has learnt about the kernel. */
struct fallback_kernel {
	u32 missing; /* features the kernel does not know, left out of every event */
	u32 proven;  /* features that an opened event uses */
};

/* What has been tried for one event. Zero-initialised is a fresh one. */
struct event_fallback {
	struct pd_attr asked; /* as it was before anything was tried */
	char *asked_name;     /* malloc'd; NULL: nothing was tried */
	u32 dropped;          /* features tried to do without */
	bool clock_done, user_done, guest_done;
	s64 paranoid; /* what user_done was for */
};
void event_fallback_fini(struct event_fallback *f);

/* Drops from ev's attr the features that earlier events showed to be missing in the kernel. */
void fallback_apply(const struct fallback_kernel *k, struct rec_event *ev);

/*
 * Changes ev for another attempt after the errno sys_errno. False when nothing is left to try:
 * call fallback_undo then.
 */
bool fallback_next(struct event_fallback *f, const struct fallback_kernel *k, struct rec_event *ev,
		   int sys_errno, const struct rec_rights *r);

/* Gives ev back its attr and name as they were before the first fallback_next. */
void fallback_undo(struct event_fallback *f, struct rec_event *ev);

/*
 * ev is open: what was dropped is missing in the kernel from now on, what it uses is proven. A
 * feature that an option requires (the clock of -k, --overwrite, aux-output) is an error now:
 * PERR_KERNEL.
 */
int fallback_opened(struct event_fallback *f, struct fallback_kernel *k, struct rec_event *ev,
		    struct perr *e) MUST_CHECK;

/* Whether fallback_opened failed because of the clock of -k. */
bool fallback_is_clocks_fault(const struct event_fallback *f);

/* Warns in d about each change that was made to an event which is open: one line for each kind. */
void fallback_tell(const struct event_fallback *f, struct diag *d);

/* Whether descriptors are opened close-on-exec (Linux 3.14). */
bool fallback_cloexec(const struct event_fallback *f, const struct fallback_kernel *k);

#endif
