/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/as_run.h"

#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/calls/call_run.h"
#include "events/perf_texts/as_options.h"
#include "events/perf_texts/sched_events.h"
#include "events/perf_texts/trace_events.h"
#include "fileformat/perfdata.h"

struct as_run {
	struct analysis pass;
	const struct as_options *opt;
	struct sched_latency latency;
	struct sched_events sched;
	struct trace_summary summary;
	struct trace_events trace;
	u64 nr_others; /* records that are no samples */
};

static struct as_run *run_of(struct sample_sink *k)
{
	return (struct as_run *)analysis_of(k);
}

static int shorten_trace(struct sample_sink *k, const struct pd_event *ev,
			 const struct pd_sample *s, u64 *words)
{
	return trace_events_shorten(&run_of(k)->trace, ev, s, words);
}

static int take_short_traces(struct sample_sink *k, const struct pd_short *s, size_t nr,
			     struct perr *e)
{
	struct trace_events *trace = &run_of(k)->trace;

	(void)e;
	for (size_t i = 0; i < nr; i++)
		trace_events_take(trace, s[i].ev, s[i].time, s[i].words);
	return 0;
}

static int take_trace(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct as_run *r = run_of(k);
	u64 words[2];

	(void)e;
	if (trace_events_shorten(&r->trace, v->ev->ev, &v->ev->sample, words))
		trace_events_take(&r->trace, v->ev->ev, v->ev->sample.time, words);
	return 0;
}

static int take_trace_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	trace_events_record(&run_of(k)->trace, ev);
	return 0;
}

static int shorten_sched(struct sample_sink *k, const struct pd_event *ev,
			 const struct pd_sample *s, u64 *words)
{
	return sched_events_shorten(&run_of(k)->sched, ev, s, words);
}

static int take_short_scheds(struct sample_sink *k, const struct pd_short *s, size_t nr,
			     struct perr *e)
{
	struct sched_events *sched = &run_of(k)->sched;

	(void)e;
	for (size_t i = 0; i < nr; i++)
		sched_events_take(sched, s[i].ev, s[i].time, s[i].words);
	return 0;
}

static int take_sched(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct as_run *r = run_of(k);
	u64 words[3];

	(void)e;
	if (sched_events_shorten(&r->sched, v->ev->ev, &v->ev->sample, words))
		sched_events_take(&r->sched, v->ev->ev, v->ev->sample.time, words);
	return 0;
}

static int take_sched_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	run_of(k)->nr_others++;
	sched_events_record(&run_of(k)->sched, ev);
	return 0;
}

static const struct sample_sink sched_sink = { .sample = take_sched,
					       .shorten = shorten_sched,
					       .short_samples = take_short_scheds,
					       .record = take_sched_record };
static const struct sample_sink trace_sink = { .sample = take_trace,
					       .shorten = shorten_trace,
					       .short_samples = take_short_traces,
					       .record = take_trace_record };

static int read_events(struct as_run *r, const struct sample_sink *sink, struct perr *e)
{
	const struct sample_query query = { .pass = "reading events" };

	r->pass.sink = *sink;
	r->pass.sink.flags = SINK_RECORDS | SINK_LATE_KERNEL | SINK_NO_TASKS | SINK_BRIEF;
	return analysis_read(&r->pass, query, e);
}

/* missing: the plural of which some are not in the text. */
static void put_losses(struct as_run *r, const struct losses *l, const char *missing)
{
	if (l->nr)
		message(r->pass.rc->messages,
			"plat: %llu records were lost in %llu place%s: %s are missing, and times "
			"across these places are wrong\n",
			(unsigned long long)l->events, (unsigned long long)l->nr,
			l->nr == 1 ? "" : "s", missing);
}

static int run_sched_latency(struct as_run *r, struct out *o, struct perr *e)
{
	struct latency_layout how = r->opt->latency;
	struct perr other;
	int err, more;

	sched_latency_init(&r->latency);
	sched_events_init(&r->sched, &r->latency, r->pass.s);
	err = read_events(r, &sched_sink, e);
	more = sched_events_check(&r->sched, err ? &other : e);
	how.nr_records = r->pass.sink.stats.nr_samples + r->nr_others;
	if (!more)
		sched_latency_put(&r->latency, &how, o);
	sched_events_fini(&r->sched);
	sched_latency_fini(&r->latency);
	return err ? err : more;
}

static int run_trace_s(struct as_run *r, struct out *o, struct perr *e)
{
	struct perr other;
	int err, more;

	trace_summary_init(&r->summary);
	trace_events_init(&r->trace, &r->summary, r->pass.s);
	err = read_events(r, &trace_sink, e);
	more = trace_events_check(&r->trace, err ? &other : e);
	if (!more)
		trace_summary_put(&r->summary, r->opt->errno_summary, o);
	put_losses(r, &r->trace.losses, "calls");
	trace_events_fini(&r->trace);
	trace_summary_fini(&r->summary);
	return err ? err : more;
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct as_run *r = ctx;

	switch ((enum as_text)r->opt->text) {
	case AS_TRACE_S: return run_trace_s(r, o, e);
	default: return run_sched_latency(r, o, e);
	}
}

static int run_trace(const struct as_options *opt, struct diag *diag)
{
	struct call_options calls = { .input = opt->input,
				      .style = CALL_AS_PERF,
				      .symbols = opt->symbols,
				      .pager = opt->pager };

	return calls_run(&calls, diag);
}

int as_main(int argc, char **argv)
{
	struct as_options opt = { 0 };
	struct as_run r = { .opt = &opt };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = as_options_parse(&opt, &diag, argc, argv);
	if (ret < 0 && opt.text == AS_TRACE)
		ret = run_trace(&opt, &diag);
	else if (ret < 0)
		ret = analysis_run(
			&r.pass,
			&(struct analysis_input){ opt.input, &opt.symbols, &opt.pager, &diag },
			run_and_print, &r);
	pager_end(&opt.pager);
	diag_fini(&diag);
	return ret;
}
