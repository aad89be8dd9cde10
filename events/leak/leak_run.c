/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_run.h"

#include "base/mem.h"
#include "events/analysis.h"
#include "events/stacks/folded_page.h"
#include "events/leak/leak_report.h"
#include "events/table_text.h"

struct leak_run {
	struct analysis pass;
	const struct leak_options *opt;
	struct leak_table table;
	struct leak_source source;
	struct stack_texts stacks;
	struct out *o;
};

static struct leak_run *run_of(struct sample_sink *k)
{
	return (struct leak_run *)analysis_of(k);
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct leak_run *r = run_of(k);
	int err = leak_source_start(&r->source, e);

	if (err)
		return err;
	/* whether there is memory for more is looked at now and then */
	if (r->table.nr_allocs % 64 == 0) {
		/* a file ends before that pays, and rows of equal sums keep their order */
		if (!session_can_repeat(r->pass.s))
			leak_source_forget(&r->source);
		r->table.full = leak_source_bytes(&r->source) >= r->opt->limits.max_mem;
	}
	leak_source_take(&r->source, v);
	return 0;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	leak_source_take_record(&run_of(k)->source, ev);
	return 0;
}

/* -I: what is not freed now. */
static int end_interval(struct sample_sink *k, u64 now, struct perr *e)
{
	struct leak_run *r = run_of(k);
	struct leak_report report;

	if (leak_source_start(&r->source, e))
		return e->code;
	table_text_put_time(r->o, now);
	leak_report_init(&report, r->opt, &r->source, now);
	leak_report_put(&report, r->o);
	leak_report_fini(&report);
	return out_flush(r->o) ? perr_io(e, "cannot write") : 0;
}

static int read_events(struct leak_run *r, struct perr *e)
{
	struct sample_query query = { .pass = "following allocations",
				      .interval_ns = r->opt->interval_ms * 1000000 };
	bool *wanted = NULL;
	int err;

	if (session_can_repeat(r->pass.s)) {
		err = leak_source_start(&r->source, e);
		if (err)
			return err;
		query.wanted_events = wanted = leak_source_events(&r->source);
	}
	r->pass.sink = (struct sample_sink){ .flags = SINK_RECORDS |
						      (r->source.stacks ? 0 : SINK_LATE_KERNEL),
					     .sample = take_sample,
					     .tick = end_interval,
					     .record = take_record };
	err = analysis_read(&r->pass, query, e);
	free(wanted);
	return err;
}

static void put_folded(void *report, struct out *o)
{
	leak_report_put_folded(report, o);
}

static int put_report(struct leak_run *r, struct out *o, struct perr *e)
{
	struct leak_report report;
	int err = 0;

	leak_report_init(&report, r->opt, &r->source,
			 analysis_end_time(&r->pass, r->source.last_time));
	leak_report_put(&report, o);
	if (r->opt->folded)
		err = analysis_write_text("--folded", r->opt->folded, put_folded, &report, e);
	if (!err && r->opt->html)
		err = folded_page_write(&(struct folded_page){ .title = r->opt->input,
							       .event = "bytes",
							       .unit = "bytes",
							       .put = put_folded,
							       .ctx = &report },
					r->opt->html, e);
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

	r->o = o;
	leak_table_init(&r->table, (size_t)opt->limits.max_keys, opt->age);
	leak_source_init(&r->source, r->pass.s, &r->table, opt->preset);
	if (opt->by == LEAK_BY_STACK) {
		stack_texts_init(&r->stacks, r->pass.s, opt->stack.max_stack,
				 opt->stack.max_user_stack);
		/* the other half is for objects */
		r->stacks.max_bytes = (size_t)opt->limits.max_mem / 2;
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

int leak_main(int argc, char **argv)
{
	struct leak_options opt = { 0 };
	struct leak_run r = { .opt = &opt };
	struct analysis_live live = { .target = &opt.live };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = leak_options_parse(&opt, &diag, argc, argv);
	if (ret < 0 && record_target_given(&opt.live))
		live.err = leak_options_record(&opt, true, &live.words, &live.why);
	if (ret < 0)
		ret = analysis_run_live(
			&r.pass,
			&(struct analysis_input){ .path = opt.input,
						  .symbols = &opt.symbols,
						  .pager = &opt.pager,
						  .diag = &diag,
						  .record_file = opt.record_file,
						  .no_user_maps = opt.by != LEAK_BY_STACK },
			&live, run_and_print, &r);
	pager_end(&opt.pager);
	diag_fini(&diag);
	leak_options_fini(&opt);
	return ret;
}
