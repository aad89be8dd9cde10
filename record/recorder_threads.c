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
	r->readers = readers_new(&cfg);
	for (size_t i = 0; i < readers_nr(r->readers); i++) {
		char *path = xasprintf("%s/data.%zu", r->folder, i);
		struct rec_sink_opts so = { .path = path,
					    .fd = -1,
					    .compress = o->compress,
					    .max_record_expand = r->expand,
					    .own_thread = r->threaded };
		struct rec_sink *sink;
		int rc = sink_open(&so, NULL, &sink, e);

		free(path);
		if (rc)
			return rc;
		readers_set_sink(r->readers, i, sink);
		recorder_follow_target(r, readers_copier(r->readers, i));
	}
	return 0;
}

int recorder_check_size(struct recorder *r, struct perr *e)
{
	struct rec_sink_stat stat;

	if (!r->readers || !r->o->max_size)
		return 0;
	sink_stat(r->sink, &stat);
	readers_add_stat(r->readers, &stat);
	if (stat.data_bytes < r->o->max_size)
		return 0;
	return perr_set(e, PERR_LIMIT, "%s has reached the limit of --max-size, %llu KB", r->folder,
			(unsigned long long)r->o->max_size >> 10);
}

int recorder_stop_readers(struct recorder *r, struct perr *e)
{
	int rc;

	if (!r->readers)
		return 0;
	rc = readers_stop(r->readers, e);
	readers_add_counts(r->readers, r->copier);
	r->wakeups += readers_wakeups(r->readers);
	return rc;
}
