/* SPDX-License-Identifier: MIT */
#include "events/state/state_run.h"

#include "events/state/state_table.h"
#include "profile/reader_command.h"

struct state_run {
	const struct reader_command *rc;
	const struct state_options *opt;
	struct sample_sink sink;
	struct perfdata *pd;
	struct session *s;
	struct thread_states states;
	struct state_source source;
	struct stack_texts stacks;
	struct state_table table;
	struct out *o;
	bool is_stream;
};

static struct state_run *run_of(struct sample_sink *k)
{
	return (struct state_run *)((char *)k - offsetof(struct state_run, sink));
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
	struct progress progress;
	const struct sample_query query = { .pass = "following threads", .progress = &progress };
	int err;

	progress_init_ahead(&progress, r->rc->prog, r->pd->file_size, r->rc->messages);
	r->sink = (struct sample_sink){ .flags = SINK_RECORDS |
						 (r->opt->stacks ? 0 : SINK_LATE_KERNEL),
					.sample = take_sample,
					.record = take_record };
	err = session_run(r->s, &query, &r->sink, e);
	progress_end(&progress);
	return err;
}

static int write_folded(struct state_run *r, struct perr *e)
{
	FILE *f = fopen(r->opt->folded, "we");
	struct out o;
	int err = 0;

	if (!f)
		return perr_io(e, "--folded %s", r->opt->folded);
	out_init(&o, f);
	state_table_put_folded(&r->table, &o);
	if (out_fini(&o))
		err = perr_io(e, "--folded %s", r->opt->folded);
	if (fclose(f) && !err)
		err = perr_io(e, "--folded %s", r->opt->folded);
	return err;
}

/* The time up to which threads are observed: that of the last record with a time. */
static u64 end_time(const struct state_run *r)
{
	u64 last = r->states.last_time;

	return r->pd->last_time != UINT64_MAX && r->pd->last_time > last ? r->pd->last_time : last;
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct state_run *r = ctx;
	const struct state_options *opt = r->opt;
	struct perr other;
	int err, more;

	r->o = o;
	r->is_stream = !session_can_repeat(r->s);
	thread_states_init(&r->states);
	r->states.found = take_interval;
	r->states.ctx = r;
	state_source_init(&r->source, &r->states, r->s);
	if (opt->stacks) {
		stack_texts_init(&r->stacks, r->s, opt->stack.max_stack, opt->stack.max_user_stack);
		r->source.stacks = &r->stacks;
		r->source.wakers = opt->wakers;
	}
	state_table_init(&r->table, opt, o, r->source.stacks);
	err = read_events(r, e);
	more = state_source_check(&r->source, err ? &other : e);
	if (!more)
		more = thread_states_finish(&r->states, end_time(r), err ? &other : e);
	if (!more)
		state_table_put(&r->table, &r->states, &r->source);
	if (!more && opt->folded)
		more = write_folded(r, err ? &other : e);
	state_table_fini(&r->table);
	state_source_fini(&r->source);
	stack_texts_fini(&r->stacks);
	thread_states_fini(&r->states);
	return err ? err : more;
}

static int run(const struct reader_command *rc, struct state_options *opt)
{
	const struct reader_config cfg = { .session = { .symbols = opt->symbols } };
	struct state_run r = { .rc = rc, .opt = opt };
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

int state_main(int argc, char **argv)
{
	struct state_options opt = { 0 };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = state_options_parse(&opt, &diag, argc, argv);
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
	state_options_fini(&opt);
	return ret;
}
