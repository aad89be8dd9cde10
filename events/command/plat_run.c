/* SPDX-License-Identifier: MIT */
#include "events/command/plat_run.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/progress.h"
#include "events/analysis.h"
#include "events/series/pair_shorts.h"
#include "events/series/series_text.h"
#include "events/live.h"
#include "events/sinks/around.h"
#include "events/sinks/hang_watch.h"
#include "events/sinks/heat_text.h"
#include "events/sinks/time_stacks.h"
#include "events/stacks/folded_page.h"
#include "profile/reader_command.h"

struct plat_run {
	const struct reader_command *rc;
	struct plat_options *opt;
	struct sample_sink sink;
	struct perfdata *pd;
	struct session *s;
	struct series series;
	struct pair_shorts shorts;
	struct value_text text;
	struct heat_map *heat;     /* NULL: none is wanted */
	struct time_stacks stacks; /* with --folded */
	struct around around;      /* with --around */
	/* --open, by leg of the series */
	struct leg_watch {
		struct hang_watch hangs;
		struct plat_run *run;
		const struct series_leg *leg;
	} watches[SERIES_MAX_LEGS];
	bool is_stream;
	struct out *o;
};

static struct plat_run *run_of(struct sample_sink *k)
{
	return (struct plat_run *)((char *)k - offsetof(struct plat_run, sink));
}

/* --lines: an event that counts is printed. */
static int take_line(struct plat_run *r, const struct sample_view *v, struct perr *e)
{
	const struct pairs *p = &r->series.legs[0].pairs;
	u64 before = p->nr_ends;
	int err = series_take(&r->series, v, e);
	struct occurrence at;

	if (err || p->nr_ends == before)
		return err;
	occurrence_init(&at, v, true);
	table_text_put_event(r->o, p, &at, &r->opt->table, &r->text);
	occurrence_fini(&at);
	return r->o->failed ? perr_io(e, "cannot write") : 0;
}

/* --open */
static void put_open(void *ctx, const struct open_begin *b, u64 ns)
{
	struct leg_watch *w = ctx;
	struct plat_run *r = w->run;

	if (r->series.nr_legs > 1)
		out_printf(r->o, "%s: ", w->leg->name);
	table_text_put_open(r->o, &w->leg->pairs, b, ns, &r->opt->table, &r->text);
}

static void start_watches(struct plat_run *r)
{
	for (size_t i = 0; i < r->series.nr_legs; i++) {
		struct leg_watch *w = &r->watches[i];

		*w = (struct leg_watch){ .run = r, .leg = &r->series.legs[i] };
		w->hangs = (struct hang_watch){ .limit = r->opt->open_than,
						.found = put_open,
						.ctx = w };
	}
}

/* A sample of this time has come. */
static void watch(struct plat_run *r, u64 time)
{
	u64 wall = r->is_stream ? now_ns() : 0;

	for (size_t i = 0; i < r->series.nr_legs; i++)
		hang_watch_take(&r->watches[i].hangs, &r->series.legs[i].pairs.open, time, wall);
}

/* When the events are known. */
static int start_series(struct plat_run *r, struct perr *e)
{
	int err = series_start(&r->series, r->pd, e);

	if (err || r->series.nr_legs != 1)
		return err;
	if (pairs_are_brief(&r->series.legs[0].pairs))
		r->sink.flags |= SINK_BRIEF;
	if (!r->opt->around)
		pair_shorts_init(&r->shorts, &r->series.legs[0].pairs);
	return 0;
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct plat_run *r = run_of(k);
	int err = series_ready(&r->series) ? 0 : start_series(r, e);

	if (err)
		return err;
	if (r->opt->open_than)
		watch(r, v->ev->sample.time);
	if (r->opt->lines)
		return take_line(r, v, e);
	err = series_take(&r->series, v, e);
	if (r->opt->around && !err)
		around_take(&r->around, v);
	return err;
}

/* Of a stream, samples come as they are until the events are known. */
static int shorten(struct sample_sink *k, const struct pd_event *ev, const struct pd_sample *s,
		   u64 *words)
{
	struct pair_shorts *ps = &run_of(k)->shorts;

	return ps->events ? pair_shorts_words(ps, ev, s, words) : PD_SHORT_NOT;
}

