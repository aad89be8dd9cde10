/* SPDX-License-Identifier: MIT */
/*
 * Moves records from the rings to the sink, and writes what comes before and after them in a file.
 */
#include "record/recorder_priv.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/mem.h"
#include "fileformat/write/record_encode.h"
#include "record/end_message.h"
#include "record/ring/clock_periods.h"
#include "record/ring/lost_counts.h"
#include "record/ring/offcpu_rings.h"
#include "record/before/synthesize.h"

#define MIB 1048576.0
/* Records are collected in batches of this size before they are passed to the sink's thread. */
#define BATCH_BYTES (1u << 20)

/*
 * Tells the copier which tasks the target has, so that it drops other tasks' samples of events that
 * had to be opened for the whole system.
 */
void recorder_follow_target(struct recorder *r, struct rec_copier *copier)
{
	const struct rec_target *t = &r->target;

	for (size_t i = 0; i < t->nr_threads; i++) {
		const struct rec_thread *th = &t->threads[i];

		if (t->kind == REC_TARGET_WORKLOAD)
			copier_follow_command(copier, th->pid);
		else if (!th->gone)
			copier_follow(copier, th->pid, t->kind == REC_TARGET_TIDS ? th->tid : 0);
	}
}

void recorder_begin_offcpu(struct recorder *r)
{
	struct offcpu_rings *o = copier_offcpu(r->copier);
	bool exist = r->target.kind == REC_TARGET_PIDS || r->target.kind == REC_TARGET_TIDS;

	if (o->times)
		offcpu_times_leave_out(o->times, r->o->off_cpu_min_ns);
	if (!offcpu_rings_look(o, r->o->host.procfs))
		return;
	for (size_t i = 0; i < r->target.nr_threads && exist; i++)
		if (!r->target.threads[i].gone)
			offcpu_times_exists(o->times, (u32)r->target.threads[i].pid,
					    (u32)r->target.threads[i].tid);
}

static int batch_flush(struct recorder *r, struct perr *e)
{
	r->periods_set = 0;
	return r->batch.n ? sink_write(r->sink, &r->batch, false, e) : 0;
}

static int pass_parts(struct recorder *r, const struct span *parts, int nr, struct perr *e)
{
	size_t before = r->batch.n;
	int rc;

	if (!r->threaded) {
		rc = copier_pass(r->copier, parts, nr, NULL, e);
		return rc ? rc : sink_write_parts(r->sink, parts, nr, e);
	}
	rc = copier_pass(r->copier, parts, nr, &r->batch, e);
	if (!rc && r->o->max_cpu_percent > 0)
		clock_periods_set(r->l, r->batch.p + before, r->batch.n - before);
	if (!rc && r->batch.n >= BATCH_BYTES)
		rc = batch_flush(r, e);
	return rc;
}

/*
 * Ends one sweep over the rings. last: samples that still wait for their process to be known are
 * decided now, because no more records of the sweep's time will come.
 */
static int end_round(struct recorder *r, bool wrote, bool last, struct perr *e)
{
	int rc;

	wrote |= r->early_wrote;
	r->early_wrote = false;
	r->round_ns = now_ns();
	if (r->threaded)
		copier_end_sweep(r->copier, &r->batch, last);
	rc = batch_flush(r, e);
	/* a pipe's reader passes records on when the round after theirs has ended, even if it is
	 * empty */
	if (rc || (!wrote && !(r->round_waits && rec_opts_to_pipe(r->o))))
		return rc;
	r->round_waits = wrote;
	/*
	 * With --tail-synthesize the file is one single round up to its tail. Readers sort within a
	 * round, and the records about tasks from before the recording carry no time to be sorted
	 * by: had an earlier round ended, its samples would be delivered before those records.
	 */
	if (r->o->tail_synthesize)
		return sink_commit(r->sink, e);
	pd_put_finished_round(&r->marks);
	rc = sink_write(r->sink, &r->marks, true, e);
	return rc ? rc : sink_commit(r->sink, e);
}

