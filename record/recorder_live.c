/* SPDX-License-Identifier: MIT */
/* --call-graph unwind: stacks become call chains on their way from the rings to the sink. */
#include "record/recorder_priv.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/pages.h"
#include "record/before/synthesize.h"
#include "record/ring/clock_periods.h"

/* Records are passed to the sink's thread in batches of this size. */
#define BATCH_BYTES (1u << 20)
#define MAX_LAST_SWEEPS 16
/* Parts of a ring after which the reader wakes: of one as large as its rate asks for, and of others
 */
#define WAKE_SHARE 8u
#define WAKE_SHARE_LEAST 32u
#define MIN_SAMPLES 16u
#define MIN_COPY 8192u
#define SAMPLE_REST 2048u /* bytes of a sample besides the copy */

/* More than this share of a ring, in percent, is no time to wait for a file. */
#define HURRY_LOAD 50u

static bool rings_fill(void *ctx)
{
	const struct recorder *r = ctx;

	return ring_merge_load(&r->merge) > HURRY_LOAD;
}

void recorder_live_open(struct recorder *r)
{
	const struct rec_evlist *l = r->l;
	bool wanted = false;

	for (size_t i = 0; i < l->nr; i++)
		wanted |= l->events[i]->unwound;
	if (!wanted)
		return;
	pages_share_heap();
	r->live = live_chains_new(r->o->host.procfs, r->o->keep_stacks, r->o->diag);
	for (size_t i = 0; i < l->nr; i++)
		live_chains_add_event(r->live, &l->events[i]->attr);
	copier_set_live(r->copier, r->live);
	if (r->o->lean) {
		r->lean = lean_tasks_new(copier_times(r->copier).other_from_end);
		copier_set_lean(r->copier, r->lean);
		live_chains_set_lean(r->live, r->lean);
	}
	ring_merge_init(&r->merge, &r->rings, copier_times(r->copier));
	live_chains_set_hurry(r->live, (struct live_hurry){ rings_fill, r });
}

void recorder_live_hold_late(struct recorder *r)
{
	if (r->live && r->threaded && !r->parts_live && !r->o->overwrite)
		live_chains_set_hold(r->live, true);
}

/* Where rings have to be small, so have the copies: several samples must fit. */
static void fit_copy(struct pd_attr *a, u64 ring_bytes)
{
	u64 room = ring_bytes / MIN_SAMPLES;

	room = room > MIN_COPY + SAMPLE_REST ? room - SAMPLE_REST : MIN_COPY;
	/* a size that the event's term gives is not the default */
	if (a->sample_stack_user == REC_STACK_MAX && a->sample_stack_user > room)
		a->sample_stack_user = (u32)room & ~7u;
}

/*
 * The kernel wakes the reader when a ring is half full. The sooner a sample is read, the more often
 * a stack that is deeper than its copy is still in the memory of its process.
 */
void recorder_live_wake_early(struct recorder *r, u64 ring_bytes)
{
	const struct rec_evlist *l = r->l;
	u64 share = ring_bytes <= RING_LIVE_BYTES ? WAKE_SHARE_LEAST : WAKE_SHARE;
	bool wanted = false;

	for (size_t i = 0; i < l->nr; i++) {
		wanted |= l->events[i]->unwound;
		if (l->events[i]->unwound && !r->o->stack_size_given)
			fit_copy(&l->events[i]->attr, ring_bytes);
	}
	for (size_t i = 0; wanted && i < l->nr; i++) {
		struct pd_attr *a = &l->events[i]->attr;

		if (a->wakeup_events_or_watermark)
			continue;
		a->flags |= 1ull << PD_ATTR_WATERMARK;
		a->wakeup_events_or_watermark = (u32)(ring_bytes / share);
	}
}

static void warn_of_overload(const struct recorder *r, const struct chainer_counts *all)
{
	u64 dropped = 0;

	for (size_t i = 0; i < r->l->nr; i++)
		dropped += copier_dropped(r->copier)->events[i].nr;
	if (!all->reused && !all->few && !dropped)
		return;
	diag_warn(r->o->diag,
		  "unwinding could not keep up: of %" PRIu64 " stacks, %" PRIu64
		  " have the outer frames of the thread's stack before, %" PRIu64
		  " have 16 frames at most; %" PRIu64
		  " samples were dropped: record at a lower rate (-F) or with less of each stack "
		  "(--call-graph unwind,16384)",
		  all->stacks, all->reused, all->few, dropped);
}

void recorder_live_tell(const struct recorder *r)
{
	struct chainer_counts all = { 0 };

	if (!r->live)
		return;
	for (size_t i = 0; i < r->l->nr; i++) {
		struct chainer_counts n = live_chains_counts(r->live, (u32)i);

		all.stacks += n.stacks;
		all.joined += n.joined - n.reused;
		all.reused += n.reused;
		all.few += n.few;
		all.ends[UNWIND_ROOT] += n.ends[UNWIND_ROOT];
	}
	warn_of_overload(r, &all);
	if (!all.stacks || !r->o->talk)
		return;
	fprintf(r->o->talk,
		"[ prec: unwound %" PRIu64 " stacks, %" PRIu64
		" of them to the start of the thread",
		all.stacks, all.ends[UNWIND_ROOT]);
	if (all.joined)
		fprintf(r->o->talk, "; %" PRIu64 " were deeper than their copies", all.joined);
	fputs(" ]\n", r->o->talk);
}

void recorder_live_close(struct recorder *r)
{
	if (!r->live)
		return;
	ring_merge_fini(&r->merge);
	live_chains_free(r->live);
	lean_tasks_free(r->lean);
}

