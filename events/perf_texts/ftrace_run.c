/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/ftrace_run.h"

#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/func/func_source.h"
#include "events/pairs.h"
#include "events/perf_texts/ftrace_options.h"

#define MAX_BEGINS 1000000
#define MAX_MEM (256ull << 20)

struct ftrace_run {
	struct analysis pass;
	const struct ftrace_options *opt;
	struct ftrace_latency latency;
	struct pairs pairs;        /* with -e */
	struct func_table table;   /* with -T */
	struct func_source source; /* with -T */
};

static struct ftrace_run *run_of(struct sample_sink *k)
{
	return (struct ftrace_run *)analysis_of(k);
}

static void put_losses(const struct losses *l, u64 nr_broken, const char *what, FILE *to)
{
	if (l->nr)
		message(to,
			"plat: %llu records were lost in %llu place%s: %llu %s across them are "
			"left out, and others are missing\n",
			(unsigned long long)l->events, (unsigned long long)l->nr,
			l->nr == 1 ? "" : "s", (unsigned long long)nr_broken, what);
}

/* --- -e: pairs of a thread
 * -------------------------------------------------------------------------- */

static void take_pair(void *ctx, const struct pair *pair, const struct pair_end *end)
{
	struct ftrace_run *r = ctx;

	(void)end;
	ftrace_latency_add(&r->latency, pair->ns);
}

static int start_pairs(struct ftrace_run *r, struct perr *e)
{
	return r->pairs.ready ? 0 : pairs_start(&r->pairs, r->pass.pd, e);
}

static int take_event(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct ftrace_run *r = run_of(k);
	int err = start_pairs(r, e);

	return err ? err : pairs_take(&r->pairs, v, e);
}

static int take_event_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	struct ftrace_run *r = run_of(k);

	(void)e;
	pairs_take_record(&r->pairs, ev, r->pass.pd->swap);
	return 0;
}

static void put_pair_account(const struct ftrace_run *r, FILE *to)
{
	const struct pairs *p = &r->pairs;

	if (p->nr_replaced || p->nr_without_begin || pairs_nr_open(p) || p->nr_negative ||
	    p->nr_dropped)
		message(to,
			"plat: without a partner: of %llu begins %llu that a second one of the "
			"thread replaced, %llu still open, %llu dropped; of %llu ends %llu without "
			"begin, %llu earlier than it\n",
			(unsigned long long)p->nr_begins, (unsigned long long)p->nr_replaced,
			(unsigned long long)pairs_nr_open(p), (unsigned long long)p->nr_dropped,
			(unsigned long long)p->nr_ends, (unsigned long long)p->nr_without_begin,
			(unsigned long long)p->nr_negative);
	put_losses(&p->losses, p->nr_broken, "pairs", to);
}

static const struct sample_sink pair_sink = { .flags = SINK_RECORDS | SINK_LATE_KERNEL,
					      .sample = take_event,
					      .record = take_event_record };

static int read_pairs(struct ftrace_run *r, struct perr *e)
{
	const char *begin = r->opt->events[0], *end = r->opt->events[1];
	const struct pairs_config cfg = { .texts = { .begins = &begin,
						     .nr_begins = 1,
						     .ends = &end,
						     .nr_ends = 1,
						     .key = "$tid" },
					  .max_keys = MAX_BEGINS,
					  .max_mem = MAX_MEM,
					  .each = take_pair,
					  .ctx = r };
	struct sample_query query = { .pass = "pairing events", .filter = &r->opt->filter };
	struct perr other;
	int err = 0, more;

	pairs_init(&r->pairs, &cfg);
	r->pass.sink = pair_sink;
	if (session_can_repeat(r->pass.s))
		err = start_pairs(r, e);
	if (!err)
		err = analysis_read(&r->pass, query, e);
	more = start_pairs(r, err ? &other : e);
	return err ? err : more;
}

/* --- -T: calls of a function
 * ------------------------------------------------------------------------ */

/* Whether a function is that of -T: FUNCTION, or FILE:FUNCTION, where FILE may lack directories. */
static bool is_wanted(const struct func_table *t, u32 func, const char *wanted)
{
	const char *text = intern_text(&t->names, t->functions[func].text);
	size_t n = strlen(text), nr = strlen(wanted);

	if (!strcmp(text + t->functions[func].name, wanted))
		return true;
	return strchr(wanted, ':') && nr <= n && !strcmp(text + n - nr, wanted) &&
	       (nr == n || text[n - nr - 1] == '/');
}