static int sweep_rings(struct recorder *r, bool *wrote, struct perr *e)
{
	int rc;

	for (size_t i = 0; i < r->rings.nr; i++) {
		struct rec_ring *ring = &r->rings.rings[i];
		struct span parts[2];
		int nr;

		if (ring->overwrite)
			continue;
		nr = ring_peek(ring, parts);
		if (!nr)
			continue;
		*wrote = true;
		rc = pass_parts(r, parts, nr, e);
		ring_consume(ring);
		if (rc)
			return rc;
	}
	return 0;
}

int recorder_sweep_early(struct recorder *r, struct perr *e)
{
	bool wrote = false;
	int rc = recorder_live_sweep(r, false, &wrote, e);

	r->early_wrote |= wrote;
	return rc;
}

int recorder_sweep(struct recorder *r, bool last, struct perr *e)
{
	bool wrote = false;
	int rc;

	if (r->readers)
		return sink_commit(r->sink, e);
	rc = r->live ? recorder_live_sweep(r, last, &wrote, e) : sweep_rings(r, &wrote, e);
	if (rc)
		return rc;
	if (r->keeper)
		keeper_wake(r->keeper);
	if (r->live && live_chains_hold(r->live)) {
		r->early_wrote |= wrote;
		rc = batch_flush(r, e);
		return rc ? rc : sink_commit(r->sink, e);
	}
	if (r->parts_live) {
		/* as readers do: one round, in several files */
		copier_end_sweep(r->copier, &r->batch, last);
		rc = batch_flush(r, e);
		return rc ? rc : sink_commit(r->sink, e);
	}
	if (r->o->overwrite) {
		/* no round mark: the samples of this time are written with the next snapshot */
		rc = batch_flush(r, e);
		return rc ? rc : sink_commit(r->sink, e);
	}
	return end_round(r, wrote, last, e);
}

int recorder_snapshot(struct recorder *r, struct perr *e)
{
	bool wrote = false;
	int rc = 0;

	for (size_t i = 0; i < r->rings.nr && !rc; i++) {
		struct rec_ring *ring = &r->rings.rings[i];
		struct span parts[2];
		int nr;

		if (!ring->overwrite)
			continue;
		nr = ring_pause_and_peek(ring, r->sys, parts);
		if (nr) {
			wrote = true;
			rc = pass_parts(r, parts, nr, e);
		}
		ring_resume(ring, r->sys);
	}
	/* The other rings hold the FORK, COMM and MMAP records that belong to these samples. */
	if (!rc)
		rc = sweep_rings(r, &wrote, e);
	return rc ? rc : end_round(r, wrote, true, e);
}

/* ---- records about the state before the recording */

static void note_mappings(struct rec_buildids *ids, struct span records)
{
	for (size_t at = 0; at + 8 <= records.n;) {
		const u8 *rec = records.p + at;
		u32 type = get_u32(rec, false);
		u16 size = get_u16(rec + 6, false);

		if (size < 8 || size > records.n - at)
			return;
		if (type == PD_RECORD_MMAP || type == PD_RECORD_MMAP2)
			buildids_note(ids, rec, size);
		at += size;
	}
}

int recorder_synthesize(struct recorder *r, struct perr *e)
{
	struct rec_target t = r->target;
	struct rec_opts o = *r->o;
	struct wbuf b = { 0 };
	int rc;

	/* a command that runs already is handled like any existing process */
	if (t.kind == REC_TARGET_WORKLOAD && r->started)
		t.kind = REC_TARGET_PIDS;
	/* the processes are known, also to the next file */
	o.synth_task_off |= r->lean && r->live_knows_tasks;
	o.synth_mmap_off |= r->lean && r->live_knows_tasks;
	synthesize_all(&b, r->l, &t, &o, r->rings.nr ? r->rings.rings[0].map : NULL);
	note_mappings(r->ids, wb_span(&b));
	recorder_live_learn(r, &t, wb_span(&b));
	recorder_live_hold(r, &b);
	if (r->keeper)
		keeper_wake(r->keeper);
	rc = sink_write(r->sink, &b, true, e);
	wb_fini(&b);
	return rc ? rc : sink_commit(r->sink, e);
}

