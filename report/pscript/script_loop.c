/* SPDX-License-Identifier: MIT */
/* The loop of pscript: prints each record that the filters let through, in order of time. */
#include "report/pscript/script.h"

/* -d: counts the samples that are earlier than the sample before them. */
static void check_order(struct script *p, const struct replay_event *ev)
{
	if (ev->sample.time < p->last_time)
		p->nr_misordered++;
	p->last_time = ev->sample.time;
}

static int print_sample(struct script *p, const struct replay_event *ev,
			const struct task_view *task, struct perr *e)
{
	struct out *o;

	/* a merged call chain is valid only until the replay's next record */
	if (p->workers && !ev->sample.deferred.n) {
		script_workers_add(p->workers, ev, task);
		return p->output.main.failed ? perr_io(e, "cannot write") : 0;
	}
	if (p->workers)
		script_workers_flush(p->workers);
	o = script_output_of_event(&p->output, ev->ev);
	sample_text_print(p->text, o, ev, task);
	return o->failed ? perr_io(e, "cannot write") : 0;
}

/* --debug-unwind: prints the sample if it has the wanted time. */
static int explain_sample(struct script *p, const struct replay_event *ev,
			  const struct task_view *task, struct perr *e)
{
	struct out *o = &p->output.main;

	sample_text_print(p->text, o, ev, task);
	debug_unwind_print(o, p->session, &p->opt->text, ev, task);
	return o->failed ? perr_io(e, "cannot write") : 0;
}

/* Starts formatting threads if only samples are printed. */
static void start_workers(struct script *p)
{
	const struct pscript_options *o = p->opt;
	bool others = o->dump_raw || o->per_event_dump || o->show_task || o->show_mmap ||
		      o->show_switch || o->show_namespace || o->show_lost || o->show_round ||
		      o->show_bpf || o->show_cgroup || o->show_text_poke || o->no_merge ||
		      o->debug_unwind.given;

	if (o->nr_threads > 1 && !others && script_workers_can(p->pd, &o->text))
		p->workers = script_workers_new(p->session, p->trace, &o->text, &p->output.main,
						(unsigned int)o->nr_threads);
}

static struct script *script_of(struct sample_sink *k)
{
	return CONTAINER_OF(k, struct script, sink);
}

static int see_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct script *p = script_of(k);

	(void)e;
	if (!(k->flags & SINK_FILE_ORDER))
		script_switches_take(&p->switches, p->pd, v->ev->ev, &v->ev->sample);
	if (p->opt->check_order) {
		check_order(p, v->ev);
		return 1;
	}
	if (p->opt->dump_raw)
		rawdump_place(&p->output.main, p->session->machine, v->thread, &v->ev->sample);
	return p->opt->graph_function ? 1 : 0;
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct script *p = script_of(k);
	int err;

	if (!p->opt->debug_unwind.given)
		return print_sample(p, v->ev, &v->task, e);
	if (!debug_unwind_is_at(&p->opt->debug_unwind, &v->ev->sample))
		return 0;
	p->explained = true;
	err = explain_sample(p, v->ev, &v->task, e);
	return err ? err : 1;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	struct script *p = script_of(k);

	(void)e;
	if (ev->rec.type == PD_RECORD_LOST)
		switch_gaps_lost(&p->switches.gaps);
	script_output_record(&p->output, p->opt, p->text, p->session, ev);
	return 0;
}

static void dump_record(struct sample_sink *k, const struct replay_event *ev)
{
	struct script *p = script_of(k);

	(void)rawdump_record(&p->dump, &p->output.main, &ev->rec);
}

/* -D of a file whose records have no times says first that it cannot order them, as perf does. */
static void warn_of_no_times(struct script *p)
{
	if (p->opt->dump_raw && p->pd->kind != PD_PIPE && p->pd->nr_events &&
	    !pd_attr_has(&p->pd->events[0]->attr, PD_ATTR_SAMPLE_ID_ALL))
		out_str(&p->output.main, "WARNING: No sample_id_all support, falling back to "
					 "unordered processing\n");
}

static int print_all(struct script *p, struct perr *e)
{
	const struct pscript_options *o = p->opt;
	struct sample_query q = {
		.pass = "printing samples",
		.filter = &o->filter,
		.switch_on = p->switch_on,
		.switch_off = p->switch_off,
		.show_switches = o->show_on_off,
		.progress = &p->progress,
	};
	int err;

	p->sink.flags = SINK_RECORDS | SINK_NO_GUESTS;
	/* FINISHED_ROUND records are meaningful only at their place in the file */
	p->sink.flags |= o->show_round || o->dump_unsorted ? SINK_FILE_ORDER : 0;
	p->sink.flags |= o->no_merge ? SINK_DEFERRED_APART : 0;
	p->sink.raw = o->dump_raw ? dump_record : NULL;
	p->sink.seen = see_sample;
	p->sink.sample = take_sample;
	p->sink.record = take_record;
	warn_of_no_times(p);
	progress_init(&p->progress, "pscript", p->pd->file_size, stderr);
	err = session_run(p->session, &q, &p->sink, e);
	if (!err && o->debug_unwind.given && !p->explained)
		err = debug_unwind_no_sample(&o->debug_unwind, e);
	return err;
}

/* A stream has no more records now: what is printed so far is to be seen. */
static void show_output(void *ctx)
{
	struct script *p = ctx;

	if (p->workers)
		script_workers_flush(p->workers);
	script_output_flush(&p->output);
}

int script_print(struct script *p, struct perr *e)
{
	int err;

	err = script_output_init(&p->output, p->pd, p->opt->per_event_dump, e);
	out_page(&p->output.main, &p->opt->pager);
	start_workers(p);
	pd_on_wait(p->pd, show_output, p);
	if (!err)
		err = print_all(p, e);
	pd_on_wait(p->pd, NULL, NULL);
	script_workers_free(p->workers);
	p->workers = NULL;
	progress_end(&p->progress);
	if (script_output_fini(&p->output) && !err)
		err = perr_io(e, "cannot write");
	if (p->opt->check_order && !err)
		fprintf(stderr, "pscript: %llu samples are out of time order\n",
			(unsigned long long)p->nr_misordered);
	return err;
}
