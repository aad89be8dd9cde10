/* SPDX-License-Identifier: MIT */
#include "record/ring/copier.h"

#include "base/mem.h"
#include "fileformat/record.h"
#include "record/ring/copied_record.h"
#include "record/ring/event_ids.h"
#include "record/ring/offcpu_rings.h"
#include "record/ring/sample_layout.h"
#include "record/ring/stack_cut.h"
#include "record/ring/target_filter.h"

struct rec_copier {
	const struct rec_evlist *l;
	struct rec_buildids *ids;
	struct live_chains *live; /* NULL: no event is unwound */
	struct lean_tasks *lean;  /* NULL: records about processes are written as they come */
	struct keeper *keeper;    /* NULL: nothing is kept */
	struct task_hits *hits;   /* of the keeper, or own_hits */
	struct task_hits own_hits;
	pthread_mutex_t *notes, own_notes; /* the lock of ids and keeper */
	struct stack_bounds *bounds;
	struct offcpu_rings offcpu;           /* without --off-cpu it does nothing */
	struct target_filter *filter;         /* NULL: every sample belongs to the target */
	const struct sample_layout *tracking; /* layout of the event with the side-band */
	struct rec_counts counts;
	struct sample_layout *layouts; /* by event */
	u64 *lost, *samples;           /* by event: those of LOST_SAMPLES, those that passed */
	struct dropped_samples dropped;
	bool drop;
	struct event_ids ids_of_events;
	u32 id_at;                /* offset of the id in a SAMPLE; 0: none, or not needed */
	u32 id_from_end;          /* offset of the id from the end of other records */
	bool cut, asks_build_ids; /* mappings have the build-ids that the kernel finds */
	u8 *whole; /* buffer for a record in two parts, for functions that need it in one piece */
};

struct rec_copier *copier_new(const struct rec_evlist *l, struct rec_buildids *ids)
{
	struct rec_copier *c = xcalloc(1, sizeof(*c));
	size_t i;

	c->l = l;
	c->ids = ids;
	c->layouts = xcalloc(l->nr + 1, sizeof(*c->layouts));
	c->lost = xcalloc(l->nr + 1, sizeof(*c->lost));
	dropped_samples_init(&c->dropped, l->nr);
	c->samples = xcalloc(l->nr + 1, sizeof(*c->samples));
	c->tracking = &c->layouts[0];
	for (i = 0; i < l->nr; i++) {
		c->layouts[i] = sample_layout_of(l->events[i]);
		if (l->events[i]->is_tracking)
			c->tracking = &c->layouts[i];
		if (pd_attr_has(&l->events[i]->attr, PD_ATTR_BUILD_ID))
			c->asks_build_ids = true;
		if (l->events[i]->whole_system && !c->filter)
			c->filter = xcalloc(1, sizeof(*c->filter));
		if (c->layouts[i].type & PD_SAMPLE_STACK_USER && !c->layouts[i].unwound)
			c->cut = true;
	}
	if (l->nr)
		sample_id_place(&l->events[0]->attr, &c->id_at, &c->id_from_end);
	event_ids_init(&c->ids_of_events, l);
	offcpu_rings_init(&c->offcpu, l);
	if (c->cut)
		c->bounds = stack_bounds_new("/proc");
	c->whole = xmalloc(65536);
	c->notes = &c->own_notes;
	pthread_mutex_init(&c->own_notes, NULL);
	return c;
}

void copier_free(struct rec_copier *c)
{
	if (!c)
		return;
	stack_bounds_free(c->bounds);
	offcpu_rings_fini(&c->offcpu);
	if (c->filter)
		target_filter_fini(c->filter);
	free(c->filter);
	event_ids_fini(&c->ids_of_events);
	free(c->layouts);
	free(c->lost);
	task_hits_fini(&c->own_hits);
	pthread_mutex_destroy(&c->own_notes);
	dropped_samples_fini(&c->dropped);
	free(c->samples);
	free(c->whole);
	free(c);
}

void copier_set_keeper(struct rec_copier *c, struct keeper *keeper)
{
	c->keeper = keeper;
	c->hits = keeper ? keeper_hits(keeper) : NULL;
}

void copier_set_live(struct rec_copier *c, struct live_chains *live)
{
	c->live = live;
}

void copier_set_lean(struct rec_copier *c, struct lean_tasks *lean)
{
	c->lean = lean;
}

void copier_set_drop(struct rec_copier *c, bool drop)
{
	c->drop = drop;
}

struct dropped_samples *copier_dropped(struct rec_copier *c)
{
	return &c->dropped;
}

struct ring_times copier_times(const struct rec_copier *c)
{
	return (struct ring_times){ c->layouts[0].time_at, c->tracking->time_from_end };
}

