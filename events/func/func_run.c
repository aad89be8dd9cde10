/* SPDX-License-Identifier: MIT */
#include "events/func/func_run.h"

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/stacks/folded_page.h"
#include "events/func/func_json.h"
#include "events/func/func_report.h"
#include "symbols/elf/go_table.h"
#include "symbols/elf/object.h"

struct func_run {
	struct analysis pass;
	const struct func_options *opt;
	struct func_table table;
	struct func_source source;
	struct func_stacks stacks;
	struct out *o;
};

static struct func_run *run_of(struct sample_sink *k)
{
	return (struct func_run *)analysis_of(k);
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct func_run *r = run_of(k);
	int err = func_source_start(&r->source, e);

	if (err)
		return err;
	func_source_take(&r->source, v);
	return r->o->failed ? perr_io(e, "cannot write") : 0;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	func_source_take_record(&run_of(k)->source, ev);
	return 0;
}

/* -I: the table of the time that has passed, and a new one. */
static int end_interval(struct sample_sink *k, u64 now, struct perr *e)
{
	struct func_run *r = run_of(k);

	if (!r->source.ready)
		return 0;
	if (r->opt->json) {
		func_json_put(r->o, r->opt, &r->source, now);
	} else {
		func_report_put_time(r->o, now);
		func_report_put(r->o, r->opt, &r->source);
	}
	func_table_restart(&r->table);
	func_calls_restart(&r->source.calls);
	return out_flush(r->o) ? perr_io(e, "cannot write") : 0;
}

static void put_slow(void *ctx, const struct func_slow *s)
{
	struct func_run *r = ctx;

	func_report_put_slow(r->o, r->opt, &r->table, s);
}

/* A stream has no more records now: what is printed so far is to be seen. */
static void show_output(void *ctx)
{
	struct func_run *r = ctx;

	if (r->o->len)
		(void)out_flush(r->o);
}

static int read_events(struct func_run *r, struct perr *e)
{
	struct sample_query query = { .pass = "following calls",
				      .interval_ns = r->opt->interval_ms * 1000000 };
	bool *wanted = NULL;
	int err;

	if (session_can_repeat(r->pass.s)) {
		err = func_source_start(&r->source, e);
		if (err)
			return err;
		query.wanted_events = wanted = func_source_events(&r->source);
	}
	r->pass.sink = (struct sample_sink){ .flags = SINK_RECORDS |
						      (r->opt->stacks ? 0 : SINK_LATE_KERNEL),
					     .sample = take_sample,
					     .tick = end_interval,
					     .record = take_record };
	pd_on_wait(r->pass.pd, show_output, r);
	err = analysis_read(&r->pass, query, e);
	pd_on_wait(r->pass.pd, NULL, NULL);
	free(wanted);
	return err;
}

static void put_folded(void *ctx, struct out *o)
{
	struct func_run *r = ctx;

	if (r->opt->stacks)
		func_stacks_put_folded(&r->stacks, o, func_table_put_name, &r->table);
	else
		func_nodes_put_folded(&r->table.nodes, r->table.tree, o, func_table_put_name,
				      &r->table);
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct func_run *r = ctx;
	const struct func_options *opt = r->opt;
	struct perr other;
	int err, more;

	r->o = o;
	func_table_init(&r->table, opt->by, &opt->filter);
	if (opt->stacks) {
		func_stacks_init(&r->stacks, r->pass.s, opt->stack.max_stack,
				 opt->stack.max_user_stack);
		r->table.stacks = &r->stacks;
	}
	r->table.wants_tree = opt->tree || ((opt->folded || opt->html) && !opt->stacks);
	r->table.than = opt->than;
	r->table.slow = put_slow;
	r->table.ctx = r;
	func_source_init(&r->source, r->pass.s, &r->table);
	err = read_events(r, e);
	more = func_source_start(&r->source, err ? &other : e);
	if (!more) {
		func_calls_end(&r->source.calls);
		if (opt->json)
			func_json_put(o, opt, &r->source,
				      opt->interval_ms
					      ? analysis_end_time(&r->pass, r->source.last_time)
					      : 0);
		else
			func_report_put(o, opt, &r->source);
		if (opt->folded)
			more = analysis_write_text("--folded", opt->folded, put_folded, r,
						   err ? &other : e);
		if (!more && opt->html)
			more = folded_page_write(&(struct folded_page){ .title = opt->input,
									.event = "time of calls",
									.unit = "ns",
									.put = put_folded,
									.ctx = r },
						 opt->html, err ? &other : e);
	}
	func_source_fini(&r->source);
	func_table_fini(&r->table);
	if (opt->stacks)
		func_stacks_fini(&r->stacks);
	return err ? err : more;
}

/* A return probe replaces return addresses on the stack, which exceptions cannot follow. What prec
 * says of it comes too late: it runs quietly. */
static void warn_of_returns(const struct func_options *opt, struct diag *diag)
{
	for (size_t i = 0; i < opt->nr_probes && !opt->count && !opt->ret; i++) {
		char *path = xstrndup(opt->probes[i], strcspn(opt->probes[i], ":"));
		struct object *o = NULL;
		struct perr e;

		if (!strchr(path, '/') || object_open(path, &o, &e))
			o = NULL;
		if (o && !go_table_section(o) && object_section(o, ".gcc_except_table"))
			diag_warn(diag,
				  "%s: an exception that passes a function with a return probe "
				  "ends the program; --ret and --count do without them",
				  path);
		object_close(o);
		free(path);
	}
	diag_print(diag, "plat", stderr);
}

int func_main(int argc, char **argv)
{
	struct func_options opt = { 0 };
	struct func_run r = { .opt = &opt };
	struct record_words words = { 0 };
	bool is_live;
	struct perr e = { .off = -1 };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = func_options_parse(&opt, &diag, argc, argv);
	is_live = record_target_given(&opt.live);
	if (ret < 0 && is_live && func_options_record(&opt, true, &words, &e)) {
		message(stderr, "plat: %s\n", e.text);
		ret = OPT_STATUS_USAGE;
	}
	if (ret < 0 && is_live)
		warn_of_returns(&opt, &diag);
	if (ret < 0)
		ret = analysis_run(&r.pass,
				   &(struct analysis_input){ .path = opt.input,
							     .symbols = &opt.symbols,
							     .pager = &opt.pager,
							     .diag = &diag,
							     .record = is_live ? &words : NULL,
							     .record_file = opt.record_file,
							     .no_user_maps = !opt.stacks },
				   run_and_print, &r);
	record_words_fini(&words);
	pager_end(&opt.pager);
	diag_fini(&diag);
	func_options_fini(&opt);
	return ret;
}
