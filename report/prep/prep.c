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
#include "report/prep/prep_report.h"
#include "report/prep/prep_stats.h"
#include "session/why.h"

static int fail(const char *input, const struct perr *e)
{
	if (e->off >= 0)
		fprintf(stderr, "prep: %s: %s (offset %#llx)\n", input, e->text,
			(unsigned long long)e->off);
	else
		fprintf(stderr, "prep: %s: %s\n", input, e->text);
	return 1;
}

static void tell(const struct prep_options *opt, struct verdict **verdicts, size_t nr,
		 struct diag *diag)
{
	verdict_tell(stderr, "prep", opt->quality, (const struct verdict *const *)verdicts, nr,
		     diag);
	while (nr)
		verdict_free(verdicts[--nr]);
}

static int run_diff(struct prep_options *opt, struct diag *diag)
{
	struct verdict *verdicts[PREP_DIFF_SIDES];
	struct perr e = { .off = -1 };
	const char *file = opt->input;
	struct out o;
	int err, ret;

	out_init(&o, stdout);
	out_page(&o, &opt->pager);
	err = prep_diff_print(opt, diag, &o, verdicts, &file, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	ret = err ? fail(file, &e) : 0;
	/* the second file is not counted after the first one failed */
	tell(opt, verdicts, !verdicts[0] ? 0 : !verdicts[1] ? 1 : PREP_DIFF_SIDES, diag);
	return ret;
}

/* --why: not what was recorded, but where the files of an object are. */
static int print_why(const struct prep_options *opt, struct perfdata *pd, struct diag *diag,
		     struct out *o, struct perr *e)
{
	struct session_config cfg = { .symbols = opt->symbols };

	return why_print(o, pd, &cfg, diag, opt->why, e);
}

static int run(struct prep_options *opt, struct diag *diag)
{
	struct verdict *verdict = NULL;
	struct perr e = { .off = -1 };
	struct perfdata *pd;
	struct out o;
	int err = 0, ret = 0;

	if (common_open(opt->input, "prep", stderr, diag, &pd, &e)) {
		ret = fail(opt->input, &e);
		tell(opt, NULL, 0, diag);
		return ret;
	}
	out_init(&o, stdout);
	out_page(&o, &opt->pager);
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
	else if (opt->why)
		err = print_why(opt, pd, diag, &o, &e);
	else if (opt->tasks || opt->mmaps)
		err = prep_tasks_print(&o, pd, &opt->symbols, opt->mmaps, diag, &e);
	else if (!opt->header_only)
		err = prep_report(opt, pd, diag, &o, &verdict, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	if (err)
		ret = fail(opt->input, &e);
	pd_close(pd);
	tell(opt, &verdict, verdict != NULL, diag);
	return ret;
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
	if (ret < 0)
		ret = opt.diff ? run_diff(&opt, &diag) : run(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	pages_give_back(opt.nr_threads ? (unsigned int)opt.nr_threads : parallel_nr_cpus());
	prep_options_fini(&opt);
	return ret;
}
