/* SPDX-License-Identifier: MIT */
/*
 * Begins that wait for their end longer than a limit, found while they wait: by the clock of the
 * records and, where none come, by the wall clock.
 */
#ifndef EVENTS_SINKS_HANG_WATCH_H
#define EVENTS_SINKS_HANG_WATCH_H

#include "events/pairs.h"

/* Records that have been written come at most this much later than others: rounds of a recorder. */
#define HANG_DELAY_NS 200000000ull

struct hang_watch {
	u64 limit;    /* ns; 0: off */
	u64 reported; /* begins up to this time (ns) are done with */
	u64 next;     /* not looked at again before this time (ns) */
	u64 time;     /* of the last record, ns; 0: none yet */
	u64 wall;     /* the clock when it came, ns */
	u64 nr;       /* begins that were reported */
	/* The begin is borrowed; ns: how long it has waited so far. */
	void (*found)(void *ctx, const struct open_begin *b, u64 ns);
	void *ctx;
};

/* Call it with the time (ns) of each sample, and the clock (ns) then; 0: there is none, a file is
 * read. */
void hang_watch_take(struct hang_watch *w, const struct open_begins *open, u64 time, u64 wall);

/* Call it from time to time while a stream has no records, with the clock. */
void hang_watch_wait(struct hang_watch *w, const struct open_begins *open, u64 wall);

#endif
