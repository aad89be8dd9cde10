/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/as_run.h"

#include "events/perf_texts/as_options.h"
#include "events/perf_texts/sched_events.h"
#include "fileformat/perfdata.h"
#include "profile/reader_command.h"

struct as_run {
	const struct reader_command *rc;
	const struct as_options *opt;
	struct sample_sink sink;
	struct perfdata *pd;
	struct session *s;
	struct sched_latency latency;
	struct sched_events events;
	u64 nr_records; /* of any type */
};

static struct as_run *run_of(struct sample_sink *k)
{
	return (struct as_run *)((char *)k - offsetof(struct as_run, sink));
}

static void take_any(struct sample_sink *k, const struct replay_event *ev)
{
	(void)ev;
	run_of(k)->nr_records++;
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	(void)e;
	sched_events_sample(&run_of(k)->events, v);
	return 0;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	sched_events_record(&run_of(k)->events, ev);
	return 0;
}

static int read_events(struct as_run *r, struct perr *e)
{
	struct progress progress;
	const struct sample_query query = { .pass = "following threads", .progress = &progress };
	int err;

	progress_init_ahead(&progress, r->rc->prog, r->pd->file_size, r->rc->messages);
	r->sink = (struct sample_sink){ .flags = SINK_RECORDS | SINK_LATE_KERNEL | SINK_NO_TASKS,
					.raw = take_any,
					.sample = take_sample,
					.record = take_record };
	err = session_run(r->s, &query, &r->sink, e);
	progress_end(&progress);
	return err;
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct as_run *r = ctx;
	struct latency_layout how = r->opt->latency;
	struct perr other;
	int err, more;

	sched_latency_init(&r->latency);
	sched_events_init(&r->events, &r->latency, r->s);
	err = read_events(r, e);
	more = sched_events_check(&r->events, err ? &other : e);
	how.nr_records = r->nr_records;
	if (!more)
		sched_latency_put(&r->latency, &how, o);
	sched_events_fini(&r->events);
	sched_latency_fini(&r->latency);
	return err ? err : more;
}

static int run(const struct reader_command *rc, struct as_options *opt)
{
	const struct reader_config cfg = { .session = { .symbols = opt->symbols } };
	struct as_run r = { .rc = rc, .opt = opt };
	struct perr e = { .off = -1 };
	int err = reader_open(rc, opt->input, &r.pd, &e);

	if (!err)
		err = reader_start(rc, r.pd, &cfg, &r.s, &e);
	if (!err)
		err = reader_output(rc, run_and_print, &r, &e);
	if (r.pd)
		pd_warn_unfinished(r.pd);
	if (err)
		(void)reader_fail(rc, opt->input, &e);
	session_free(r.s);
	pd_close(r.pd);
	reader_finish(rc, NULL, 0);
	return err ? 1 : 0;
}

int as_main(int argc, char **argv)
{
	struct as_options opt = { 0 };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = as_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		const struct reader_command rc = { .prog = "plat",
						   .output = stdout,
						   .messages = stderr,
						   .pager = &opt.pager,
						   .diag = &diag,
						   .force = opt.symbols.force };

		ret = run(&rc, &opt);
	}
	pager_end(&opt.pager);
	diag_fini(&diag);
	return ret;
}
