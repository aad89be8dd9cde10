/* SPDX-License-Identifier: MIT */
/* pann: what each instruction of a function cost, as perf annotate shows it. */
#include <signal.h>
#include <unistd.h>

#include "base/sigbus.h"
#include "report/pann/annotate.h"
#include "session/common_options.h"
#include "session/why.h"

static int fail(const char *input, const struct perr *e)
{
	if (e->off >= 0)
		fprintf(stderr, "pann: %s: %s (offset %#llx)\n", input, e->text,
			(unsigned long long)e->off);
	else
		fprintf(stderr, "pann: %s: %s\n", input, e->text);
	return 1;
}

static void tell(const struct pann_options *opt, struct verdict *verdict, struct diag *diag)
{
	const struct verdict *v = verdict;

	verdict_tell(stderr, "pann", opt->quality, &v, verdict != NULL, diag);
	verdict_free(verdict);
}

static int run(struct pann_options *opt, struct diag *diag)
{
	struct session_config cfg = { .symbols = opt->symbols };
	struct verdict *verdict = NULL;
	struct perr e = { .off = -1 };
	struct perfdata *pd;
	struct out o;
	int err, ret = 0;

	if (common_open(opt->input, "pann", stderr, diag, &pd, &e)) {
		ret = fail(opt->input, &e);
		tell(opt, NULL, diag);
		return ret;
	}
	out_init(&o, stdout);
	out_page(&o, &opt->pager);
	if (opt->why)
		err = why_print(&o, pd, &cfg, diag, opt->why, &e);
	else
		err = annotate_print(opt, pd, diag, &o, stderr, &verdict, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	if (err)
		ret = fail(opt->input, &e);
	pd_close(pd);
	tell(opt, verdict, diag);
	return ret;
}

int main(int argc, char **argv)
{
	struct pann_options opt = { 0 };
	struct diag diag;
	int ret;

	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("pann", _exit);
	diag_init(&diag);
	ret = pann_options_parse(&opt, &diag, argc, argv);
	if (ret < 0)
		ret = run(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	pann_options_fini(&opt);
	return ret;
}
