/* SPDX-License-Identifier: MIT */
/*
 * Makes the samples of the event offcpu-time (docs/FORMAT.md 2.13) while a recording is copied:
 * from the samples of a switch event, which say where a thread leaves the CPU and how, and from
 * SWITCH records, which say when it comes back.
 *
 * The two may lie in the rings of different CPUs, which are read one after the other. What does not
 * fit the order off, on, off, on of its thread therefore waits for one more sweep: what is missing
 * before it is read then. What is made of it is newer than the sweep before, so that readers, which
 * sort by rounds, still sort it correctly.
 */
#ifndef RECORD_OFFCPU_OFFCPU_TIMES_H
#define RECORD_OFFCPU_OFFCPU_TIMES_H

#include "base/bytes.h"
#include "base/wbuf.h"
#include "fileformat/events.h"
#include "record/model/rec_event.h"
#include "record/offcpu/late_look.h"

struct offcpu_times;

/* Times that are no sample of offcpu-time, and why. */
struct offcpu_counts {
	u64 made;            /* samples written */
	u64 ns;              /* their sum */
	u64 broken;          /* left out, because records may be missing in them */
	u64 brief, brief_ns; /* left out, because they are short; their sum */
	u64 missed;          /* switches that were not recorded */
	u64 looked;          /* of those made: with a stack that was looked at later */
};

/* source: the switch event, NULL: there are only SWITCH records; made: offcpu-time. Their attrs are
 * complete. */
struct offcpu_times *offcpu_times_new(const struct rec_event *source, const struct rec_event *made);
void offcpu_times_free(struct offcpu_times *t);

/* What the rings say of a thread. Times are ns of the recording's clock. */

/*
 * A sample of the switch event: the thread leaves the CPU. record is the whole record, which is
 * copied.
 */
void offcpu_times_sample(struct offcpu_times *t, struct span record);
void offcpu_times_switch(struct offcpu_times *t, u32 pid, u32 tid, u32 cpu, u64 time, bool out,
			 bool preempted);
void offcpu_times_begin(struct offcpu_times *t, u32 pid, u32 tid, u64 time);
void offcpu_times_end(struct offcpu_times *t, u32 tid, u64 time);
/*
 * From now on looks at threads that are off the CPU for long and of whose stack no sample tells;
 * the made samples have room for registers and stack if there is no source. look is copied.
 */
void offcpu_times_look(struct offcpu_times *t, const struct late_look *look);
/*
 * A thread that exists when the recording begins. If nothing is said of it until the end, and it is
 * asleep then, it was off the CPU all the time. With offcpu_times_look() only.
 */
void offcpu_times_exists(struct offcpu_times *t, u32 pid, u32 tid);
/* Times below min_ns are only counted from now on. */
void offcpu_times_leave_out(struct offcpu_times *t, u64 min_ns);
/* Records were lost before this time. */
void offcpu_times_lost(struct offcpu_times *t, u64 time);

/*
 * Ends a sweep over all rings: appends the samples that can be made to out. last: there will be no
 * more records; threads that are off the CPU then get a sample up to the last time seen.
 */
void offcpu_times_settle(struct offcpu_times *t, struct wbuf *out, bool last);

struct offcpu_counts offcpu_times_counts(const struct offcpu_times *t);

#endif