void copier_share(struct rec_copier *c, struct keeper *keeper, pthread_mutex_t *lock,
		  struct stack_changes *changes)
{
	if (c->bounds)
		stack_bounds_share(c->bounds, changes);
	c->keeper = keeper;
	c->hits = keeper ? &c->own_hits : NULL;
	c->notes = lock;
}

void copier_add_counts(struct rec_copier *to, const struct rec_copier *from)
{
	rec_counts_add(&to->counts, &from->counts);
	for (size_t i = 0; i < to->l->nr; i++) {
		to->lost[i] += from->lost[i];
		to->samples[i] += from->samples[i];
	}
	if (to->hits)
		task_hits_add_all(to->hits, &from->own_hits);
}

bool copier_must_copy(const struct rec_copier *c)
{
	return c->cut || c->filter || c->live || c->offcpu.times || !c->asks_build_ids;
}

void copier_follow(struct rec_copier *c, s32 pid, s32 tid)
{
	if (c->filter)
		target_filter_follow(c->filter, (u32)pid, (u32)tid);
}

void copier_follow_command(struct rec_copier *c, s32 pid)
{
	if (c->filter)
		target_filter_follow_command(c->filter, (u32)pid);
}

void copier_begin_file(struct rec_copier *c)
{
	c->counts.samples_before = c->counts.samples;
}

const struct rec_counts *copier_counts(const struct rec_copier *c)
{
	return &c->counts;
}

struct offcpu_rings *copier_offcpu(struct rec_copier *c)
{
	return &c->offcpu;
}

void copier_event_counts(const struct rec_copier *c, size_t event, u64 *ret_samples, u64 *ret_lost)
{
	*ret_samples = c->samples[event];
	*ret_lost = c->lost[event];
}

/* Returns the layout of a sample's event. Its place in c->layouts is the event's index. */
static const struct sample_layout *layout_of_sample(struct rec_copier *c, const struct ring_view *v)
{
	if (c->l->nr < 2 || !c->id_at || v->size < c->id_at + 8)
		return &c->layouts[0];
	return &c->layouts[event_ids_find(&c->ids_of_events, ring_view_u64(v, c->id_at))];
}

/* Returns true if a sample is known to belong to the target, or if it has no process id to tell. */
static bool is_targets(struct rec_copier *c, const struct sample_layout *l,
		       const struct ring_view *v)
{
	bool timed = l->time_at && v->size >= l->time_at + 8;
	u64 ids;

	if (!c->filter || !l->whole_system || !l->tid_at || v->size < l->tid_at + 8)
		return true;
	ids = ring_view_u64(v, l->tid_at);
	return target_filter_has(c->filter, (u32)ids, (u32)(ids >> 32),
				 timed ? ring_view_u64(v, l->time_at) : 0);
}

/* Counts a sample. Returns true if it was appended to out in a changed form. */
static bool take_sample(struct rec_copier *c, const struct sample_layout *l,
			const struct ring_view *v, struct wbuf *out)
{
	c->counts.samples++;
	c->samples[l - c->layouts]++;
	if (c->hits && l->tid_at && v->size >= l->tid_at + 8)
		task_hits_add(c->hits, (s32)(u32)ring_view_u64(v, l->tid_at));
	if (l->time_at && v->size >= l->time_at + 8) {
		u64 time = ring_view_u64(v, l->time_at);

		if (!c->counts.first_time || time < c->counts.first_time)
			c->counts.first_time = time;
		if (time > c->counts.last_time)
			c->counts.last_time = time;
	}
	return out && c->cut && !l->unwound && stack_cut_put(c->bounds, l, v, out, &c->counts.cut);
}

/* Returns true if the sample has been handled: appended to out in a changed form, or held back. */
static bool note_sample(struct rec_copier *c, const struct ring_view *v, struct wbuf *out)
{
	const struct sample_layout *l = layout_of_sample(c, v);

	if (out && l->is_switch) {
		offcpu_rings_take(&c->offcpu, c->bounds, l, v, &c->counts.cut);
		c->counts.records--;
		return true;
	}

	if (!out || is_targets(c, l, v))
		return take_sample(c, l, v, out);
	c->counts.records--;
	ring_view_copy(v, 0, v->size, target_filter_hold(c->filter, v->size));
	return true;
}

static int unwind_into(struct rec_copier *c, const struct sample_layout *l,
		       const struct ring_view *v, u64 time, struct wbuf *out, struct perr *e)
{
	const u8 *p = v->p;

	if (v->n < v->size) {
		u8 *whole = live_chains_room(c->live, v->size);

		ring_view_copy(v, 0, v->size, whole);
		p = whole;
	}
	return live_chains_put(c->live, (u32)(l - c->layouts), p, v->size, time, out, e);
}

