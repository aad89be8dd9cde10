/* SPDX-License-Identifier: MIT */
#include "record/ring/offcpu_rings.h"

#include <time.h>

#include "fileformat/record.h"
#include "record/host/process_memory.h"

void offcpu_rings_init(struct offcpu_rings *o, const struct rec_evlist *l)
{
	const struct rec_event *source = NULL, *made = NULL;

	*o = (struct offcpu_rings){ 0 };
	for (size_t i = 0; i < l->nr; i++) {
		source = l->events[i]->is_switch ? l->events[i] : source;
		made = l->events[i]->is_made ? l->events[i] : made;
	}
	if (!made)
		return;
	o->times = offcpu_times_new(source, made);
	o->clockid = pd_attr_has(&made->attr, PD_ATTR_USE_CLOCKID) ? made->attr.clockid : -1;
}

static u64 read_clock(void *ctx)
{
	const struct offcpu_rings *o = ctx;
	struct timespec t = { 0 };

	(void)clock_gettime(o->clockid, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

bool offcpu_rings_look(struct offcpu_rings *o, const char *procfs)
{
	const struct late_look look = {
		.procfs = procfs, .now = read_clock, .read = process_memory_read, .ctx = o
	};

	if (!o->times || o->clockid < 0)
		return false;
	offcpu_times_look(o->times, &look);
	return true;
}

void offcpu_rings_fini(struct offcpu_rings *o)
{
	offcpu_times_free(o->times);
	wb_fini(&o->sample);
}

void offcpu_rings_take(struct offcpu_rings *o, struct stack_bounds *bounds,
		       const struct sample_layout *l, const struct ring_view *v,
		       struct stack_cut_counts *cut)
{
	struct wbuf *b = &o->sample;

	b->n = 0;
	if (!bounds || !stack_cut_put(bounds, l, v, b, cut)) {
		b->n = 0;
		ring_view_copy(v, 0, v->size, wb_add(b, v->size));
	}
	offcpu_times_sample(o->times, wb_span(b));
}

void offcpu_rings_note(struct offcpu_rings *o, const struct sample_layout *tracking,
		       const struct ring_view *v, u32 type, u16 misc)
{
	u32 from_end = tracking->time_from_end;
	u64 time, ids;

	if (!from_end || v->size < 8 + from_end + 8)
		return;
	time = ring_view_u64(v, v->size - from_end);
	/* the trailer begins with pid and tid; CPU and id are its last fields */
	ids = ring_view_u64(v, v->size - from_end - 8);
	switch (type) {
	case PD_RECORD_SWITCH:
	case PD_RECORD_SWITCH_CPU_WIDE:
		offcpu_times_switch(o->times, (u32)ids, (u32)(ids >> 32),
				    (u32)ring_view_u64(v, v->size - 16), time,
				    misc & PD_MISC_SWITCH_OUT, misc & PD_MISC_SWITCH_OUT_PREEMPT);
		break;
	case PD_RECORD_FORK: /* {pid, ppid, tid, ptid, time} */
		if (v->size >= 32 && time)
			offcpu_times_begin(o->times, (u32)ring_view_u64(v, 8),
					   (u32)ring_view_u64(v, 16), time);
		break;
	case PD_RECORD_EXIT:
		if (v->size >= 32)
			offcpu_times_end(o->times, (u32)ring_view_u64(v, 16), time);
		break;
	case PD_RECORD_LOST: offcpu_times_lost(o->times, time); break;
	}
}

u64 offcpu_rings_settle(struct offcpu_rings *o, struct wbuf *out, bool last)
{
	u64 before;

	if (!o->times)
		return 0;
	before = offcpu_times_counts(o->times).made;
	offcpu_times_settle(o->times, out, last);
	return offcpu_times_counts(o->times).made - before;
}

bool offcpu_rings_counts(const struct offcpu_rings *o, struct offcpu_counts *ret)
{
	if (o->times)
		*ret = offcpu_times_counts(o->times);
	return o->times;
}
