/* SPDX-License-Identifier: MIT */
#include "count/counts.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "count/count_parts.h"
#include "count/count_result.h"
#include "count/count_workers.h"
#include "count/counts_priv.h"
#include "count/late_kernel.h"
#include "machine/machine_waits.h"
#include "session/filter.h"
#include "session/sample_sink.h"
#include "session/session.h"

#define MAX_COUNTERS 64
#define SAMPLES_PER_CHECK 4096 /* between two checks of cfg.max_mem */

struct count_run {
	struct counts_config cfg;
	struct session *session;
	struct sample_sink sink;
	struct counter *counters;
	unsigned int nr; /* counters; one more behind them is spare, see result_merge */
	struct count_workers *workers;
	struct batch_order *batches; /* NULL: nothing is joined */
	struct kept_maps kept;       /* of samples that wait for their callers */
	bool late; /* kernel frames get their maps at the end: see count/late_kernel.h */
	struct late_kernel kernel;
	bool has_pending; /* some stacks are counted after all others, once they are joined */
};

/* Decodes the whole sample where only its head was decoded; false when it is damaged. */
static bool decode_rest(struct count_run *r, const struct sample_view *v)
{
	struct replay_event *ev = v->ev;
	struct perr e;

	if (!ev->head_only)
		return true;
	ev->head_only = false;
	if (!pd_read_sample(ev->ev, &ev->rec, r->session->pd->swap, &ev->sample, &e))
		return true;
	counter_add_broken(&r->counters[0], &ev->rec, &e, v->nr);
	return false;
}

static struct count_run *run_of(struct sample_sink *k)
{
	return CONTAINER_OF(k, struct count_run, sink);
}

/*
 * Decode samples fully until the first one in the kernel: it decides when kernel symbols must be
 * loaded.
 */
static bool awaits_kernel(const struct count_run *r)
{
	const struct machine *mc = r->session->machine;

	return !r->late && !mc->kernel_settled && mc->kernel_map;
}

static int see_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct count_run *r = run_of(k);

	(void)e;
	if (!awaits_kernel(r))
		return 0;
	if (!decode_rest(r, v))
		return 1;
	machine_settle_kernel(r->session->machine, &v->ev->sample);
	return 0;
}

static int check_memory(struct count_run *r, struct perr *e)
{
	if (!r->cfg.max_mem || count_workers_bytes(r->workers) <= r->cfg.max_mem)
		return 0;
	return perr_set(e, PERR_LIMIT, "its stacks and rows need more than the %llu bytes allowed",
			(unsigned long long)r->cfg.max_mem);
}

static u32 parallelism_of(const struct count_run *r)
{
	return r->cfg.columns >> COUNT_PARALLELISM & 1 ? machine_parallelism(r->session->machine)
						       : 0;
}

static int add_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct count_run *r = run_of(k);
	const struct thread *th = v->thread;
	struct mapset *kernel_maps = v->task.kernel_maps;
	struct replay_event *ev = v->ev;
	const struct count_task task = { .comm = th->comm,
					 .pid = th->pid,
					 .tid = th->tid,
					 .user_maps = th->process->maps,
					 .kernel_maps = kernel_maps,
					 .cgroup_ns = th->cgroup_ns,
					 .parallelism = parallelism_of(r) };

	if (r->late)
		late_kernel_note(&r->kernel, kernel_maps, ev->sample.cpumode);
	if (ev->head_only) {
		count_workers_add(r->workers, ev->ev, &ev->rec, &task, v->nr);
	} else {
		count_workers_begin_other(r->workers);
		counter_add(&r->counters[0], ev->ev, &ev->sample, &task, v->nr);
		count_workers_end_other(r->workers, &task);
	}
	return (v->nr + 1) % SAMPLES_PER_CHECK ? 0 : check_memory(r, e);
}

