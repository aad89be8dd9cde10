/* SPDX-License-Identifier: MIT */
/* pscript: prints the samples of a perf.data, as perf script does. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/sigbus.h"
#include "report/text/header_text.h"
#include "report/pscript/script_quality.h"

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

static int print_samples(const struct reader_command *rc, struct pscript_options *opt,
			 struct perfdata *pd)
{
	struct perr e = { .off = -1 };
	struct script script;
	bool prepared;
	int err, ret;

	err = script_prepare(&script, rc, opt, pd, &e);
	prepared = !err;
	if (!err)
		err = script_print(&script, &e);
	ret = err ? reader_fail(rc, opt->input, &e) : 0;
	pd_warn_unfinished(pd);
	if (prepared) {
		script_warn_of_stream(&script, rc->diag);
		script_quality_tell(&script, !err);
	}
	script_fini(&script);
	return ret;
}

/* --why: prints where the files of an object were searched for, not what was recorded. */
static int print_why(const struct reader_command *rc, struct pscript_options *opt,
		     struct perfdata *pd)
{
	struct reader_why why = { .pd = pd,
				  .session = { .symbols = opt->symbols },
				  .diag = rc->diag,
				  .object = opt->why };
	struct perr e = { .off = -1 };

	return reader_output(rc, reader_print_why, &why, &e) ? reader_fail(rc, opt->input, &e) : 0;
}

static int pscript_run(struct pscript_options *opt, struct diag *diag)
{
	const struct reader_command rc = { .prog = "pscript",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt->pager,
					   .diag = diag,
					   .force = opt->symbols.force,
					   .quality = opt->quality };
	struct perr e = { .off = -1 };
	struct perfdata *pd;
	int ret = 0;

	if (reader_open(&rc, opt->input, &pd, &e))
		return reader_fail(&rc, opt->input, &e);
	pd_set_text_format(pd, opt->text.format);
	/* the header comes before the options are checked against the file, so it is always shown
	 */
	if (opt->header || opt->header_only || opt->show_info)
		print_header(opt, pd);
	if (!opt->why && !opt->header_only) {
		ret = print_samples(&rc, opt, pd);
	} else {
		ret = opt->why ? print_why(&rc, opt, pd) : 0;
		pd_warn_unfinished(pd);
	}
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
		ret = pscript_run(&opt, &diag);
		diag_print(&diag, "pscript", stderr);
	}
	pager_end(&opt.pager);
	diag_fini(&diag);
	pscript_options_fini(&opt);
	return ret;
}
