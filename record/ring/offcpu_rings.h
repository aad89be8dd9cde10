/* SPDX-License-Identifier: MIT */
/* What the records in the rings say about times off the CPU: the door of record/offcpu. */
#ifndef RECORD_RING_OFFCPU_RINGS_H
#define RECORD_RING_OFFCPU_RINGS_H

#include "record/offcpu/offcpu_times.h"
#include "record/ring/stack_cut.h"

struct offcpu_rings {
	struct offcpu_times *times; /* NULL: without --off-cpu */
	s32 clockid;                /* of the recording */
	struct wbuf sample;         /* of the switch event, in one piece */
};

void offcpu_rings_init(struct offcpu_rings *o, const struct rec_evlist *l);
/*
 * The events are enabled now. Threads may be looked at then (record/offcpu/late_look.h), below
 * procfs, which must outlive o, if the recording has a clock that can be read here. Returns
 * whether.
 */
bool offcpu_rings_look(struct offcpu_rings *o, const char *procfs);
void offcpu_rings_fini(struct offcpu_rings *o);

/*
 * Takes a sample of the switch event, which is not written. bounds: to cut its stack copy, counted
 * in cut; NULL: it has none.
 */
void offcpu_rings_take(struct offcpu_rings *o, struct stack_bounds *bounds,
		       const struct sample_layout *l, const struct ring_view *v,
		       struct stack_cut_counts *cut);

/* Takes a record that is no sample; tracking: the layout of its event. */
void offcpu_rings_note(struct offcpu_rings *o, const struct sample_layout *tracking,
		       const struct ring_view *v, u32 type, u16 misc);

/* Ends a sweep, as offcpu_times_settle(). Returns how many samples were appended. */
u64 offcpu_rings_settle(struct offcpu_rings *o, struct wbuf *out, bool last);

/* Returns false without --off-cpu. */
bool offcpu_rings_counts(const struct offcpu_rings *o, struct offcpu_counts *ret);

#endif
