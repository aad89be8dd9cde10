/* SPDX-License-Identifier: MIT */
/* With --threads: which thread reads which rings, and the files of the recording's folder. */
#include "record/recorder_priv.h"

#include <stdlib.h>

#include "base/mem.h"
#include "record/sink/sink_path.h"

int recorder_plan_readers(struct recorder *r, struct perr *e)
{
	struct rec_target *t = &r->target;
	struct cpu_list cpus;
	int rc;

	if (!r->o->has_threads)
		return 0;
	rc = reader_layout_make(&r->layout, r->o->threads, &t->cpus, &r->o->host, e);
	if (rc || t->kind != REC_TARGET_SYSTEM)
		return rc;
	/* CPUs that no mask names are not recorded, as if -C had left them out */
	cpus = reader_layout_cpus(&r->layout);
	if (cpus.nr < t->cpus.nr)
		t->cpus_given = true;
	cpu_list_fini(&t->cpus);
	t->cpus = cpus;
	return 0;
}

const char *recorder_make_folder(struct recorder *r, struct perr *e)
{
	const char *path = r->o->output ? r->o->output : "perf.data";

	if (sink_path_make_folder(path, e))
		return NULL;
	r->folder = xstrdup(path);
	r->head_path = xasprintf("%s/data", path);
	return r->head_path;
}

/* Returns true if samples of tasks outside the target are to be dropped. */
static bool must_filter(const struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->events[i]->whole_system)
			return true;
	return false;
}

static int open_part(struct recorder *r, size_t i, struct rec_sink **ret, struct perr *e)
{
	char *path = xasprintf("%s/data.%zu", r->folder, i);
	struct rec_sink_opts so = { .path = path,
				    .fd = -1,
				    .compress = r->o->compress,
				    .max_record_expand = r->expand,
				    .own_thread = r->threaded };
	int rc = sink_open(&so, NULL, ret, e);

	free(path);
	return rc;
}

/* Of a thread that unwinds the samples of a place's CPUs: it runs where the user wants it to. */
static void begin_lane(void *ctx, size_t lane)
{
	const struct recorder *r = ctx;

	readers_run_on(&r->layout.places[lane].runs_on);
}

static int divide_live(struct recorder *r, struct perr *e)
{
	r->parts_live = xcalloc(r->layout.nr, sizeof(*r->parts_live));
	for (size_t i = 0; i < r->layout.nr; i++) {
		int err = open_part(r, i, &r->parts_live[i].sink, e);

		if (err)
			return err;
	}
	return live_chains_add_threads(r->live, r->layout.nr, begin_lane, r, e);
}

static int close_parts(struct recorder *r, struct perr *e)
{
	int err = 0;

	for (size_t i = 0; r->parts_live && i < r->layout.nr; i++) {
		struct live_part *p = &r->parts_live[i];
		int drained, closed;

		if (!p->sink)
			continue;
		drained = sink_drain(p->sink, err ? NULL : e);
		sink_stat(p->sink, &p->stat);
		closed = sink_close(p->sink, NULL, 0, !err, NULL, err || drained ? NULL : e);
		p->sink = NULL;
		if (!err)
			err = drained ? drained : closed;
	}
	return err;
}

int recorder_open_readers(struct recorder *r, struct perr *e)
{
	const struct rec_opts *o = r->o;
	struct readers_config cfg = { .l = r->l,
				      .rings = &r->rings,
				      .layout = &r->layout,
				      .ids = o->no_buildid ? NULL : r->ids,
				      .keeper = r->keeper,
				      .copies = r->threaded,
				      .keeps_priority = o->realtime_prio != 0,
				      .sweep_ms = recorder_sweep_ms(r->o) };

	if (must_filter(r->l) && r->layout.nr > 1) {
		diag_warn(o->diag, "--threads: one thread reads all rings, because it has to tell "
				   "whether a sample of a probe belongs to the target");
		reader_layout_join(&r->layout);
	}
	if (r->live)
		return divide_live(r, e);
	r->readers = readers_new(&cfg);
	for (size_t i = 0; i < readers_nr(r->readers); i++) {
		struct rec_sink *sink;
		int rc = open_part(r, i, &sink, e);

		if (rc)
			return rc;
		readers_set_sink(r->readers, i, sink);
		recorder_follow_target(r, readers_copier(r->readers, i));
	}
	return 0;
}

void recorder_add_parts(const struct recorder *r, struct rec_sink_stat *stat)
{
	if (r->readers)
		readers_add_stat(r->readers, stat);
	for (size_t i = 0; r->parts_live && i < r->layout.nr; i++) {
		const struct live_part *p = &r->parts_live[i];
		struct rec_sink_stat s = p->stat;

		if (p->sink)
			sink_stat(p->sink, &s);
		rec_sink_stat_add(stat, &s);
	}
}

int recorder_check_size(struct recorder *r, struct perr *e)
{
	struct rec_sink_stat stat;

	if (!r->o->has_threads || !r->o->max_size)
		return 0;
	sink_stat(r->sink, &stat);
	recorder_add_parts(r, &stat);
	if (stat.data_bytes < r->o->max_size)
		return 0;
	return perr_set(e, PERR_LIMIT, "%s has reached the limit of --max-size, %llu KB", r->folder,
			(unsigned long long)r->o->max_size >> 10);
}

int recorder_stop_readers(struct recorder *r, struct perr *e)
{
	int rc;

	if (!r->readers)
		return close_parts(r, e);
	rc = readers_stop(r->readers, e);
	readers_add_counts(r->readers, r->copier);
	r->wakeups += readers_wakeups(r->readers);
	return rc;
}

void recorder_free_parts(struct recorder *r)
{
	if (!r->parts_live)
		return;
	if (close_parts(r, NULL))
		recorder_talk(r, "error while closing the output after an earlier error");
	for (size_t i = 0; i < r->layout.nr; i++)
		wb_fini(&r->parts_live[i].batch);
	free(r->parts_live);
}