/*
 * A sample of which it is not known whether it is the target's waits with its chain: its process
 * may have other maps then.
 */
static int hold_unwound(struct rec_copier *c, const struct sample_layout *l,
			const struct ring_view *v, u64 time, struct perr *e)
{
	struct wbuf one = { 0 };
	int err = unwind_into(c, l, v, time, &one, e);

	live_chains_flush(c->live);
	if (!err)
		memcpy(target_filter_hold(c->filter, (u32)one.n), one.p, one.n);
	wb_fini(&one);
	return err;
}

static int put_unwound(struct rec_copier *c, const struct sample_layout *l,
		       const struct ring_view *v, u64 time, struct wbuf *out, struct perr *e)
{
	if (!is_targets(c, l, v))
		return hold_unwound(c, l, v, time, e);
	if (c->drop) {
		dropped_samples_note(
			&c->dropped, (size_t)(l - c->layouts),
			c->id_at && v->size >= c->id_at + 8 ? ring_view_u64(v, c->id_at) : 0);
		return 0;
	}
	c->counts.records++;
	(void)take_sample(c, l, v, NULL);
	return unwind_into(c, l, v, time, out, e);
}

struct copier_output {
	struct rec_copier *c;
	struct wbuf *out;
};

/*
 * Appends a sample that waited to out if it belongs to the target by now; returns whether it does.
 */
static bool settle_sample(void *ctx, const u8 *record, u32 size)
{
	struct copier_output *s = ctx;
	struct ring_view v = { .p = record, .rest = record, .n = size, .size = size };
	const struct sample_layout *l = layout_of_sample(s->c, &v);

	if (!is_targets(s->c, l, &v))
		return false;
	s->c->counts.records++;
	if (!take_sample(s->c, l, &v, s->out))
		wb_mem(s->out, record, size);
	return true;
}

void copier_end_sweep(struct rec_copier *c, struct wbuf *out, bool last)
{
	struct copier_output s = { c, out };
	size_t before = out->n;
	u64 made;

	made = offcpu_rings_settle(&c->offcpu, out, last);
	c->counts.samples += made;
	c->counts.records += made;
	if (!c->filter)
		return;
	target_filter_settle(c->filter, last, settle_sample, &s);
	c->counts.bytes_out += out->n - before;
	c->counts.foreign = c->filter->nr_foreign;
	c->counts.given_up = c->filter->nr_given_up;
}

/* Passes a new process to the keeper: the record is {pid, ppid, tid, ptid, time}. */
static void note_fork(struct rec_copier *c, const struct ring_view *v)
{
	u64 pids = v->size >= 16 ? ring_view_u64(v, 8) : 0;

	if ((u32)pids == (u32)(pids >> 32))
		return;
	pthread_mutex_lock(c->notes);
	keeper_forked(c->keeper, (s32)(u32)pids, (s32)(pids >> 32));
	pthread_mutex_unlock(c->notes);
}

static void note_lost(struct rec_copier *c, const struct ring_view *v, u32 type)
{
	u64 lost, id = 0;

	/* LOST is about all events of a ring: its id is that of the next one that found room */
	if (type == PD_RECORD_LOST && v->size >= 24) {
		c->counts.lost_records += ring_view_u64(v, 16);
		return;
	}
	if (type == PD_RECORD_LOST_SAMPLES && v->size >= 16) {
		lost = ring_view_u64(v, 8);
		if (c->id_from_end && v->size >= 16 + c->id_from_end)
			id = ring_view_u64(v, v->size - c->id_from_end);
		c->counts.lost_samples += lost;
		if (c->l->nr)
			c->lost[event_ids_find(&c->ids_of_events, id)] += lost;
	}
}

static void note_mapping(struct rec_copier *c, const struct ring_view *v)
{
	if (c->bounds && v->size >= 16)
		stack_bounds_forget_process(c->bounds, (u32)ring_view_u64(v, 8));
	if (!c->ids)
		return;
	if (v->n < v->size)
		ring_view_copy(v, 0, v->size, c->whole);
	pthread_mutex_lock(c->notes);
	buildids_note(c->ids, v->n < v->size ? c->whole : v->p, v->size);
	pthread_mutex_unlock(c->notes);
}

/*
 * Counts and notes a record by its type. Returns true if the record has been handled and must not
 * be copied.
 */
