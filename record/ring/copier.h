/* SPDX-License-Identifier: MIT */
/*
 * From ring to output, record by record: counts what passes, cuts stack copies down to their valid
 * bytes (dyn_size), notes build-ids of what is mapped. The only place that knows what lies between
 * a kernel's ring and the file.
 */
#ifndef RECORD_RING_COPIER_H
#define RECORD_RING_COPIER_H

#include "base/wbuf.h"
#include "record/header/buildids.h"
#include "record/model/rec_event.h"

struct rec_counts {
	u64 samples, records;
	u64 lost_records; /* sum of LOST */
	u64 lost_samples; /* sum of LOST_SAMPLES */
	u64 throttled;
	u64 bytes_in, bytes_out;
	u64 first_time, last_time; /* of samples, ns of the recording's clock; 0 when untimed */
	u64 stack_bytes_asked, stack_bytes_valid;
	u64 stacks, stacks_full; /* copies, and copies whose every byte was valid: too small */
	/* of whole_system events: samples of others than the target, which count nowhere else */
	u64 foreign;
	u64 given_up; /* samples that were dropped before it was known whose they are */
};

struct rec_copier;

/* l and ids stay the caller's and must outlive the copier. ids may be NULL. */
struct rec_copier *copier_new(const struct rec_evlist *l, struct rec_buildids *ids);
void copier_free(struct rec_copier *c);

/*
 * Whose samples of whole_system events are kept: the process pid, or with tid != 0 its thread tid
 * alone, and all that it starts from now on. Nothing happens where there are no such events.
 */
void copier_follow(struct rec_copier *c, s32 pid, s32 tid);
/* A process that has not executed the target's command yet: followed from then on. */
void copier_follow_command(struct rec_copier *c, s32 pid);

/*
 * True when records must pass through copier_pass with an out: stack copies are to be cut, or
 * samples to be dropped.
 */
bool copier_must_copy(const struct rec_copier *c);

/*
 * Walks the records of one sweep of a ring (parts as of ring_peek). out NULL: looks only. Else
 * appends them to out, stacks cut. Whole records only: a tail that is no whole record is a BUG of
 * the kernel and is dropped with PERR_FORMAT.
 */
int copier_pass(struct rec_copier *c, const struct span *parts, int nr_parts, struct wbuf *out,
		struct perr *e) MUST_CHECK;

/*
 * All rings have been passed once. Appends samples that waited for word of whose they are, and
 * drops those that waited for a whole sweep. last: none waits any longer; all samples that were
 * passed must be older than the sweep.
 */
void copier_end_sweep(struct rec_copier *c, struct wbuf *out, bool last);

const struct rec_counts *copier_counts(const struct rec_copier *c);

/* Lost samples of an event by its LOST/LOST_SAMPLES records so far. */
u64 copier_lost(const struct rec_copier *c, const struct rec_event *ev);

#endif
