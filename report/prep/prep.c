/* SPDX-License-Identifier: MIT */
/* prep: tables of where the samples of a perf.data are, as perf report prints them. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pages.h"
#include "base/parallel.h"
#include "base/sigbus.h"
#include "report/text/header_text.h"
#include "report/prep/prep_diff.h"
#include "report/prep/prep_html.h"
#include "report/prep/prep_report.h"
#include "report/prep/prep_stats.h"

static struct reader_command make_command(struct prep_options *opt, struct diag *diag)
{
	return (struct reader_command){ .prog = "prep",
					.output = stdout,
					.messages = stderr,
					.pager = &opt->pager,
					.diag = diag,
					.force = opt->symbols.force,
					.quality = opt->quality };
}

static void leave_diff(void *diff)
{
	struct prep_diff *d = diff;

	reader_finish(d->rc, d->verdicts, d->verdicts ? d->opt->diff_of.nr_files : 0);
}

static int print_diff(void *diff, struct out *o, struct perr *e)
{
	struct prep_diff *d = diff;

	if (d->opt->full_names || d->opt->table.widths)
		o->columns = 0;
	return prep_diff_print(d, o, e);
}

static int prep_run_diff(struct prep_options *opt, struct diag *diag)
{
	const struct reader_command rc = make_command(opt, diag);
	struct prep_diff d = { .rc = &rc, .opt = opt, .file = opt->input };
	struct perr e = { .off = -1 };
	int err;

	opt->pager.on_leave = leave_diff;
	opt->pager.leave_ctx = &d;
	err = reader_output(&rc, print_diff, &d, &e);
	if (err)
		reader_fail(&rc, d.file, &e);
	reader_finish(&rc, d.verdicts, opt->diff_of.nr_files);
	free(d.verdicts);
	return err ? 1 : 0;
}

/* What prep prints of one recording, and the verdict that is left when that is done. */
struct prep_run {
	const struct reader_command *rc;
	struct prep_options *opt;
	struct perfdata *pd;
	struct verdict *verdict;
};

static int prep_print(void *ctx, struct out *o, struct perr *e)
{
	struct prep_run *r = ctx;
	struct prep_options *opt = r->opt;
	struct reader_why why = { .pd = r->pd,
				  .session = { .symbols = opt->symbols },
				  .diag = r->rc->diag,
				  .object = opt->why };

	if (opt->full_names)
		o->columns = 0;
	/* -q takes precedence over both header options: the report follows */
	opt->header_only &= !opt->quiet;
	if ((opt->header && !opt->quiet) || opt->header_only) {
		header_text_print(o, r->pd, opt->show_info);
		if (r->pd->kind == PD_PIPE)
			header_text_print_features(o, r->pd, opt->show_info);
	}
	if (opt->dump_raw)
		return prep_dump_print(r->rc, opt, r->pd, o, e);
	if (opt->stats)
		return prep_stats_print(o, r->pd, opt->skip_empty, e);
	if (opt->why)
		return reader_print_why(&why, o, e);
	if (opt->tasks || opt->mmaps)
		return prep_tasks_print(o, r->pd, &opt->symbols, opt->mmaps, r->rc->diag, e);
	if (opt->header_only)
		return 0;
	return prep_report(r->rc, opt, r->pd, o, &r->verdict, e);
}

/* The user has left the pager before all tables were printed. */
static void prep_leave(void *ctx)
{
	struct prep_run *r = ctx;

	pd_warn_unfinished(r->pd);
	reader_finish(r->rc, &r->verdict, 1);
}

static int prep_run(struct prep_options *opt, struct diag *diag)
{
	const struct reader_command rc = make_command(opt, diag);
	struct prep_run r = { .rc = &rc, .opt = opt };
	struct perr e = { .off = -1 };
	int err;

	opt->pager.on_leave = prep_leave;
	opt->pager.leave_ctx = &r;
	err = reader_open(&rc, opt->input, &r.pd, &e);
	if (!err) {
		err = reader_output(&rc, prep_print, &r, &e);
		if (err)
			reader_fail(&rc, opt->input, &e);
		pd_warn_unfinished(r.pd);
		pd_close(r.pd);
	} else {
		reader_fail(&rc, opt->input, &e);
	}
	reader_finish(&rc, &r.verdict, 1);
	return err ? 1 : 0;
}

static int prep_run_html(struct prep_options *opt, struct diag *diag)
{
	const struct reader_command rc = make_command(opt, diag);

	return prep_html(&rc, opt);
}

int main(int argc, char **argv)
{
	struct prep_options opt = { 0 };
	struct diag diag;
	int ret;

	pages_keep_heap();
	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("prep", _exit);
	diag_init(&diag);
	ret = prep_options_parse(&opt, &diag, argc, argv);
	if (ret < 0 && opt.html)
		ret = prep_run_html(&opt, &diag);
	else if (ret < 0)
		ret = opt.diff ? prep_run_diff(&opt, &diag) : prep_run(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	pages_give_back(opt.nr_threads ? (unsigned int)opt.nr_threads : parallel_nr_cpus());
	prep_options_fini(&opt);
	return ret;
}