static void take_call(void *ctx, const struct func_call *call)
{
	struct ftrace_run *r = ctx;

	if (is_wanted(&r->table, call->func, r->opt->function))
		ftrace_latency_add(&r->latency, call->ns);
}

static int take_probe(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct ftrace_run *r = run_of(k);
	int err = func_source_start(&r->source, e);

	if (!err)
		func_source_take(&r->source, v);
	return err;
}

static int take_probe_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	func_source_take_record(&run_of(k)->source, ev);
	return 0;
}

static const struct sample_sink call_sink = { .flags = SINK_RECORDS | SINK_LATE_KERNEL,
					      .sample = take_probe,
					      .record = take_probe_record };

/* Fails where the recording has nothing of the function. */
static int check_function(struct ftrace_run *r, struct perr *e)
{
	const struct func_table *t = &r->table;
	int err = func_source_start(&r->source, e);

	for (u32 i = 0; i < t->nr_functions && !err; i++)
		if (is_wanted(t, i, r->opt->function) && t->functions[i].has_entry &&
		    t->functions[i].has_return)
			return 0;
	if (err)
		return err;
	return perr_set(e, PERR_NOTFOUND,
			"it has no probes at the entry and the return of %s; record it with prec "
			"--user-regs=sp -e uprobe:FILE:FUNCTION -e uretprobe:FILE:FUNCTION",
			r->opt->function);
}

static void put_call_account(const struct ftrace_run *r, FILE *to)
{
	const struct func_calls *c = &r->source.calls;
	u64 nr = 0;

	for (size_t i = 0; i < NR_FUNC_ENDS; i++)
		nr += c->nr_ends[i];
	if (nr || c->nr_no_entry)
		message(to,
			"plat: without times: %llu calls without return, %llu returns without "
			"entry\n",
			(unsigned long long)nr, (unsigned long long)c->nr_no_entry);
	put_losses(&r->source.losses, c->nr_broken, "calls", to);
}

static int read_calls(struct ftrace_run *r, struct perr *e)
{
	struct sample_query query = { .pass = "following calls", .filter = &r->opt->filter };
	struct perr other;
	int err, more;

	func_table_init(&r->table, FUNC_BY_FUNCTION, &r->opt->filter);
	r->table.each = take_call;
	r->table.ctx = r;
	func_source_init(&r->source, r->pass.s, &r->table);
	r->pass.sink = call_sink;
	err = analysis_read(&r->pass, query, e);
	more = check_function(r, err ? &other : e);
	if (!more)
		func_calls_end(&r->source.calls);
	return err ? err : more;
}

/* ------------------------------------------------------------------------------------------------
 */

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct ftrace_run *r = ctx;
	FILE *messages = r->pass.rc->messages;
	int err;

	err = r->opt->function ? read_calls(r, e) : read_pairs(r, e);
	if (!err || r->latency.n) {
		ftrace_latency_put(&r->latency, o);
		(r->opt->function ? put_call_account : put_pair_account)(r, messages);
	}
	if (r->opt->function) {
		func_source_fini(&r->source);
		func_table_fini(&r->table);
	} else {
		pairs_fini(&r->pairs);
	}
	return err;
}

static int read_and_print(struct ftrace_run *r, const struct analysis_input *in)
{
	struct analysis_live live = { .target = &r->opt->live };

	if (record_target_given(&r->opt->live))
		live.err = ftrace_options_record(r->opt, true, &live.words, &live.why);
	return analysis_run_live(&r->pass, in, &live, run_and_print, r);
}

int ftrace_main(int argc, char **argv)
{
	struct ftrace_options opt = { 0 };
	struct ftrace_run r = { .opt = &opt };
	struct perr e;
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = ftrace_options_parse(&opt, &diag, argc, argv);
	if (ret < 0 && !ftrace_latency_init(&r.latency, &opt.layout, &e))
		ret = read_and_print(&r, &(struct analysis_input){ .path = opt.input,
								   .symbols = &opt.symbols,
								   .pager = &opt.pager,
								   .diag = &diag,
								   .record_file = opt.record_file,
								   .no_user_maps = true });
	pager_end(&opt.pager);
	diag_fini(&diag);
	ftrace_latency_fini(&r.latency);
	ftrace_options_fini(&opt);
	return ret;
}