static void apply_all(struct live_chains *live, struct span records)
{
	for (size_t at = 0; at + 8 <= records.n;) {
		u16 size = get_u16(records.p + at + 6, false);

		if (size < 8 || size > records.n - at)
			return;
		live_chains_apply(live, records.p + at, size);
		at += size;
	}
}

void recorder_live_learn(struct recorder *r, const struct rec_target *t, struct span records)
{
	const struct rec_opts *o = r->o;

	if (!r->live || r->live_knows_tasks)
		return;
	r->live_knows_tasks = true;
	if (o->synth_none || o->synth_task_off || o->synth_mmap_off || o->tail_synthesize) {
		/* the file is to lack them, or has them at its end, but unwinding needs them */
		struct rec_opts all = *o;
		struct wbuf b = { 0 };

		all.synth_none = all.synth_task_off = all.synth_mmap_off = false;
		synthesize_all(&b, r->l, t, &all, r->rings.nr ? r->rings.rings[0].map : NULL);
		apply_all(r->live, wb_span(&b));
		wb_fini(&b);
	} else {
		apply_all(r->live, records);
	}
}

void recorder_live_hold(struct recorder *r, struct wbuf *records)
{
	struct wbuf others = { 0 };

	for (size_t at = 0; r->lean && at + 8 <= records->n;) {
		const u8 *p = records->p + at;
		u16 size = get_u16(p + 6, false);

		if (lean_tasks_wants(p, size))
			lean_tasks_note(r->lean, p, size, &others);
		else
			wb_mem(&others, p, size);
		at += size;
	}
	if (!r->lean)
		return;
	wb_fini(records);
	*records = others;
}

static void note_side_band(void *ctx, const struct ring_view *v, u64 time)
{
	struct live_chains *live = ctx;
	u8 whole[65536];

	if (v->n >= v->size) {
		live_chains_note(live, v->p, v->size, time);
		return;
	}
	ring_view_copy(v, 0, v->size, whole);
	live_chains_note(live, whole, v->size, time);
}

/* Does less for the next samples if prec cannot keep up. Side-band is never dropped. */
static void choose_level(struct recorder *r)
{
	enum overload_level level =
		overload_level(&r->overload, ring_merge_load(&r->merge), now_ns());

	live_chains_set_level(r->live, level);
	copier_set_drop(r->copier, level == OVERLOAD_DROP);
}

/* With --max-cpu: samples were written whose periods are those of another rate. */
static void set_periods(struct recorder *r)
{
	struct wbuf *b = &r->batch;

	if (r->o->max_cpu_percent <= 0)
		return;
	if (r->periods_set > b->n) /* it was written meanwhile */
		r->periods_set = 0;
	clock_periods_set(r->l, b->p + r->periods_set, b->n - r->periods_set);
	r->periods_set = b->n;
}

static int write_batch(struct recorder *r, struct perr *e)
{
	r->periods_set = 0;
	return sink_write(r->sink, &r->batch, false, e);
}

/* Passes on the batches of `least` bytes and more. */
static int write_batches(struct recorder *r, size_t least, struct perr *e)
{
	int err = 0;

	if (!r->parts_live)
		return r->batch.n >= least ? write_batch(r, e) : 0;
	for (size_t i = 0; i < r->layout.nr && !err; i++) {
		struct live_part *p = &r->parts_live[i];

		if (p->batch.n && p->batch.n >= least)
			err = sink_write(p->sink, &p->batch, false, e);
	}
	return err;
}

/* Passes on what is known of the records so far, and gives their space back to the kernel. */
static int flush(struct recorder *r, struct perr *e)
{
	live_chains_flush(r->live);
	set_periods(r);
	ring_merge_consume(&r->merge);
	choose_level(r);
	return write_batches(r, BATCH_BYTES, e);
}

/* Where records of the ring go that the last one came from. */
static struct wbuf *batch_of_ring(struct recorder *r)
{
	const struct rec_ring *ring = &r->rings.rings[r->merge.last_ring];
	size_t place = 0;

	if (!r->parts_live)
		return &r->batch;
	if (ring->cpu >= 0)
		place = reader_layout_place_of(&r->layout, (u32)ring->cpu);
	live_chains_set_lane(r->live, place);
	return &r->parts_live[place].batch;
}

static int sweep(struct recorder *r, bool *wrote, struct perr *e)
{
	struct ring_view v;
	u64 time;
	int got, err = ring_merge_begin(&r->merge, note_side_band, r->live, e);

	if (err)
		return err;
	live_chains_notes_end(r->live);
	choose_level(r);
	while ((got = ring_merge_next(&r->merge, &v, &time, e)) == 1) {
		*wrote = true;
		err = copier_put(r->copier, &v, time, batch_of_ring(r), e);
		if (!err && ring_merge_is_full(&r->merge))
			err = flush(r, e);
		if (err)
			return err;
	}
	if (got < 0)
		return got;
	err = flush(r, e);
	if (!err && r->parts_live)
		err = write_batches(r, 1, e);
	live_chains_advance(r->live, r->merge.last);
	live_chains_end_sweep(r->live);
	return err;
}

int recorder_live_sweep(struct recorder *r, bool last, bool *wrote, struct perr *e)
{
	bool more = true;
	int err = 0;

	overload_begin(&r->overload, now_ns());
	/* the last records of one CPU may make those of another wait for the next sweep */
	for (int i = 0; !err && more && i < (last ? MAX_LAST_SWEEPS : 1); i++) {
		more = false;
		err = sweep(r, &more, e);
		*wrote |= more;
	}
	dropped_samples_put(copier_dropped(r->copier), r->l, &r->batch);
	overload_end(&r->overload, now_ns());
	return err;
}