static int take_shorts(struct sample_sink *k, const struct pd_short *s, size_t nr, struct perr *e)
{
	(void)e;
	pair_shorts_take(&run_of(k)->shorts, s, nr);
	return 0;
}

/* -I: the table of the time that has passed, and a new one. */
static int end_interval(struct sample_sink *k, u64 now, struct perr *e)
{
	struct plat_run *r = run_of(k);

	if (!series_ready(&r->series))
		return 0;
	series_text_put(r->o, &r->series, &r->opt->table, &r->text, now);
	series_restart(&r->series);
	return out_flush(r->o) ? perr_io(e, "cannot write") : 0;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	struct plat_run *r = run_of(k);

	(void)e;
	series_take_record(&r->series, ev, r->pd->swap);
	return 0;
}

/* --around */
static void put_near(void *ctx, const struct occurrence *at)
{
	struct plat_run *r = ctx;

	table_text_put_event(r->o, series_whole(&r->series), at, &r->opt->table, &r->text);
}

/* --than: a pair is printed when it ends. */
static int print_pair(void *ctx, const struct pair *pair, struct perr *e)
{
	struct plat_run *r = ctx;

	table_text_put_pair(r->o, series_whole(&r->series), pair, &r->opt->table, &r->text);
	if (r->opt->around)
		out_str(r->o, "    around it:\n");
	if (r->opt->around && !around_pair(&r->around, &pair->begin, &pair->end))
		out_printf(r->o, "    (of each CPU only the last %d events are kept)\n",
			   EVENT_RING_EVENTS);
	return r->o->failed ? perr_io(e, "cannot write") : 0;
}

static u32 begin_stack(void *ctx, const struct sample_view *v)
{
	struct plat_run *r = ctx;

	return stack_texts_of(&r->stacks.texts, v);
}

static bool keep_place(void *ctx, const struct pd_event *ev, const struct pd_sample *s,
		       u64 *ret_stack)
{
	struct plat_run *r = ctx;
	u32 chain = stack_texts_hold(&r->stacks.texts, ev, s);

	*ret_stack = chain;
	return chain != CHAIN_NONE;
}

static u32 stack_at(struct plat_run *r, const struct short_place *place, const struct thread *th)
{
	return stack_texts_of_held(&r->stacks.texts, (u32)place->stack, place->ev, th);
}

static void set_place(void *ctx, const struct short_place *place, struct occurrence *ret)
{
	struct plat_run *r = ctx;
	const struct thread *th = sink_thread(&r->sink, place->pid, place->tid, place->time);

	ret->comm = machine_comm(r->s->machine, th);
	ret->stack = stack_at(r, place, th);
}

static void drop_place(void *ctx, const struct short_place *place)
{
	struct plat_run *r = ctx;

	stack_texts_drop(&r->stacks.texts, (u32)place->stack);
}

/* The stack at the end of a pair. */
static u32 end_stack(struct plat_run *r, const struct pair_end *end)
{
	const struct short_place *p = end->place;

	if (end->v)
		return stack_texts_of(&r->stacks.texts, end->v);
	return stack_at(r, p, sink_thread(&r->sink, p->pid, p->tid, p->time));
}

static void take_pair(void *ctx, const struct pair *pair, const struct pair_end *end)
{
	struct plat_run *r = ctx;
	u32 stack = pair->begin.stack;

	if (r->heat)
		heat_map_add(r->heat, pair->begin.time + pair->ns, pair->ns);
	/* where the begin has no stack, that of its end counts */
	if (plat_options_folds(r->opt))
		time_stacks_add(&r->stacks, pair, stack ? stack : end_stack(r, end));
}

static void put_heat_cells(void *ctx, struct out *o)
{
	const struct plat_run *r = ctx;

	heat_text_put_cells(o, r->heat);
}

static void put_svg(void *ctx, struct out *o)
{
	const struct plat_run *r = ctx;

	heat_text_put_svg(o, r->heat);
}

static void put_folded(void *ctx, struct out *o)
{
	const struct plat_run *r = ctx;

	time_stacks_put(&r->stacks, o);
}

