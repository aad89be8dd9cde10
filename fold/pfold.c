/* SPDX-License-Identifier: MIT */
/* pfold: the stacks of a perf.data, one line each with its weight, as flamegraph.pl reads them. */
#include <signal.h>
#include <unistd.h>

#include "base/pages.h"
#include "base/sigbus.h"
#include "fold/fold_run.h"

/* --why: prints where the files of an object were searched for, not what was recorded. */
static int pfold_why(const struct reader_command *rc, struct pfold_options *opt)
{
	struct reader_why why = { .session = { .symbols = opt->symbols,
					       .unwinder = opt->stacks.unwinder },
				  .diag = rc->diag,
				  .object = opt->why };
	struct perr e = { .off = -1 };
	int err;

	if (reader_open(rc, opt->inputs[0], &why.pd, &e))
		return reader_fail(rc, opt->inputs[0], &e);
	err = reader_output(rc, reader_print_why, &why, &e);
	pd_warn_unfinished(why.pd);
	pd_close(why.pd);
	diag_print(rc->diag, rc->prog, rc->messages);
	return err ? reader_fail(rc, opt->inputs[0], &e) : 0;
}

static int pfold_main(struct pfold_options *opt, struct diag *diag)
{
	const struct reader_command rc = { .prog = "pfold",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt->pager,
					   .diag = diag,
					   .force = opt->symbols.force,
					   .quality = opt->quality };

	return opt->why ? pfold_why(&rc, opt) : fold_run(&rc, opt);
}

int main(int argc, char **argv)
{
	struct pfold_options opt = { 0 };
	struct diag diag;
	int ret;

	pages_keep_heap();
	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("pfold", _exit);
	diag_init(&diag);
	ret = pfold_options_parse(&opt, &diag, argc, argv);
	if (ret < 0)
		ret = pfold_main(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	pfold_options_fini(&opt);
	return ret;
}