static bool note_record(struct rec_copier *c, const struct ring_view *v, u32 type, u16 misc,
			struct wbuf *out)
{
	if (c->filter &&
	    (type == PD_RECORD_FORK || type == PD_RECORD_MMAP || type == PD_RECORD_MMAP2 ||
	     (type == PD_RECORD_COMM && misc & PD_MISC_COMM_EXEC)))
		target_filter_note_record(c->filter, c->tracking, v, type);
	if (c->offcpu.times && type != PD_RECORD_SAMPLE)
		offcpu_rings_note(&c->offcpu, c->tracking, v, type, misc);
	switch (type) {
	case PD_RECORD_SAMPLE: return c->l->nr && note_sample(c, v, out);
	case PD_RECORD_LOST:
	case PD_RECORD_LOST_SAMPLES: note_lost(c, v, type); break;
	case PD_RECORD_THROTTLE: c->counts.throttled++; break;
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: note_mapping(c, v); break;
	case PD_RECORD_FORK:
		if (c->keeper)
			note_fork(c, v);
		break;
	case PD_RECORD_EXIT:
		if (c->bounds && v->size >= 24)
			stack_bounds_forget_thread(c->bounds, (u32)ring_view_u64(v, 16));
		break;
	case PD_RECORD_COMM:
		if (c->bounds && misc & PD_MISC_COMM_EXEC && v->size >= 16)
			stack_bounds_forget_process(c->bounds, (u32)ring_view_u64(v, 8));
		break;
	}
	return false;
}

/* Returns true if the record has been handled; a sample has what it needs before it. */
static bool put_lean(struct rec_copier *c, const struct ring_view *v, u64 time, struct wbuf *out)
{
	const struct sample_layout *l = layout_of_sample(c, v);
	u16 misc;
	u64 ids;

	if (get_u32(v->p, false) == PD_RECORD_SAMPLE) {
		ids = l->tid_at && v->size >= l->tid_at + 8 ? ring_view_u64(v, l->tid_at) : 0;
		lean_tasks_need(c->lean, (u32)ids, (u32)(ids >> 32), time, NULL, 0, out);
		return false;
	}
	ring_view_copy(v, 0, v->size, c->whole);
	if (!lean_tasks_wants(c->whole, v->size))
		return false;
	misc = copied_record_misc(c->whole, v->size);
	memcpy(c->whole + 4, &misc, sizeof(misc));
	live_chains_before_lean(c->live);
	lean_tasks_note(c->lean, c->whole, v->size, out);
	return true;
}

int copier_put(struct rec_copier *c, const struct ring_view *v, u64 time, struct wbuf *out,
	       struct perr *e)
{
	u64 head = get_u64(v->p, false);

	c->counts.bytes_in += v->size;
	if ((u32)head == PD_RECORD_SAMPLE && c->l->nr) {
		const struct sample_layout *l = layout_of_sample(c, v);

		if (l->unwound)
			return put_unwound(c, l, v, time, out, e);
	}
	c->counts.records++;
	if (note_record(c, v, (u32)head, (u16)(head >> 32), out))
		return 0;
	if (!c->lean || !put_lean(c, v, time, out))
		copied_record_put(v, out);
	return 0;
}

int copier_pass(struct rec_copier *c, const struct span *parts, int nr_parts, struct wbuf *out,
		struct perr *e)
{
	size_t total = 0, at = 0, before = out ? out->n : 0;
	struct span first = nr_parts > 0 ? parts[0] : span_of(NULL, 0);
	struct span second = nr_parts > 1 ? parts[1] : span_of(NULL, 0);
	int err = 0;

	if (c->bounds)
		stack_bounds_new_round(c->bounds);
	total = first.n + second.n;
	while (at < total) {
		bool in_first = at < first.n;
		struct ring_view v = {
			.p = in_first ? first.p + at : second.p + (at - first.n),
			.rest = second.p,
		};
		size_t room = in_first ? first.n - at : total - at;
		u64 head;

		/* a record's header never wraps: the kernel aligns records to 8 bytes */
		if (room < 8) {
			err = perr_set(e, PERR_FORMAT, "a ring ends within a record's header");
			break;
		}
		head = get_u64(v.p, false);
		v.size = (u32)(head >> 48);
		v.n = room < v.size ? (u32)room : v.size;
		if (v.size < 8 || v.size % 8 || v.size > total - at) {
			err = perr_set(e, PERR_FORMAT,
				       "a record of %u bytes in a ring with %zu bytes left", v.size,
				       total - at);
			break;
		}
		c->counts.records++;
		if (!note_record(c, &v, (u32)head, (u16)(head >> 32), out) && out)
			copied_record_put(&v, out);
		at += v.size;
	}
	c->counts.bytes_in += at;
	c->counts.bytes_out += out ? out->n - before : at;
	return err;
}
