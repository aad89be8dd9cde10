/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/lock_run.h"

#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/perf_texts/lock_options.h"

struct lock_run {
	struct analysis pass;
	const struct lock_options *opt;
	struct lock_contention contention;
	struct lock_events lock;
};

static struct lock_run *run_of(struct sample_sink *k)
{
	return (struct lock_run *)analysis_of(k);
}

static int take_lock(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	(void)e;
	lock_events_take(&run_of(k)->lock, v);
	return 0;
}

static int take_lock_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	lock_events_record(&run_of(k)->lock, ev);
	return 0;
}

static void put_losses(struct lock_run *r, const struct losses *l)
{
	if (l->nr)
		message(r->pass.rc->messages,
			"plat: %llu records were lost in %llu place%s: contentions are missing, "
			"and times across these places are wrong\n",
			(unsigned long long)l->events, (unsigned long long)l->nr,
			l->nr == 1 ? "" : "s");
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct lock_run *r = ctx;
	const struct lock_options *opt = r->opt;
	struct lock_layout how = opt->layout;
	const char *unknown;
	struct perr other;
	int err, more;

	how.by = opt->threads ? LOCK_BY_THREAD : opt->lock_addr ? LOCK_BY_ADDRESS : LOCK_BY_CALLER;
	how.comm_of = lock_events_comm;
	how.ctx = &r->lock;
	lock_contention_init(&r->contention);
	lock_events_init(&r->lock, &r->contention, how.by, r->pass.s);
	r->lock.filter = &opt->filter;
	r->lock.max_stack = (u32)opt->max_stack;
	r->lock.skip = (u32)opt->stack_skip;
	r->lock.keep_stacks = how.stacks;
	r->pass.sink = (struct sample_sink){ .flags = SINK_RECORDS,
					     .sample = take_lock,
					     .record = take_lock_record };
	err = analysis_read(&r->pass, (struct sample_query){ .pass = "reading events" }, e);
	more = lock_events_check(&r->lock, err ? &other : e);
	if (!more)
		lock_contention_put(&r->contention, &how, o);
	unknown = lock_events_unknown_lock(&r->lock);
	if (unknown)
		message(r->pass.rc->messages,
			"plat: -L: the kernel's symbols have no '%s', and many kernels have "
			"none but of functions; plat lock-contention -l prints addresses\n",
			unknown);
	put_losses(r, &r->lock.losses);
	lock_events_fini(&r->lock);
	lock_contention_fini(&r->contention);
	return err ? err : more;
}

int lock_main(int argc, char **argv)
{
	struct lock_options opt = { 0 };
	struct lock_run r = { .opt = &opt };
	struct analysis_live live = { .target = &opt.live };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = lock_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		if (record_target_given(&opt.live))
			live.err = lock_options_record(&opt, true, &live.words, &live.why);
		ret = analysis_run_live(&r.pass,
					&(struct analysis_input){ .path = opt.input,
								  .symbols = &opt.symbols,
								  .pager = &opt.pager,
								  .diag = &diag,
								  .record_file = opt.record_file },
					&live, run_and_print, &r);
	}
	pager_end(&opt.pager);
	diag_fini(&diag);
	lock_options_fini(&opt);
	return ret;
}
