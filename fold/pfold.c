/* SPDX-License-Identifier: MIT */
/* pfold: the stacks of a perf.data, one line each with its weight, as flamegraph.pl reads them. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pages.h"
#include "base/parallel.h"
#include "base/sigbus.h"
#include "fold/fold_diff.h"
#include "fold/fold_recording.h"
#include "session/why.h"

static int fail(const char *what, const struct perr *e, const char *choices)
{
	if (e->off >= 0)
		fprintf(stderr, "pfold: %s: %s (offset %#llx)\n", what, e->text,
			(unsigned long long)e->off);
	else
		fprintf(stderr, "pfold: %s: %s\n", what, e->text);
	if (choices)
		fputs(choices, stderr);
	return 1;
}

/* A recording that has been folded, closed beside what comes next. */
struct closing {
	struct fold_source src;
	struct parallel_task task;
};

static void close_source(void *src)
{
	fold_source_close(src);
}

/* Reads the recordings; what could be read of a damaged one is folded. */
static int fold_inputs(struct pfold_options *opt, struct folded *f, struct diag *diag,
		       struct closing closings[FOLD_SIDES], struct verdict *verdicts[FOLD_SIDES],
		       size_t *ret_nr_verdicts, bool *ret_print)
{
	unsigned int side, nr = opt->diff ? 2 : 1;
	int status = 0;

	*ret_print = true;
	*ret_nr_verdicts = 0;
	for (side = 0; side < nr && *ret_print; side++) {
		struct perr e = { .off = -1 };
		struct verdict *verdict;
		char *choices = NULL;
		struct fold_source *src = &closings[side].src;
		bool partial;
		u64 samples = 0;

		if (fold_recording(opt, side, f, diag, src, &samples, &partial, &choices, &verdict,
				   &e)) {
			status = fail(opt->inputs[side], &e, choices);
			*ret_print = partial;
		} else if (!samples) {
			fprintf(stderr, "pfold: %s: no samples%s\n", opt->inputs[side],
				opt->event ? " of this event" : "");
		}
		if (verdict)
			verdicts[(*ret_nr_verdicts)++] = verdict;
		free(choices);
		parallel_task_start(&closings[side].task, opt->folded.threads, close_source, src);
	}
	return status;
}

static int print(struct pfold_options *opt, struct folded *f)
{
	FILE *file = opt->output ? fopen(opt->output, "we") : stdout;
	struct perr e = { .off = -1 };
	struct out o;
	int err;

	if (!file) {
		perr_io(&e, "cannot open");
		return fail(opt->output, &e, NULL);
	}
	out_init(&o, file);
	if (!opt->output)
		out_page(&o, &opt->pager);
	err = opt->diff ? fold_diff_print(f, opt->normalize, &o, &e) : folded_print(f, &o, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	if (opt->output && fclose(file) && !err)
		err = perr_io(&e, "cannot write");
	return err ? fail(opt->output ? opt->output : "standard output", &e, NULL) : 0;
}

/* --why: not what was recorded, but where the files of an object are. */
static int print_why(struct pfold_options *opt, struct diag *diag)
{
	struct session_config cfg = { .symbols = opt->symbols, .unwinder = opt->stacks.unwinder };
	struct perr e = { .off = -1 };
	struct perfdata *pd;
	struct out o;
	int err;

	if (common_open(opt->inputs[0], "pfold", stderr, diag, &pd, &e))
		return fail(opt->inputs[0], &e, NULL);
	out_init(&o, stdout);
	out_page(&o, &opt->pager);
	err = why_print(&o, pd, &cfg, diag, opt->why, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	pd_close(pd);
	diag_print(diag, "pfold", stderr);
	return err ? fail(opt->inputs[0], &e, NULL) : 0;
}

static int run(struct pfold_options *opt, struct diag *diag)
{
	struct folded *f = folded_new(&opt->folded);
	struct closing closings[FOLD_SIDES] = { 0 };
	struct verdict *verdicts[FOLD_SIDES];
	bool wanted;
	int status;
	size_t nr;

	status = fold_inputs(opt, f, diag, closings, verdicts, &nr, &wanted);
	if (wanted && print(opt, f))
		status = 1;
	folded_free(f);
	verdict_tell(stderr, "pfold", opt->quality, (const struct verdict *const *)verdicts, nr,
		     diag);
	while (nr)
		verdict_free(verdicts[--nr]);
	for (unsigned int side = 0; side < FOLD_SIDES; side++)
		parallel_task_join(&closings[side].task);
	return status;
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
		ret = opt.why ? print_why(&opt, &diag) : run(&opt, &diag);
	pager_end(&opt.pager);
	diag_fini(&diag);
	pfold_options_fini(&opt);
	return ret;
}
