/* SPDX-License-Identifier: MIT */
/* pfold: the stacks of a perf.data, one line each with its weight, as flamegraph.pl reads them. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pages.h"
#include "base/parallel.h"
#include "base/screen/message.h"
#include "base/sigbus.h"
#include "fold/fold_diff.h"
#include "fold/fold_recording.h"

/* A recording that has been folded, which is closed in a thread while the next one is read. */
struct folded_input {
	struct fold_result result;
	struct parallel_task closing;
};

static void close_result(void *result)
{
	fold_result_close(result);
}

/* One run of pfold, from its recordings to the verdicts on them. */
struct pfold_run {
	const struct reader_command *rc;
	struct pfold_options *opt;
	struct folded *folded;
	struct folded_input inputs[FOLD_SIDES];
	struct verdict *verdicts[FOLD_SIDES];
};

/*
 * Reads the recordings; of a damaged one, the stacks before the damage are folded. Returns the exit
 * status. *ret_print: false when there are no lines to print.
 */
static int fold_inputs(struct pfold_run *r, bool *ret_print)
{
	unsigned int side, nr = r->opt->diff ? 2 : 1;
	int status = 0;

	*ret_print = true;
	for (side = 0; side < nr && *ret_print; side++) {
		struct fold_result *result = &r->inputs[side].result;
		const char *path = r->opt->inputs[side];
		struct perr e = { .off = -1 };

		if (fold_recording(r->rc, r->opt, side, r->folded, result, &e)) {
			status = reader_fail(r->rc, path, &e);
			if (result->choices)
				fputs(result->choices, stderr);
			*ret_print = result->partial;
		} else if (!result->nr_samples) {
			message(stderr, "pfold: %s: no samples%s\n", path,
				r->opt->event ? " of this event" : "");
		}
		r->verdicts[side] = result->verdict;
		parallel_task_start(&r->inputs[side].closing, r->opt->folded.threads, close_result,
				    result);
	}
	return status;
}

static int print_folded(struct pfold_run *r)
{
	struct pfold_options *opt = r->opt;
	FILE *file = opt->output ? fopen(opt->output, "we") : stdout;
	struct perr e = { .off = -1 };
	struct out o;
	int err;

	if (!file) {
		perr_io(&e, "cannot open");
		return reader_fail(r->rc, opt->output, &e);
	}
	out_init(&o, file);
	if (!opt->output)
		out_page(&o, &opt->pager);
	err = opt->diff ? fold_diff_print(r->folded, opt->normalize, &o, &e)
			: folded_print(r->folded, &o, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	if (opt->output && fclose(file) && !err)
		err = perr_io(&e, "cannot write");
	return err ? reader_fail(r->rc, opt->output ? opt->output : "standard output", &e) : 0;
}

/* The user has left the pager before all lines were printed. */
static void pfold_leave(void *ctx)
{
	struct pfold_run *r = ctx;

	reader_finish(r->rc, r->verdicts, FOLD_SIDES);
}

static int pfold_run(const struct reader_command *rc, struct pfold_options *opt)
{
	struct pfold_run r = { .rc = rc, .opt = opt, .folded = folded_new(&opt->folded) };
	bool wanted;
	int status = fold_inputs(&r, &wanted);

	opt->pager.on_leave = pfold_leave;
	opt->pager.leave_ctx = &r;
	if (wanted && print_folded(&r))
		status = 1;
	folded_free(r.folded);
	reader_finish(rc, r.verdicts, FOLD_SIDES);
	for (unsigned int side = 0; side < FOLD_SIDES; side++)
		parallel_task_join(&r.inputs[side].closing);
	return status;
}

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

	return opt->why ? pfold_why(&rc, opt) : pfold_run(&rc, opt);
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
