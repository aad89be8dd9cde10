/* SPDX-License-Identifier: MIT */
#include "events/state/state_run.h"

#include "events/analysis.h"
#include "events/state/state_table.h"

struct state_run {
	struct analysis pass;
	const struct state_options *opt;
	struct thread_states states;
	struct state_source source;
	struct stack_texts stacks;
	struct state_table table;
	struct out *o;
	bool is_stream;
};

static struct state_run *run_of(struct sample_sink *k)
{
	return (struct state_run *)analysis_of(k);
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	return state_source_take(&run_of(k)->source, v, e);
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	return state_source_take_record(&run_of(k)->source, ev, e);
}

static int take_interval(void *ctx, const struct state_interval *i, struct perr *e)
{
	struct state_run *r = ctx;

	state_table_add(&r->table, i);
	if (r->opt->than && r->is_stream && out_flush(r->o))
		return perr_io(e, "cannot write");
	return 0;
}

static int read_events(struct state_run *r, struct perr *e)
{
	const struct sample_query query = { .pass = "following threads" };
	int err;

	r->pass.sink = (struct sample_sink){ .flags = SINK_RECORDS |
						      (r->opt->stacks ? 0 : SINK_LATE_KERNEL),
					     .sample = take_sample,
					     .record = take_record };
	err = analysis_read(&r->pass, query, e);
	return err;
}

static void put_folded(void *table, struct out *o)
{
	state_table_put_folded(table, o);
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct state_run *r = ctx;
	const struct state_options *opt = r->opt;
	struct perr other;
	int err, more;

	r->o = o;
	r->is_stream = !session_can_repeat(r->pass.s);
	thread_states_init(&r->states);
	r->states.found = take_interval;
	r->states.ctx = r;
	state_source_init(&r->source, &r->states, r->pass.s);
	if (opt->stacks) {
		stack_texts_init(&r->stacks, r->pass.s, opt->stack.max_stack,
				 opt->stack.max_user_stack);
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
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = state_options_parse(&opt, &diag, argc, argv);
	if (ret < 0)
		ret = analysis_run(
			&r.pass,
			&(struct analysis_input){ opt.input, &opt.symbols, &opt.pager, &diag },
			run_and_print, &r);
	pager_end(&opt.pager);
	diag_fini(&diag);
	state_options_fini(&opt);
	return ret;
}
