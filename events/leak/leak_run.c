/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_run.h"

#include "base/mem.h"
#include "events/leak/leak_report.h"
#include "profile/reader_command.h"

struct leak_run {
	const struct reader_command *rc;
	const struct leak_options *opt;
	struct sample_sink sink;
	struct perfdata *pd;
	struct session *s;
	struct leak_table table;
	struct leak_source source;
	struct stack_texts stacks;
};

static struct leak_run *run_of(struct sample_sink *k)
{
	return (struct leak_run *)((char *)k - offsetof(struct leak_run, sink));
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct leak_run *r = run_of(k);
	int err = leak_source_start(&r->source, e);

	if (!err)
		leak_source_take(&r->source, v);
	return err;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	leak_source_take_record(&run_of(k)->source, ev);
	return 0;
}

static int read_events(struct leak_run *r, struct perr *e)
{
	struct progress progress;
	struct sample_query query = { .pass = "following allocations", .progress = &progress };
	bool *wanted = NULL;
	int err;

	if (session_can_repeat(r->s)) {
		err = leak_source_start(&r->source, e);
		if (err)
			return err;
		query.wanted_events = wanted = leak_source_events(&r->source);
	}
	progress_init_ahead(&progress, r->rc->prog, r->pd->file_size, r->rc->messages);
	r->sink = (struct sample_sink){ .flags = SINK_RECORDS |
						 (r->source.stacks ? 0 : SINK_LATE_KERNEL),
					.sample = take_sample,
					.record = take_record };
	err = session_run(r->s, &query, &r->sink, e);
	progress_end(&progress);
	free(wanted);
	return err;
}

static int write_folded(const struct leak_run *r, const struct leak_report *report, struct perr *e)
{
	FILE *f = fopen(r->opt->folded, "we");
	struct out o;
	int err = 0;

	if (!f)
		return perr_io(e, "--folded %s", r->opt->folded);
	out_init(&o, f);
	leak_report_put_folded(report, &o);
	if (out_fini(&o))
		err = perr_io(e, "--folded %s", r->opt->folded);
	if (fclose(f) && !err)
		err = perr_io(e, "--folded %s", r->opt->folded);
	return err;
}

/* The time of which ages are: that of the last record with a time. */
static u64 end_time(const struct leak_run *r)
{
	u64 last = r->source.last_time;

	return r->pd->last_time != UINT64_MAX && r->pd->last_time > last ? r->pd->last_time : last;
}

static int put_report(struct leak_run *r, struct out *o, struct perr *e)
{
	struct leak_report report;
	int err = 0;

	leak_report_init(&report, r->opt, &r->source, end_time(r));
	leak_report_put(&report, o);
	if (r->opt->folded)
		err = write_folded(r, &report, e);
	leak_report_fini(&report);
	return err;
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct leak_run *r = ctx;
	const struct leak_options *opt = r->opt;
	struct perr other;
	int err, more;

	leak_table_init(&r->table, (size_t)opt->max_keys, opt->age);
	leak_source_init(&r->source, r->s, &r->table, opt->preset);
	if (opt->by == LEAK_BY_STACK) {
		stack_texts_init(&r->stacks, r->s, opt->stack.max_stack, opt->stack.max_user_stack);
		r->source.stacks = &r->stacks;
	}
	err = read_events(r, e);
	more = leak_source_start(&r->source, err ? &other : e);
	if (!more)
		more = put_report(r, o, err ? &other : e);
	leak_source_fini(&r->source);
	stack_texts_fini(&r->stacks);
	leak_table_fini(&r->table);
	return err ? err : more;
}

static int run(const struct reader_command *rc, struct leak_options *opt)
{
	const struct reader_config cfg = { .session = { .symbols = opt->symbols } };
	struct leak_run r = { .rc = rc, .opt = opt };
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

int leak_main(int argc, char **argv)
{
	struct leak_options opt = { 0 };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = leak_options_parse(&opt, &diag, argc, argv);
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
	leak_options_fini(&opt);
	return ret;
}
