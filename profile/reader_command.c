/* SPDX-License-Identifier: MIT */
#include "profile/reader_command.h"

#include "base/progress.h"
#include "count/counts.h"
#include "session/common_options.h"
#include "session/object_weights.h"
#include "session/why.h"

int reader_open(const struct reader_command *rc, const char *path, struct perfdata **ret,
		struct perr *e)
{
	struct progress progress;
	int err;

	progress_init_ahead(&progress, rc->prog, 0, rc->messages);
	err = pd_open_with(
		path,
		&(struct pd_open_options){ .progress = &progress, .only_trusted = !rc->force },
		rc->diag, ret, e);
	progress_end(&progress);
	return err;
}

int reader_start(const struct reader_command *rc, struct perfdata *pd,
		 const struct reader_config *cfg, struct session **ret, struct perr *e)
{
	int err = cfg->filter ? common_fit_filter(cfg->filter, cfg->time, pd, e) : 0;

	*ret = NULL;
	if (err)
		return err;
	*ret = session_new(pd, &cfg->session, rc->diag);
	object_weights_tell_debuginfod(*ret);
	return 0;
}

int reader_count(const struct reader_command *rc, struct session *s,
		 const struct counts_config *cfg, struct counts **ret, struct perr *e)
{
	struct counts_config with_progress = *cfg;
	struct progress progress;
	int err;

	progress_init_ahead(&progress, rc->prog, s->pd->file_size, rc->messages);
	with_progress.progress = &progress;
	err = counts_run(s, &with_progress, ret, e);
	progress_end(&progress);
	return err;
}

struct verdict *reader_judge(const struct reader_command *rc, const struct verdict_input *in)
{
	return rc->quality == VERDICT_NONE ? NULL : verdict_new(in);
}

int reader_output(const struct reader_command *rc, reader_output_fn *print, void *ctx,
		  struct perr *e)
{
	struct out o;
	int err;

	out_init(&o, rc->output);
	out_page(&o, rc->pager);
	err = print(ctx, &o, e);
	if (out_fini(&o) && !err)
		err = perr_io(e, "cannot write");
	return err;
}

int reader_print_why(void *why, struct out *o, struct perr *e)
{
	const struct reader_why *w = why;

	return why_print(o, w->pd, &w->session, w->diag, w->object, e);
}

int reader_fail(const struct reader_command *rc, const char *what, const struct perr *e)
{
	perr_print(e, rc->prog, what, rc->messages);
	return 1;
}

void reader_finish(const struct reader_command *rc, struct verdict **verdicts, size_t nr)
{
	size_t nr_given = 0, i;

	pager_end(rc->pager);
	for (i = 0; i < nr; i++)
		if (verdicts[i])
			verdicts[nr_given++] = verdicts[i];
	verdict_tell(rc->messages, rc->prog, rc->quality, (const struct verdict *const *)verdicts,
		     nr_given, rc->diag);
	while (nr_given)
		verdict_free(verdicts[--nr_given]);
}
