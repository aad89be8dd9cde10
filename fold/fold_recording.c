/* SPDX-License-Identifier: MIT */
#include "fold/fold_recording.h"

#include "count/counts.h"
#include "fold/fold_events.h"
#include "session/common_options.h"
#include "session/object_weights.h"

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

static struct verdict *judge(const struct pfold_options *opt, const struct session *s,
			     const struct counts *c, const bool *wanted, unsigned int side)
{
	struct counts_config cfg;
	const struct verdict_input in = {
		.input = opt->inputs[side],
		.session = s,
		.counts = c,
		.config = &cfg,
		.wanted = wanted,
		.events_add_up = true, /* others are not folded together */
	};

	set_config(opt, s->pd, &cfg);
	return opt->quality == VERDICT_NONE ? NULL : verdict_new(&in);
}

static int add_chosen(const struct pfold_options *opt, const struct session *s, struct counts *c,
		      struct folded *f, unsigned int side, u64 *ret_samples, char **ret_choices,
		      struct verdict **ret_verdict, struct perr *e)
{
	bool *wanted = xcalloc(c->nr_events + 1, sizeof(*wanted));
	size_t i;
	int err;

	err = fold_events_choose(s->pd, c, opt->event, wanted, ret_choices, e);
	if (!err) {
		folded_add(f, s, c, wanted, side);
		*ret_verdict = judge(opt, s, c, wanted, side);
	}
	*ret_samples = 0;
	for (i = 0; i < c->nr_events; i++)
		*ret_samples += wanted[i] ? c->events[i].samples : 0;
	free(wanted);
	return err;
}

static void name_frames(void *f, const struct counts *c)
{
	folded_name_frames(f, c);
}

static int count(struct pfold_options *opt, struct session *s, struct folded *f,
		 struct counts **ret, struct perr *e)
{
	struct progress progress;
	struct counts_config cfg;
	int err;

	set_config(opt, s->pd, &cfg);
	cfg.progress = &progress;
	cfg.resolve = true;
	cfg.on_frames = name_frames;
	cfg.on_frames_ctx = f;
	progress_init_ahead(&progress, "pfold", s->pd->file_size, stderr);
	err = counts_run(s, &cfg, ret, e);
	progress_end(&progress);
	return err;
}

int fold_recording(struct pfold_options *opt, unsigned int side, struct folded *f,
		   struct diag *diag, struct fold_source *src, u64 *ret_samples, bool *ret_partial,
		   char **ret_choices, struct verdict **ret_verdict, struct perr *e)
{
	struct session_config cfg = { .symbols = opt->symbols, .unwinder = opt->stacks.unwinder };
	struct perr damage;
	int err, err2;

	*ret_partial = false;
	*ret_verdict = NULL;
	*src = (struct fold_source){ 0 };
	err = common_open(opt->inputs[side], "pfold", stderr, diag, &src->pd, e);
	if (err)
		return err;
	err = common_fit_filter(&opt->filter, opt->time, src->pd, e);
	if (err)
		return err;
	src->s = session_new(src->pd, &cfg, diag);
	object_weights_tell_debuginfod(src->s);
	err = count(opt, src->s, f, &src->c, &damage);
	if (err)
		*e = damage;
	if (src->c) {
		err2 = add_chosen(opt, src->s, src->c, f, side, ret_samples, ret_choices,
				  ret_verdict, e);
		*ret_partial = err && !err2;
		err = err2 ? err2 : err;
	}
	return err;
}

void fold_source_close(struct fold_source *src)
{
	counts_free(src->c);
	session_free(src->s);
	pd_close(src->pd);
	*src = (struct fold_source){ 0 };
}
