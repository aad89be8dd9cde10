/* SPDX-License-Identifier: MIT */
/* prep: tables of where the samples of a perf.data are, as perf report prints them. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/sigbus.h"
#include "report/header_text.h"
#include "report/prep_diff.h"
#include "report/prep_report.h"
#include "report/prep_stats.h"

static int fail(const char *input, const struct perr *e)
{
	if (e->off >= 0)
		fprintf(stderr, "prep: %s: %s (offset %#llx)\n", input, e->text,
			(unsigned long long)e->off);
	else
		fprintf(stderr, "prep: %s: %s\n", input, e->text);
	return 1;
}

static int run_diff(struct prep_options *opt, struct diag *diag)
{
	struct perr e = { .off = -1 };
	const char *file = opt->input;
	struct out o;
	int err;

	out_init(&o, stdout);
	err = prep_diff_print(opt, diag, &o, &file, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	return err ? fail(file, &e) : 0;
}

static int run(struct prep_options *opt, struct diag *diag)
{
	struct perr e = { .off = -1 };
	struct perfdata *pd;
	struct out o;
	int err = 0, ret = 0;

	if (pd_open(opt->input, diag, &pd, &e))
		return fail(opt->input, &e);
	out_init(&o, stdout);
	/* -q stands above both: the report follows */
	opt->header_only &= !opt->quiet;
	if ((opt->header && !opt->quiet) || opt->header_only) {
		header_text_print(&o, pd, opt->show_info);
		if (pd->kind == PD_PIPE)
			header_text_print_features(&o, pd, opt->show_info);
	}
	if (opt->dump_raw)
		err = prep_dump_print(&o, pd, &e);
	else if (opt->stats)
		err = prep_stats_print(&o, pd, &e);
	else if (opt->tasks || opt->mmaps)
		err = prep_tasks_print(&o, pd, &opt->symbols, opt->mmaps, diag, &e);
	else if (!opt->header_only)
		err = prep_report(opt, pd, diag, &o, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	if (err)
		ret = fail(opt->input, &e);
	pd_close(pd);
	return ret;
}

int main(int argc, char **argv)
{
	struct prep_options opt = { 0 };
	struct diag diag;
	int ret;

	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("prep", _exit);
	diag_init(&diag);
	ret = prep_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		ret = opt.diff ? run_diff(&opt, &diag) : run(&opt, &diag);
		diag_print(&diag, "prep", stderr);
	}
	diag_fini(&diag);
	prep_options_fini(&opt);
	return ret;
}
