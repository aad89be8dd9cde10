/* SPDX-License-Identifier: MIT */
/*
 * Which processes lead to a file that one of them has mapped: those that have it mapped as well,
 * and the parents of all of them, which mostly have the same root directory. A short-lived process
 * is often gone when its samples are unwound, while the next one that runs the file still lives.
 */
#ifndef RECORD_LIVE_LIVE_OWNERS_H
#define RECORD_LIVE_LIVE_OWNERS_H

#include "machine/machine.h"
#include "record/live/live_notes.h"

struct live_owner {
	u32 pid;
	u64 start, end; /* of a map of the file, run-time addresses; 0, 0: a parent */
};

#define LIVE_OWNERS_MAX 40

#define LIVE_OWNERS_PARENTS 4096

struct live_owners {
	struct machine *machine;
	const struct live_notes *notes;
	/* of the last processes that were made, at pid % LIVE_OWNERS_PARENTS: also those that are
	 * gone */
	struct live_parent {
		u32 pid, ppid;
	} parents[LIVE_OWNERS_PARENTS];
};

/* Of each record that is applied to the machine. */
void live_owners_note(struct live_owners *o, const struct pd_record *r);

/*
 * Writes to ret at most LIVE_OWNERS_MAX processes for the file of an object, those that are most
 * likely still there first: the last ones that mapped it, then those of the machine, then parents,
 * also of the nr processes in pids. Returns how many. Some may be gone. Neither the machine nor the
 * notes may change meanwhile, and one thread at a time may call it.
 */
size_t live_owners_find(const struct live_owners *o, const struct dso *dso, const u32 *pids,
			size_t nr, struct live_owner *ret);

#endif
