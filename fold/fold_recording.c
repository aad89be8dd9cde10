/* SPDX-License-Identifier: MIT */
#include "fold/fold_recording.h"

#include "count/counts.h"
#include "profile/event_choice.h"

static void set_config(const struct pfold_options *opt, const struct perfdata *pd,
		       struct counts_config *cfg)
{
	*cfg = (struct counts_config){
		.threads = opt->folded.threads,
		.max_mem = opt->max_mem,
		.max_stack = opt->stacks.max_stack,
		.max_user_stack = opt->stacks.max_user_stack,
		.no_join = !opt->stacks.join,
		.filter = &opt->filter,
	};
	folded_want(&opt->folded, pd, cfg);
}

static struct verdict *judge_folded(const struct reader_command *rc,
				    const struct pfold_options *opt, unsigned int side,
				    const struct fold_result *r, const bool *wanted)
{
	struct counts_config cfg;
	const struct verdict_input in = {
		.input = opt->inputs[side],
		.session = r->session,
		.counts = r->counts,
		.config = &cfg,
		.wanted = wanted,
		.events_add_up = true, /* events that do not add up are refused */
	};

	set_config(opt, r->pd, &cfg);
	return reader_judge(rc, &in);
}

/* What the weights of an event count. */
static char *unit_of(const struct pfold_options *opt, const struct pd_event *ev)
{
	/* cpu-clock and task-clock, whose periods are times */
	bool is_clock = pd_is_offcpu_event(ev) ||
			(ev->attr.type == PD_TYPE_SOFTWARE && ev->attr.config <= 1);
	struct span name = event_base_name(ev->name);

	if (opt->folded.weight == FOLD_WEIGHT_SAMPLES)
		return xstrdup("samples");
	return is_clock ? xstrdup("ns") : xstrndup((const char *)name.p, name.n);
}

/* A chart is in order of time. */
static int need_times(const struct perfdata *pd, const struct counts *c, const bool *wanted,
		      struct perr *e)
{
	for (size_t i = 0; i < c->nr_events; i++)
		if (wanted[i] && !(pd->events[i]->attr.sample_type & PD_SAMPLE_TIME))
			return perr_set(e, PERR_USAGE,
					"--flamechart: the samples have no times: record without "
					"--no-timestamp");
	return 0;
}

/* Folds the rows of the event that the user chose. */
static int fold_chosen(const struct reader_command *rc, const struct pfold_options *opt,
		       unsigned int side, struct folded *f, struct fold_result *r, struct perr *e)
{
	const struct counts *c = r->counts;
	bool *wanted = xcalloc(c->nr_events + 1, sizeof(*wanted));
	size_t i;
	int err;

	if (opt->folded.wall)
		err = event_choose_wall(r->pd, c, wanted, e);
	else
		err = event_choose_one(r->pd, c, opt->event, wanted, &r->choices, e);
	if (!err && opt->folded.chart)
		err = need_times(r->pd, c, wanted, e);
	if (!err) {
		folded_add(f, r->session, c, wanted, side);
		r->verdict = judge_folded(rc, opt, side, r, wanted);
	}
	for (i = 0; i < c->nr_events; i++) {
		if (wanted[i] && !err && !r->unit)
			r->unit = unit_of(opt, r->pd->events[i]);
		r->nr_samples += wanted[i] ? c->events[i].samples : 0;
	}
	free(wanted);
	return err;
}

static void name_frames(void *f, const struct counts *c)
{
	folded_name_frames(f, c);
}

static int count_stacks(const struct reader_command *rc, const struct pfold_options *opt,
			struct folded *f, struct fold_result *r, struct perr *e)
{
	struct counts_config cfg;

	set_config(opt, r->pd, &cfg);
	cfg.resolve = true;
	cfg.on_frames = name_frames;
	cfg.on_frames_ctx = f;
	return reader_count(rc, r->session, &cfg, &r->counts, e);
}

int fold_recording(const struct reader_command *rc, struct pfold_options *opt, unsigned int side,
		   struct folded *f, struct fold_result *ret, struct perr *e)
{
	const struct reader_config cfg = {
		.session = { .symbols = opt->symbols, .unwinder = opt->stacks.unwinder },
		.filter = &opt->filter,
		.time = opt->time,
	};
	struct perr damage;
	int err, err2;

	*ret = (struct fold_result){ 0 };
	err = reader_open(rc, opt->inputs[side], &ret->pd, e);
	if (err)
		return err;
	err = reader_start(rc, ret->pd, &cfg, &ret->session, e);
	if (err)
		return err;
	err = count_stacks(rc, opt, f, ret, &damage);
	if (err)
		*e = damage;
	pd_warn_unfinished(ret->pd);
	if (ret->counts) {
		err2 = fold_chosen(rc, opt, side, f, ret, e);
		ret->partial = err && !err2;
		err = err2 ? err2 : err;
	}
	return err;
}

void fold_result_close(struct fold_result *r)
{
	counts_free(r->counts);
	session_free(r->session);
	pd_close(r->pd);
	free(r->choices);
	r->counts = NULL;
	r->session = NULL;
	r->pd = NULL;
	r->choices = NULL;
}
