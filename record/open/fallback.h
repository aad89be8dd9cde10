/* SPDX-License-Identifier: MIT */
/*
 * Changes the attr of an event that the kernel has refused for further attempts (FORMAT.md 5.3):
 * one change for an errno, each at most once, in stock perf's order. record/open/event_open calls
 * it.
 */
#ifndef RECORD_OPEN_FALLBACK_H
#define RECORD_OPEN_FALLBACK_H

#include "record/open/open_advice.h"

/* Facts about the kernel that opening events has shown so far. */
struct fallback_kernel {
	u32 missing; /* features that the kernel lacks; they are dropped from every event */
	u32 proven;  /* features that an opened event uses */
};

/* The changes that have been tried for one event. Zero-initialised: none. */
struct event_fallback {
	struct pd_attr asked; /* attr before the first change */
	/* name before the first change, malloc'd; NULL: no change has been tried */
	char *asked_name;
	u32 dropped; /* features that were dropped */
	bool clock_done, user_done, guest_done;
	s64 paranoid; /* perf_event_paranoid when user_done was set */
};
void event_fallback_fini(struct event_fallback *f);

/* Drops from ev's attr the features that the kernel has been found to lack. */
void fallback_apply(const struct fallback_kernel *k, struct rec_event *ev);

/*
 * Changes ev for another attempt after errno sys_errno. Returns false if nothing is left to try;
 * call fallback_undo then.
 */
bool fallback_next(struct event_fallback *f, const struct fallback_kernel *k, struct rec_event *ev,
		   int sys_errno, const struct rec_rights *r);

/* Restores the attr and name that ev had before the first fallback_next. */
void fallback_undo(struct event_fallback *f, struct rec_event *ev);

/*
 * Records that ev is open: the features dropped for it are missing in the kernel, the features that
 * it uses are supported. Fails with PERR_KERNEL if a dropped feature is required by an option (the
 * clock of -k, --overwrite, aux-output).
 */
int fallback_opened(struct event_fallback *f, struct fallback_kernel *k, struct rec_event *ev,
		    struct perr *e) MUST_CHECK;

/* Returns true if fallback_opened failed because of the clock of -k. */
bool fallback_is_clocks_fault(const struct event_fallback *f);

/*
 * Warns in d about the changes that were made to an open event, one line for each kind.
 * expects_clock: not about cpu-clock in place of cycles.
 */
void fallback_warn(const struct event_fallback *f, bool expects_clock, struct diag *d);

/* Returns true if descriptors should be opened close-on-exec, a flag that Linux has since 3.14. */
bool fallback_cloexec(const struct event_fallback *f, const struct fallback_kernel *k);

#endif
