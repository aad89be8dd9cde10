/* SPDX-License-Identifier: MIT */
#include "events/analysis.h"

#include <sys/wait.h>

#include "base/option.h"
#include "base/progress.h"
#include "base/screen/message.h"

int analysis_read(struct analysis *a, struct sample_query query, struct perr *e)
{
	struct progress progress;
	int err;

	progress_init_ahead(&progress, a->rc->prog, a->pd->file_size, a->rc->messages);
	query.progress = &progress;
	err = session_run(a->s, &query, &a->sink, e);
	progress_end(&progress);
	return err;
}

u64 analysis_end_time(const struct analysis *a, u64 last)
{
	return a->pd->last_time != UINT64_MAX && a->pd->last_time > last ? a->pd->last_time : last;
}

int analysis_write_text(const char *option, const char *path, void (*put)(void *ctx, struct out *o),
			void *ctx, struct perr *e)
{
	FILE *f = fopen(path, "we");
	struct out o;
	int err = 0;

	if (!f)
		return perr_io(e, "%s %s", option, path);
	out_init(&o, f);
	put(ctx, &o);
	if (out_fini(&o))
		err = perr_io(e, "%s %s", option, path);
	if (fclose(f) && !err)
		err = perr_io(e, "%s %s", option, path);
	return err;
}

bool analysis_end_live(struct live *l, const struct reader_command *rc, int err,
		       const struct perr *why)
{
	struct perr e = { .off = -1 };
	int prec_status, failed = live_end(l, &prec_status, &e);

	if (failed)
		(void)reader_fail(rc, "live", &e);
	/* prec has said what was wrong: that its stream was none is no news */
	if (err && !(WIFEXITED(prec_status) && WEXITSTATUS(prec_status)))
		(void)reader_fail(rc, "live", why);
	return err || failed;
}

int analysis_run(struct analysis *a, const struct analysis_input *in, reader_output_fn *print,
		 void *ctx)
{
	const struct reader_config cfg = { .session = { .symbols = *in->symbols,
							.no_user_maps = in->no_user_maps,
							.forgets_maps = true } };
	const struct reader_command rc = { .prog = "plat",
					   .output = stdout,
					   .messages = stderr,
					   .pager = in->pager,
					   .diag = in->diag,
					   .force = in->symbols->force };
	struct perr e = { .off = -1 };
	struct live live;
	bool is_said;
	int err = in->record ? live_start(&live, in->record->v, in->record_file, &e) : 0;

	if (err)
		return reader_fail(&rc, "live", &e);
	a->rc = &rc;
	err = reader_open(&rc, in->path, &a->pd, &e);
	if (!err)
		err = reader_start(&rc, a->pd, &cfg, &a->s, &e);
	if (!err)
		err = reader_output(&rc, print, ctx, &e);
	if (a->pd)
		pd_warn_unfinished(a->pd);
	/* without a session, what prec says is why */
	is_said = err && (!in->record || a->s);
	if (is_said)
		(void)reader_fail(&rc, in->record ? "live" : in->path, &e);
	session_free(a->s);
	pd_close(a->pd);
	if (in->record)
		err = analysis_end_live(&live, &rc, err && !is_said, &e) || err;
	reader_finish(&rc, NULL, 0);
	a->rc = NULL;
	return err ? 1 : 0;
}

int analysis_run_live(struct analysis *a, const struct analysis_input *in,
		      struct analysis_live *live, reader_output_fn *print, void *ctx)
{
	struct analysis_input with = *in;
	int ret = OPT_STATUS_USAGE;

	if (record_target_given(live->target))
		with.record = &live->words;
	if (live->err)
		message(stderr, "plat: %s\n", live->why.text);
	else
		ret = analysis_run(a, &with, print, ctx);
	record_words_fini(&live->words);
	return ret;
}
