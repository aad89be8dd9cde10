/* SPDX-License-Identifier: MIT */
/* pscript: prints the samples of a perf.data, as perf script does. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/sigbus.h"
#include "report/text/header_text.h"
#include "report/pscript/script_quality.h"
#include "session/common_options.h"
#include "session/why.h"

static int fail(const char *input, const struct perr *e)
{
	if (e->off >= 0)
		fprintf(stderr, "pscript: %s: %s (offset %#llx)\n", input, e->text,
			(unsigned long long)e->off);
	else
		fprintf(stderr, "pscript: %s: %s\n", input, e->text);
	return 1;
}

static void print_header(struct pscript_options *opt, const struct perfdata *pd)
{
	struct out o;

	out_init(&o, stdout);
	out_page(&o, &opt->pager);
	if (opt->header || opt->header_only)
		header_text_print(&o, pd, opt->show_info);
	/* a pipe's features come as records, which stock perf shows as it meets them */
	if (pd->kind == PD_PIPE && !opt->header_only)
		header_text_print_features(&o, pd, opt->show_info);
	out_fini(&o);
}

static int print_samples(struct pscript_options *opt, struct perfdata *pd, struct diag *diag)
{
	struct perr e = { .off = -1 };
	struct script script;
	bool prepared;
	int err, ret;

	err = script_prepare(&script, opt, pd, diag, &e);
	prepared = !err;
	if (!err)
		err = script_print(&script, &e);
	ret = err ? fail(opt->input, &e) : 0;
	if (prepared) {
		script_quality_tell(&script, !err, diag);
		script_warn_of_stream(&script, diag);
	}
	script_fini(&script);
	return ret;
}

/* --why: not what was recorded, but where the files of an object are. */
static int print_why(struct pscript_options *opt, struct perfdata *pd, struct diag *diag)
{
	struct session_config cfg = { .symbols = opt->symbols };
	struct perr e = { .off = -1 };
	struct out o;
	int err;

	out_init(&o, stdout);
	out_page(&o, &opt->pager);
	err = why_print(&o, pd, &cfg, diag, opt->why, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	return err ? fail(opt->input, &e) : 0;
}

static int run(struct pscript_options *opt, struct diag *diag)
{
	struct perr e = { .off = -1 };
	struct perfdata *pd;
	int ret = 0;

	if (common_open(opt->input, "pscript", stderr, diag, &pd, &e))
		return fail(opt->input, &e);
	pd_set_text_format(pd, opt->text.format);
	/* first, so that it is there where the options turn out not to fit the file */
	if (opt->header || opt->header_only || opt->show_info)
		print_header(opt, pd);
	if (opt->why)
		ret = print_why(opt, pd, diag);
	else if (!opt->header_only)
		ret = print_samples(opt, pd, diag);
	pd_close(pd);
	return ret;
}

/* A pipe of the usual 64 KiB would switch to its reader and back for every thousand lines. */
static void widen_pipe(void)
{
	(void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
}

int main(int argc, char **argv)
{
	struct pscript_options opt = { 0 };
	struct diag diag;
	int ret;

	signal(SIGPIPE, SIG_DFL);
	widen_pipe();
	sigbus_explain("pscript", _exit);
	diag_init(&diag);
	ret = pscript_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		ret = run(&opt, &diag);
		diag_print(&diag, "pscript", stderr);
	}
	pager_end(&opt.pager);
	diag_fini(&diag);
	pscript_options_fini(&opt);
	return ret;
}