/* --heatmap, --svg, --folded and --html. */
static int put_sinks(struct plat_run *r, struct perr *e)
{
	int err = 0;

	if (r->opt->heat_map)
		heat_text_put(r->o, r->heat);
	if (r->opt->heat_file)
		err = analysis_write_text("--heatmap", r->opt->heat_file, put_heat_cells, r, e);
	if (r->opt->svg && !err)
		err = analysis_write_text("--svg", r->opt->svg, put_svg, r, e);
	if (r->opt->folded && !err)
		err = analysis_write_text("--folded", r->opt->folded, put_folded, r, e);
	if (r->opt->html && !err)
		err = folded_page_write(&(struct folded_page){ .title = r->opt->input,
							       .event = "time until the end",
							       .unit = "ns",
							       .put = put_folded,
							       .ctx = r },
					r->opt->html, e);
	return err;
}

/* A stream has no more records now: what is printed so far is to be seen. */
static void show_output(void *ctx)
{
	struct plat_run *r = ctx;

	for (size_t i = 0; r->opt->open_than && series_ready(&r->series) && i < r->series.nr_legs;
	     i++)
		hang_watch_wait(&r->watches[i].hangs, &r->series.legs[i].pairs.open, now_ns());
	if (r->o->len)
		(void)out_flush(r->o);
}

/* Whether options choose samples by more than their CPU. */
static bool filters_samples(const struct plat_options *o)
{
	const struct filter *f = &o->filter;

	return o->time || f->comms.nr || f->pids.nr || f->tids.nr || f->dsos.nr || f->symbols.nr;
}

static void set_config(const struct plat_run *r, struct pairs_config *cfg)
{
	const struct plat_options *o = r->opt;

	*cfg = (struct pairs_config){
		.texts = { .begins = o->begins.v,
			   .nr_begins = o->begins.nr,
			   .ends = o->ends.v,
			   .nr_ends = o->ends.nr,
			   .key = o->key,
			   .by = o->by,
			   .value = o->value,
			   .record = o->recipe ? o->recipe->record : NULL },
		.nest = o->nest,
		.keep_broken = o->keep_broken,
		.keep_samples = o->nr_longest || o->than || o->open_than || o->lines,
		.some_samples = filters_samples(o),
		.than = o->than,
		.nr_longest = (u32)o->nr_longest,
		.max_keys = o->limits.max_keys,
		.max_mem = o->limits.max_mem,
		.stack_of = plat_options_folds(o) ? begin_stack : NULL,
		.keep_place = plat_options_folds(o) ? keep_place : NULL,
		.set_place = set_place,
		.drop_place = drop_place,
		.found = print_pair,
		.each = o->heat_map || o->heat_file || o->svg || plat_options_folds(o) ? take_pair
										       : NULL,
		.ctx = (void *)r,
	};
}

static int read_events(struct plat_run *r, struct perr *e)
{
	struct progress progress;
	struct sample_query query = { .pass = "pairing events",
				      .filter = &r->opt->filter,
				      .interval_ns = r->opt->interval_ms * 1000000,
				      .progress = &progress };
	bool *wanted = NULL;
	int err;

	/* with --folded, all samples are resolved as they come */
	r->sink =
		(struct sample_sink){ .flags = SINK_RECORDS |
					       (plat_options_folds(r->opt) ? 0 : SINK_LATE_KERNEL),
				      .sample = take_sample,
				      .shorten = shorten,
				      .short_samples = take_shorts,
				      .tick = end_interval,
				      .record = take_record };
	if (session_can_repeat(r->s)) {
		err = start_series(r, e);
		if (err)
			return err;
		wanted = series_events(&r->series);
		query.wanted_events = r->opt->around ? NULL : wanted;
	}
	progress_init_ahead(&progress, r->rc->prog, r->pd->file_size, r->rc->messages);
	if (wanted && !r->opt->around && !series_need_tasks(&r->series))
		r->sink.flags |= SINK_NO_TASKS;
	err = session_run(r->s, &query, &r->sink, e);
	progress_end(&progress);
	free(wanted);
	return err;
}

