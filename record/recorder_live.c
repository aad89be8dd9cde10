/* SPDX-License-Identifier: MIT */
/* --call-graph unwind: stacks become call chains on their way from the rings to the sink. */
#include "record/recorder_priv.h"

#include "record/before/synthesize.h"
#include "fileformat/write/record_encode.h"

/* Records are passed to the sink's thread in batches of this size. */
#define BATCH_BYTES (1u << 20)

void recorder_live_open(struct recorder *r)
{
	const struct rec_evlist *l = r->l;
	bool wanted = false;

	for (size_t i = 0; i < l->nr; i++)
		wanted |= l->events[i]->unwound;
	if (!wanted)
		return;
	r->live = live_chains_new(r->o->host.procfs, r->o->keep_stacks, r->o->diag);
	for (size_t i = 0; i < l->nr; i++)
		live_chains_add_event(r->live, &l->events[i]->attr);
	copier_set_live(r->copier, r->live);
	ring_merge_init(&r->merge, &r->rings, copier_times(r->copier));
}

void recorder_live_close(struct recorder *r)
{
	if (!r->live)
		return;
	ring_merge_fini(&r->merge);
	live_chains_free(r->live);
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

/* Passes on what is known of the records so far, and gives their space back to the kernel. */
static int flush(struct recorder *r, struct perr *e)
{
	live_chains_flush(r->live);
	ring_merge_consume(&r->merge);
	return r->batch.n >= BATCH_BYTES ? sink_write(r->sink, &r->batch, false, e) : 0;
}

int recorder_live_sweep(struct recorder *r, bool *wrote, struct perr *e)
{
	struct ring_view v;
	u64 time;
	int got, err = ring_merge_begin(&r->merge, note_side_band, r->live, e);

	if (err)
		return err;
	live_chains_notes_end(r->live);
	while ((got = ring_merge_next(&r->merge, &v, &time, e)) == 1) {
		*wrote = true;
		err = copier_put(r->copier, &v, time, &r->batch, e);
		if (!err && ring_merge_is_full(&r->merge))
			err = flush(r, e);
		if (err)
			return err;
	}
	if (got < 0)
		return got;
	err = flush(r, e);
	live_chains_advance(r->live, r->merge.last);
	live_chains_end_sweep(r->live);
	return err;
}