/* ---- the end of a file and the switch to the next one */

void recorder_keep(struct recorder *r)
{
	struct keep_report report;

	if (!r->keeper)
		return;
	if (!keeper_store(r->keeper, &report))
		diag_warn(
			r->o->diag,
			"build-id cache %s: files of containers, deleted and replaced files are "
			"missing in it: a file system does not answer; -N records without copying",
			r->cache);
	if (report.nr_over)
		diag_warn(r->o->diag,
			  "build-id cache %s: %" PRIu64 " files of containers, deleted or replaced "
			  "files (%.1f MB) were not copied: they are above the limit of %.1f MB; "
			  "--buildid-cache-limit raises it",
			  r->cache, report.nr_over, (double)report.bytes_over / MIB,
			  (double)r->o->buildid_cache_limit / MIB);
	if (report.nr_failed)
		diag_warn(r->o->diag,
			  "build-id cache %s: %" PRIu64 " files of containers, deleted or replaced "
			  "files were not copied: %s",
			  r->cache, report.nr_failed, report.why.text);
	if (r->o->log)
		fprintf(r->o->log, "build-id cache %s: %" PRIu64 " files kept\n", r->cache,
			report.nr_kept);
}

static int late_parts_for(struct recorder *r, struct late_parts *p, struct perr *e)
{
	struct rec_sink_stat stat;
	int rc = sink_drain(r->sink, e);

	recorder_keep(r);
	sink_stat(r->sink, &stat);
	late_parts_make(p, r->o->no_buildid ? NULL : r->ids, r->o, copier_counts(r->copier), &stat,
			r->expand);
	if (!r->o->keep_stacks)
		late_parts_add_unwound(p, r->l, r->live);
	return rc;
}

int recorder_write_tail(struct recorder *r, struct perr *e)
{
	int rc = 0;

	lost_counts_read(r->l, r->copier, &r->marks);
	if (r->marks.n)
		rc = sink_write(r->sink, &r->marks, true, e);
	if (!rc && r->o->tail_synthesize)
		rc = recorder_synthesize(r, e);
	return rc;
}

void recorder_run_hook(struct recorder *r, const char *path)
{
	if (!r->o->switch_hook || !path)
		return;
	if (!r->hook)
		r->hook = switch_hook_new(r->o->switch_hook);
	if (r->hook)
		switch_hook_put(r->hook, path);
	else
		diag_warn(r->o->diag, "--switch-hook: no thread can be created to run it for %s",
			  path);
}

int recorder_switch_file(struct recorder *r, struct perr *e)
{
	struct late_parts late;
	char *path = NULL;
	int rc;

	r->want_switch = false;
	if (r->live)
		live_chains_set_hold(r->live, false);
	rc = r->o->overwrite ? recorder_snapshot(r, e) : recorder_sweep(r, false, e);
	recorder_live_hold_late(r);
	if (!rc && r->o->tail_synthesize)
		rc = recorder_synthesize(r, e);
	if (rc)
		return rc;
	rc = late_parts_for(r, &late, e);
	if (!rc)
		rc = sink_switch(r->sink, late.features, late.nr, &r->parts.head, &path, e);
	late_parts_fini(&late);
	if (rc)
		return rc;
	copier_begin_file(r->copier);
	if (r->live)
		live_chains_begin_file(r->live);
	if (r->lean)
		lean_tasks_begin_file(r->lean);
	end_message_dump(r->o->talk, path, r->wakeups);
	recorder_run_hook(r, path);
	free(path);
	return r->o->tail_synthesize ? 0 : recorder_synthesize(r, e);
}