/* Reads and prints. What came before damage is printed. */
static int read_and_print(struct plat_run *r, struct perr *e)
{
	struct perr unusable;
	int err = read_events(r, e);

	pd_on_wait(r->pd, NULL, NULL);
	if (!series_ready(&r->series) && series_start(&r->series, r->pd, &unusable) && !err) {
		*e = unusable;
		err = unusable.code;
	}
	if (series_ready(&r->series) && series_whole(&r->series)->roles.first &&
	    (!err || r->series.legs[0].pairs.nr_events))
		series_text_put(r->o, &r->series, &r->opt->table, &r->text, 0);
	if (r->opt->open_than) {
		u64 nr = 0;

		for (size_t i = 0; i < r->series.nr_legs; i++)
			nr += r->watches[i].hangs.nr;
		out_printf(r->o, "# open for that long while they waited: %" PRIu64 " begins\n",
			   nr);
	}
	return err ? err : put_sinks(r, e);
}

static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct plat_run *r = ctx;
	struct pairs_config cfg;
	int err;

	r->o = o;
	value_text_init(&r->text, r->s, r->opt->stacks.max_stack, r->opt->stacks.max_user_stack);
	if (r->opt->heat_map || r->opt->heat_file || r->opt->svg)
		r->heat = xcalloc(1, sizeof(*r->heat));
	if (plat_options_folds(r->opt))
		time_stacks_init(&r->stacks, r->s, r->opt->stacks.max_stack,
				 r->opt->stacks.max_user_stack);
	r->around = (struct around){ .ns = r->opt->around, .put = put_near, .ctx = r };
	r->is_stream = !session_can_repeat(r->s);
	set_config(r, &cfg);
	err = series_init(&r->series, &cfg, r->opt->cycle, e);
	start_watches(r);
	pd_on_wait(r->pd, show_output, r);
	if (!err)
		err = read_and_print(r, e);
	pair_shorts_fini(&r->shorts);
	series_fini(&r->series);
	value_text_fini(&r->text);
	if (plat_options_folds(r->opt))
		time_stacks_fini(&r->stacks);
	around_fini(&r->around);
	free(r->heat);
	return err;
}

/* --why: prints where the files of an object were searched for, not what was recorded. */
static int explain(struct plat_run *r, struct perr *e)
{
	struct reader_why why = { .pd = r->pd,
				  .session = { .symbols = r->opt->symbols },
				  .diag = r->rc->diag,
				  .object = r->opt->why };

	return reader_output(r->rc, reader_print_why, &why, e);
}

/* Starts prec. */
static int start_live(struct live *l, const struct plat_options *opt, struct perr *e)
{
	struct record_words w;
	int err = plat_options_record(opt, true, &w, e);

	if (!err)
		err = live_start(l, w.v, opt->record_file, e);
	record_words_fini(&w);
	return err;
}

int plat_run(const struct reader_command *rc, struct plat_options *opt)
{
	const struct reader_config cfg = { .session = { .symbols = opt->symbols,
							.no_user_maps = !plat_options_stacks(opt),
							.forgets_maps = true },
					   .filter = &opt->filter,
					   .time = opt->time };
	struct plat_run r = { .rc = rc, .opt = opt };
	struct perr e = { .off = -1 };
	bool is_live = record_target_given(&opt->live);
	struct live live;
	int err = is_live ? start_live(&live, opt, &e) : 0;

	if (err)
		return reader_fail(rc, "live", &e);
	err = reader_open(rc, opt->input, &r.pd, &e);
	if (!err && opt->why)
		err = explain(&r, &e);
	else if (!err)
		err = reader_start(rc, r.pd, &cfg, &r.s, &e);
	if (!err && r.s)
		err = reader_output(rc, run_and_print, &r, &e);
	if (r.pd)
		pd_warn_unfinished(r.pd);
	if (err && !is_live)
		(void)reader_fail(rc, opt->input, &e);
	session_free(r.s);
	pd_close(r.pd);
	if (is_live)
		err = analysis_end_live(&live, rc, err, &e);
	reader_finish(rc, NULL, 0);
	return err ? 1 : 0;
}
