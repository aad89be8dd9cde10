/* SPDX-License-Identifier: MIT */
#include "events/calls/call_run.h"

#include <string.h>

#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/calls/call_source.h"
#include "fileformat/perfdata.h"

struct call_run {
	struct analysis pass;
	const struct call_options *opt;
	struct call_trace trace;
	struct call_source source;
	struct kernel_types types;
	struct out *o;
};

static struct call_run *run_of(struct sample_sink *k)
{
	return (struct call_run *)analysis_of(k);
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct call_run *r = run_of(k);

	call_source_take(&r->source, v->ev->ev, &v->ev->sample);
	return r->o->failed ? perr_io(e, "cannot write") : 0;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	call_source_record(&run_of(k)->source, ev);
	return 0;
}

/* A stream has no more records now: what is printed so far is to be seen. */
static void show_output(void *ctx)
{
	struct call_run *r = ctx;

	if (r->o->len)
		(void)out_flush(r->o);
}

static void put_losses(const struct call_run *r)
{
	const struct losses *l = &r->source.losses;

	if (losses_without_time(l))
		message(r->pass.rc->messages,
			"plat: %llu records were lost, and nothing says when: calls are missing\n",
			(unsigned long long)losses_without_time(l));
	if (!l->nr)
		return;
	message(r->pass.rc->messages,
		"plat: %llu records were lost in %llu place%s: calls are missing%s\n",
		(unsigned long long)l->events, (unsigned long long)l->nr, l->nr == 1 ? "" : "s",
		r->opt->style == CALL_AS_PERF ? ", and times across these places are wrong" : "");
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct call_run *r = ctx;
	const struct sample_query query = { .pass = "reading events" };
	bool has_texts = r->opt->style == CALL_AS_STRACE && !r->opt->no_texts;
	const struct call_trace_config cfg = { .style = r->opt->style,
					       .o = o,
					       .than = r->opt->than,
					       .failed = r->opt->failed,
					       .names = r->opt->names,
					       .nr_names = r->opt->nr_names,
					       .types = has_texts ? &r->types : NULL };
	struct perr other;
	int err, more;

	r->o = o;
	call_trace_init(&r->trace, &cfg, r->pass.s->machine->arch);
	call_source_init(&r->source, &r->trace, r->pass.s, record_target_given(&r->opt->live));
	r->pass.sink =
		(struct sample_sink){ .flags = SINK_RECORDS | SINK_LATE_KERNEL | SINK_NO_TASKS,
				      .sample = take_sample,
				      .record = take_record };
	pd_on_wait(r->pass.pd, show_output, r);
	err = analysis_read(&r->pass, query, e);
	pd_on_wait(r->pass.pd, NULL, NULL);
	more = call_source_check(&r->source, err ? &other : e);
	call_trace_end_all(&r->trace);
	put_losses(r);
	call_source_fini(&r->source);
	call_trace_fini(&r->trace);
	kernel_types_fini(&r->types);
	return err ? err : more;
}

int calls_run(struct call_options *opt, struct diag *diag)
{
	struct call_run r = { .opt = opt };
	struct record_words w = { 0 };
	bool is_live = record_target_given(&opt->live);
	struct analysis_input in = { .path = opt->input,
				     .symbols = &opt->symbols,
				     .pager = &opt->pager,
				     .diag = diag,
				     .record = is_live ? &w : NULL,
				     .record_file = opt->record_file };
	struct perr e;
	int ret = 1;

	if (is_live && call_options_record(opt, true, &w, &e))
		message(stderr, "plat: %s\n", e.text);
	else
		ret = analysis_run(&r.pass, &in, run_and_print, &r);
	record_words_fini(&w);
	return ret;
}

bool calls_asked_for(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "trace"))
		return true;
	if (argc < 2 || strcmp(argv[1], "syscalls") != 0)
		return false;
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], "--trace"))
			return true;
	return false;
}

int calls_main(int argc, char **argv)
{
	struct call_options opt = { 0 };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = call_options_parse(&opt, &diag, argc, argv);
	if (ret < 0)
		ret = calls_run(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	call_options_fini(&opt);
	return ret;
}
