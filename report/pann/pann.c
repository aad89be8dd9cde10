/* SPDX-License-Identifier: MIT */
/* pann: what each instruction of a function cost, as perf annotate shows it. */
#include <signal.h>
#include <unistd.h>

#include "base/sigbus.h"
#include "report/pann/annotate.h"
#include "report/text/dump_pass.h"

/* What pann prints, and the verdict that is left when that is done. */
struct pann_run {
	const struct reader_command *rc;
	struct pann_options *opt;
	struct perfdata *pd;
	struct verdict *verdict;
};

/* -D */
static int pann_dump(struct pann_run *r, struct out *o, struct perr *e)
{
	const struct reader_config cfg = { .session = { .symbols = r->opt->symbols } };
	struct session *s;
	int err = reader_start(r->rc, r->pd, &cfg, &s, e);

	if (err)
		return err;
	err = dump_pass_print(s, o, RAWDUMP_ANNOTATE, false, e);
	session_free(s);
	return err;
}

static int pann_print(void *ctx, struct out *o, struct perr *e)
{
	struct pann_run *r = ctx;
	struct reader_why why = { .pd = r->pd,
				  .session = { .symbols = r->opt->symbols },
				  .diag = r->rc->diag,
				  .object = r->opt->why };

	if (r->opt->full_names)
		o->columns = 0;
	if (r->opt->dump_raw)
		return pann_dump(r, o, e);
	return r->opt->why ? reader_print_why(&why, o, e)
			   : annotate_print(r->rc, r->opt, r->pd, o, &r->verdict, e);
}

/* The user has left the pager before all functions were printed. */
static void pann_leave(void *ctx)
{
	struct pann_run *r = ctx;

	pd_warn_unfinished(r->pd);
	reader_finish(r->rc, &r->verdict, 1);
}

static int pann_run(struct pann_options *opt, struct diag *diag)
{
	const struct reader_command rc = { .prog = "pann",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt->pager,
					   .diag = diag,
					   .force = opt->symbols.force,
					   .quality = opt->quality };
	struct pann_run r = { .rc = &rc, .opt = opt };
	struct perr e = { .off = -1 };
	int err;

	opt->pager.on_leave = pann_leave;
	opt->pager.leave_ctx = &r;
	err = reader_open(&rc, opt->input, &r.pd, &e);
	if (!err) {
		err = reader_output(&rc, pann_print, &r, &e);
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
		ret = pann_run(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	pann_options_fini(&opt);
	return ret;
}