static int add_filtered(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct count_run *r = run_of(k);

	(void)e;
	if (decode_rest(r, v))
		counter_add_filtered(&r->counters[0], v->ev->ev, &v->ev->sample, parallelism_of(r));
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct count_broken *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Warns of damaged samples, in the order of the file whichever counter met them. */
static void warn_of_broken(struct count_run *r)
{
	struct count_broken *all = NULL;
	size_t nr = 0, cap = 0, i;
	unsigned int k;

	for (k = 0; k < r->nr; k++) {
		struct counter *c = &r->counters[k];

		for (i = 0; i < c->nr_broken; i++)
			vec_push(all, nr, cap, c->broken[i]);
		while (c->nr_broken_samples) {
			r->sink.stats.nr_samples--;
			r->sink.stats.nr_broken_samples++;
			c->nr_broken_samples--;
		}
	}
	if (nr)
		qsort(all, nr, sizeof(*all), by_rank);
	for (i = 0; i < nr; i++)
		diag_warn(r->session->diag, "%s: %s: sample skipped (offset %#llx)",
			  r->session->pd->path, all[i].text, (unsigned long long)all[i].off);
	free(all);
}

/*
 * How the counters become one result, in five stages:
 *
 *	result_join	the samples that waited for callers are counted: all tables are complete
 *	result_close	no address is looked up any more: the caches for that are freed
 *	result_merge	all frames are in one counter, `from`; stacks hold its final frame ids
 *	result_build	frames and rows of struct counts are made, side by side
 *	result_take	stacks, blobs and sums move from `from` into struct counts
 */
struct count_result {
	struct count_run *r;
	struct counts *c;
	struct counter *from;      /* one of r->counters, since result_merge */
	struct count_merge *merge; /* NULL: there is nothing to merge */
	struct count_order order;
	struct count_loading *loading; /* since result_close: symbols are read meanwhile */
	bool settled;                  /* kernel frames have their maps */
};

static void finish_pending(void *ctx, size_t i)
{
	struct count_result *m = ctx;

	counter_finish(&m->r->counters[i], m->c->priv->joins);
}

static void result_join(struct count_result *m)
{
	struct count_run *r = m->r;

	for (unsigned int i = 0; i < r->nr; i++) {
		r->has_pending |= r->counters[i].has_truncated;
		machine_stacks_rest(r->counters[i].user);
	}
	if (!r->has_pending)
		return;
	m->c->priv->joins = batch_order_finish(r->batches);
	parallel_run(r->nr, r->nr, finish_pending, m);
}

static void result_close(struct count_result *m)
{
	struct count_run *r = m->r;

	for (unsigned int i = 0; i < r->nr; i++)
		count_frames_forget_places(&r->counters[i].frames);
	/* by symbol the symbols were loaded while samples were counted */
	if (r->cfg.resolve && !r->cfg.by_symbol && r->nr > 1)
		m->loading = count_loading_start(r->counters, r->nr);
}

static void result_merge(struct count_result *m)
{
	struct count_run *r = m->r;
	struct counter *empty = &r->counters[r->nr];

	m->settled = !r->late;
	if (r->late && late_kernel_is_mixed(&r->kernel, r->counters, r->nr)) {
		/* frames that differed until now may be the same: merge all into a fresh table */
		late_kernel_settle(&r->kernel, r->counters, r->nr);
		m->settled = true;
		m->from = empty;
		m->merge = count_merge_frames(empty, r->counters, r->nr, r->nr, false, &m->order);
	} else {
		m->from = &r->counters[0];
		/* one counter needs it too when joined samples were counted out of their order */
		if (r->nr > 1 || r->has_pending)
			m->merge = count_merge_frames(m->from, r->counters + 1, r->nr - 1, r->nr,
						      true, &m->order);
	}
	count_loading_join(m->loading);
	count_frames_freeze(&m->from->frames);
}

/*
 * Frees the other counters before it builds the rows, so that the rows reuse pages that are faulted
 * in already.
 */
static void build_rows(struct count_result *m)
{
	struct count_run *r = m->r;

	if (m->merge)
		count_merge_rows(m->merge, r->nr, &m->order);
	for (unsigned int i = 0; i <= r->nr; i++)
		if (&r->counters[i] != m->from)
			counter_fini(&r->counters[i]);
	counter_freeze(m->from);
	count_result_rows(m->c, m->from, &m->order);
}

/* May run beside build_rows: it changes the maps of frames, which their hashes do not depend on. */
static void build_frames(struct count_result *m)
{
	struct count_run *r = m->r;

	if (!m->settled)
		late_kernel_settle(&r->kernel, m->from, 1);
	count_result_frames(m->c, m->from, m->order.frames);
	if (r->cfg.resolve)
		counts_resolve(m->c);
	if (r->cfg.on_frames)
		r->cfg.on_frames(r->cfg.on_frames_ctx, m->c);
}

/* Two pieces of work. The first is begun first: it takes longer. */
static void build_piece(void *ctx, size_t i)
{
	if (i)
		build_rows(ctx);
	else
		build_frames(ctx);
}

static void result_build(struct count_result *m)
{
	parallel_run(m->r->nr, 2, build_piece, m);
	count_frames_fini(&m->from->frames);
	count_order_fini(&m->order);
}

static void result_take(struct count_result *m)
{
	counter_take_window(m->from, m->c);
	m->c->stats = m->r->sink.stats;
	m->c->columns = m->r->cfg.columns;
}

static struct counts *make_result(struct count_run *r)
{
	struct count_result m = { .r = r, .c = xcalloc(1, sizeof(*m.c)) };

	m.c->priv = xcalloc(1, sizeof(*m.c->priv));
	m.c->priv->nr_threads = r->nr;
	m.c->priv->waits = r->cfg.waits ? machine_waits_map(r->session->machine) : NULL;
	m.c->priv->by_symbol = r->cfg.by_symbol;
	warn_of_broken(r);
	result_join(&m);
	result_close(&m);
	result_merge(&m);
	result_build(&m);
	result_take(&m);
	return m.c;
}

/* Whether kernel frames are named as they come. */
static bool names_kernel(const struct count_run *r)
{
	return r->cfg.by_symbol && pd_data_bytes(r->session->pd) >= r->cfg.kernel_names_from;
}

static void count_run_init(struct count_run *r, struct session *s, const struct counts_config *cfg)
{
	bool leaf_of_branches = s->pd->format == TEXT_PERF_6_1;

	r->session = s;
	r->cfg = counts_config_with_defaults(cfg);
	r->nr = cfg->threads ? cfg->threads : parallel_nr_cpus();
	if (r->nr > MAX_COUNTERS)
		r->nr = MAX_COUNTERS;
	/* a filter on places and data addresses need the map of each address at once */
	r->late = !(cfg->filter && filter_needs_frame(cfg->filter)) &&
		  !(cfg->columns >> COUNT_ADDR & 1) && !names_kernel(r);
	r->counters = xcalloc(r->nr + 1, sizeof(*r->counters));
	for (unsigned int i = 0; i <= r->nr; i++)
		counter_init(&r->counters[i], &r->cfg, r->late, leaf_of_branches,
			     counts_new_unwinder(s, &r->cfg));
	late_kernel_init(&r->kernel, s);
	r->sink = (struct sample_sink){
		.flags = SINK_HEADS | SINK_LATE_KERNEL |
			 (cfg->keep_deferred_apart ? SINK_DEFERRED_APART : 0),
		.seen = see_sample,
		.sample = add_sample,
		.filtered = add_filtered,
	};
	if (r->counters[0].joins)
		r->batches = batch_order_new(cfg->only_joins);
}

static void count_run_fini(struct count_run *r)
{
	late_kernel_fini(&r->kernel);
	for (unsigned int i = 0; i <= r->nr; i++)
		counter_fini(&r->counters[i]);
	free(r->counters);
	/* after the counters: these hold the maps that their waiting samples point to */
	count_workers_free(r->workers);
	kept_maps_fini(&r->kept);
	batch_order_free(r->batches);
}

static int count_all(struct count_run *r, const struct sample_query *q, struct perr *e)
{
	const struct count_parts parts = { .session = r->session,
					   .cfg = &r->cfg,
					   .counters = r->counters,
					   .nr = r->nr,
					   .late = r->late,
					   .kernel = &r->kernel,
					   .batches = r->batches,
					   .kept = &r->kept,
					   .stats = &r->sink.stats };
	int err;

	if (count_parts_can(r->session, &r->cfg, r->counters[0].user))
		return count_parts_run(&parts, e);
	r->workers = count_workers_new(r->session->pd, r->counters, r->nr, r->batches);
	err = session_run(r->session, q, &r->sink, e);
	count_workers_finish(r->workers);
	return err;
}

int counts_run(struct session *s, const struct counts_config *cfg, struct counts **ret,
	       struct perr *e)
{
	const struct sample_query q = {
		.filter = cfg->filter,
		.wanted_events = cfg->wanted_events,
		.switch_on = cfg->switch_on ? s->pd->events[cfg->switch_on - 1] : NULL,
		.switch_off = cfg->switch_off ? s->pd->events[cfg->switch_off - 1] : NULL,
		.show_switches = cfg->show_switches,
		.switch_before_filter = true,
		.progress = cfg->progress,
	};
	struct count_run r = { 0 };
	int err;

	*ret = NULL;
	err = session_begin_pass(s, cfg->pass ? cfg->pass : "counting samples", cfg->pass_flags, e);
	if (err)
		return err;
	count_run_init(&r, s, cfg);
	err = count_all(&r, &q, e);
	if (cfg->progress)
		progress_say(cfg->progress, "bringing counts together", 0);
	if (err != PERR_LIMIT)
		*ret = make_result(&r);
	count_run_fini(&r);
	return err;
}

void counts_free(struct counts *c)
{
	if (!c)
		return;
	join_table_free(c->priv->joins);
	blobs_fini(&c->priv->stacks);
	blobs_fini(&c->priv->blobs);
	count_tails_fini(&c->priv->tails);
	table_free(c->priv->frames, c->priv->nr_frames * sizeof(*c->priv->frames));
	table_free(c->priv->values, c->priv->values_size);
	for (size_t i = 0; i < c->priv->nr_syms; i++)
		free(c->priv->syms[i]);
	free(c->priv->syms);
	free(c->priv);
	table_free(c->rows, c->nr_rows * sizeof(*c->rows));
	free(c->events);
	free(c);
}

struct join_table *counts_take_joins(struct counts *c)
{
	struct join_table *t = c->priv->joins;

	c->priv->joins = NULL;
	return t;
}

const struct count_tail *counts_tails(const struct counts *c, size_t *ret_nr)
{
	*ret_nr = c->priv->tails.nr;
	return c->priv->tails.items;
}

size_t counts_nr_stacks(const struct counts *c)
{
	return c->priv->stacks.nr;
}

const struct frame *counts_frame(const struct counts *c, u32 id)
{
	return &c->priv->frames[id];
}

size_t counts_nr_frames(const struct counts *c)
{
	return c->priv->nr_frames;
}

struct span counts_blob(const struct counts *c, u64 id)
{
	return blobs_get(&c->priv->blobs, id);
}
