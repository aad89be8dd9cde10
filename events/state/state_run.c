/* SPDX-License-Identifier: MIT */
#include "events/state/state_run.h"

#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/stacks/folded_page.h"
#include "events/state/state_table.h"
#include "events/table_text.h"

struct state_run {
	struct analysis pass;
	const struct state_options *opt;
	struct thread_states states;
	struct state_source source;
	struct stack_texts stacks;
	struct state_table table;
	struct out *o;
};

static struct state_run *run_of(struct sample_sink *k)
{
	return (struct state_run *)analysis_of(k);
}

/* Whether there is memory for more, which is looked at now and then. */
static void look_at_memory(struct state_run *r)
{
	size_t stacks = r->source.stacks ? stack_texts_bytes(&r->stacks) : 0;
	bool full = stacks + r->source.name_bytes + thread_states_bytes(&r->states) +
			    state_table_bytes(&r->table) >=
		    r->opt->limits.max_mem;

	r->states.full = r->source.full = r->table.full = full;
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct state_run *r = run_of(k);

	int err;

	if (r->source.nr_samples % 64 == 0)
		look_at_memory(r);
	err = state_source_take(&r->source, v, e);
	/* a thread that is looked up behind its end would be remembered as another one */
	if (!r->source.needs_tasks)
		k->flags |= SINK_NO_TASKS;
	return err;
}

static int shorten(struct sample_sink *k, const struct pd_event *ev, const struct pd_sample *s,
		   u64 *words)
{
	return state_source_shorten(&run_of(k)->source, ev, s, words);
}

static int take_shorts(struct sample_sink *k, const struct pd_short *s, size_t nr, struct perr *e)
{
	struct state_run *r = run_of(k);

	look_at_memory(r);
	if (!r->source.needs_tasks)
		k->flags |= SINK_NO_TASKS;
	return state_source_take_shorts(&r->source, k, s, nr, e);
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	return state_source_take_record(&run_of(k)->source, ev, e);
}

static int take_interval(void *ctx, const struct state_interval *i, struct perr *e)
{
	struct state_run *r = ctx;

	state_table_add(&r->table, i);
	return r->o->failed ? perr_io(e, "cannot write") : 0;
}

/* The stacks that no thread has left the CPU in last, or been woken in, are not printed again. */
static void forget_stacks(struct state_run *r)
{
	stack_texts_begin_forget(&r->stacks);
	for (size_t i = 0; i < r->states.nr; i++) {
		struct thread_times *th = &r->states.all[i];

		th->stack = stack_texts_keep(&r->stacks, th->stack);
		th->waker_stack = stack_texts_keep(&r->stacks, th->waker_stack);
	}
	stack_texts_end_forget(&r->stacks);
}

/* -I: the table of the time that has passed, and a new one. */
static int end_interval(struct sample_sink *k, u64 now, struct perr *e)
{
	struct state_run *r = run_of(k);

	if (!r->source.has_begun)
		return 0;
	table_text_put_time(r->o, now);
	state_table_put(&r->table, &r->states, &r->source);
	state_table_restart(&r->table);
	thread_states_restart(&r->states);
	if (r->source.stacks && stack_texts_are_many(&r->stacks))
		forget_stacks(r);
	return out_flush(r->o) ? perr_io(e, "cannot write") : 0;
}

/* A stream has no more records now: what is printed so far is to be seen. */
static void show_output(void *ctx)
{
	struct state_run *r = ctx;

	if (r->o->len)
		(void)out_flush(r->o);
}

static int read_events(struct state_run *r, struct perr *e)
{
	const struct sample_query query = { .pass = "following threads",
					    .interval_ns = r->opt->interval_ms * 1000000 };
	int err;

	r->pass.sink = (struct sample_sink){ .flags = SINK_RECORDS | SINK_BRIEF |
						      (r->opt->stacks ? 0 : SINK_LATE_KERNEL),
					     .sample = take_sample,
					     .shorten = shorten,
					     .short_samples = take_shorts,
					     .tick = end_interval,
					     .record = take_record };
	pd_on_wait(r->pass.pd, show_output, r);
	err = analysis_read(&r->pass, query, e);
	pd_on_wait(r->pass.pd, NULL, NULL);
	return err;
}

static void put_folded(void *table, struct out *o)
{
	state_table_put_folded(table, o, 1000);
}

static void put_folded_ns(void *table, struct out *o)
{
	state_table_put_folded(table, o, 1);
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct state_run *r = ctx;
	const struct state_options *opt = r->opt;
	struct perr other;
	int err, more;

	r->o = o;
	thread_states_init(&r->states);
	r->states.found = take_interval;
	r->states.ctx = r;
	r->states.max_threads = (size_t)opt->limits.max_keys;
	state_source_init(&r->source, &r->states, r->pass.s);
	if (opt->stacks) {
		stack_texts_init(&r->stacks, r->pass.s, opt->stack.max_stack,
				 opt->stack.max_user_stack);
		/* the other half is for threads and rows */
		r->stacks.max_bytes = (size_t)opt->limits.max_mem / 2;
		r->source.stacks = &r->stacks;
		r->source.wakers = opt->wakers;
	}
	state_table_init(&r->table, opt, o, r->source.stacks);
	err = read_events(r, e);
	more = state_source_check(&r->source, err ? &other : e);
	if (!more)
		more = thread_states_finish(&r->states,
					    analysis_end_time(&r->pass, r->states.last_time),
					    err ? &other : e);
	if (!more)
		state_table_put(&r->table, &r->states, &r->source);
	if (!more && opt->folded)
		more = analysis_write_text("--folded", opt->folded, put_folded, &r->table,
					   err ? &other : e);
	if (!more && opt->html)
		more = folded_page_write(&(struct folded_page){ .title = opt->input,
								.event = "time",
								.unit = "ns",
								.put = put_folded_ns,
								.ctx = &r->table },
					 opt->html, err ? &other : e);
	state_table_fini(&r->table);
	state_source_fini(&r->source);
	stack_texts_fini(&r->stacks);
	thread_states_fini(&r->states);
	return err ? err : more;
}

int state_main(int argc, char **argv)
{
	struct state_options opt = { 0 };
	struct state_run r = { .opt = &opt };
	struct analysis_live live = { .target = &opt.live };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = state_options_parse(&opt, &diag, argc, argv);
	if (ret < 0 && record_target_given(&opt.live))
		live.err = state_options_record(&opt, true, &live.words, &live.why);
	if (ret < 0)
		ret = analysis_run_live(&r.pass,
					&(struct analysis_input){ .path = opt.input,
								  .symbols = &opt.symbols,
								  .pager = &opt.pager,
								  .diag = &diag,
								  .record_file = opt.record_file,
								  .no_user_maps = !opt.stacks },
					&live, run_and_print, &r);
	pager_end(&opt.pager);
	diag_fini(&diag);
	state_options_fini(&opt);
	return ret;
}
