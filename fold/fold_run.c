/* SPDX-License-Identifier: MIT */
#include "fold/fold_run.h"

#include <errno.h>

#include "base/parallel.h"
#include "base/screen/message.h"
#include "fold/fold_diff.h"
#include "fold/fold_html.h"
#include "fold/fold_recording.h"
#include "fold/fold_svg.h"
#include "fold/fold_text.h"
#include "profile/verdict/verdict_text.h"

/* A recording that has been folded, which is closed in a thread while the next one is read. */
struct folded_input {
	struct fold_result result;
	struct parallel_task closing;
};

static void close_result(void *result)
{
	fold_result_close(result);
}

/* One run of pfold, from its inputs to the verdicts on them. */
struct fold_run {
	const struct reader_command *rc;
	struct pfold_options *opt;
	struct folded *folded;
	struct folded_input inputs[FOLD_SIDES];
	struct verdict *verdicts[FOLD_SIDES];
	bool two_counts;    /* the input is folded text that compares two recordings */
	struct flame chart; /* --flamechart; without nodes if there is none */
};

static int fold_one_text(struct fold_run *r, unsigned int side, FILE *file, bool *ret_print)
{
	struct folded_text text = { .side = side };
	struct perr e = { .off = -1 };
	int err;

	if (r->opt->drawing.look.is_chart) {
		flame_init(&r->chart, 1);
		text.chart = &r->chart;
	}
	err = fold_text_read(r->folded, &text, file, r->rc->diag, &e);
	r->two_counts = text.two_counts;
	if (!err && text.two_counts && r->opt->diff)
		err = perr_set(&e, PERR_USAGE,
			       "it compares two recordings already; use it without --diff");
	if (!err && !folded_total(r->folded, 0) && !folded_total(r->folded, 1))
		message(stderr, "pfold: %s: no stacks\n", r->opt->inputs[side]);
	*ret_print = !err;
	return err ? reader_fail(r->rc, r->opt->inputs[side], &e) : 0;
}

/*
 * Folds a recording, or else the text in its place: a file is looked at again only when it is no
 * recording, so a recording is opened once. Returns the exit status. *ret_print: false when there
 * is nothing to print.
 */
static int fold_one_file(struct fold_run *r, unsigned int side, bool *ret_print)
{
	struct fold_result *result = &r->inputs[side].result;
	const char *path = r->opt->inputs[side];
	struct perr e = { .off = -1 };
	int status = 0, err = fold_recording(r->rc, r->opt, side, r->folded, result, &e);
	FILE *text = err && !result->pd ? fold_text_open(path) : NULL;

	if (text)
		return fold_one_text(r, side, text, ret_print);
	if (err) {
		status = reader_fail(r->rc, path, &e);
		if (result->choices)
			fputs(result->choices, stderr);
		*ret_print = result->partial;
	} else if (!result->nr_samples) {
		message(stderr, "pfold: %s: no samples%s\n", path,
			r->opt->event ? " of this event" : "");
	}
	if (*ret_print && r->opt->folded.chart)
		folded_chart(r->folded, &r->chart);
	r->verdicts[side] = result->verdict;
	parallel_task_start(&r->inputs[side].closing, r->opt->folded.threads, close_result, result);
	return status;
}

/*
 * Reads the inputs; of a damaged recording, the stacks before the damage are folded. Returns the
 * exit status. *ret_print: false when there is nothing to print.
 */
static int fold_inputs(struct fold_run *r, bool *ret_print)
{
	unsigned int side, nr = r->opt->diff ? 2 : 1;
	int status = 0;

	*ret_print = true;
	for (side = 0; side < nr && *ret_print; side++) {
		const char *path = r->opt->inputs[side];
		FILE *text = !strcmp(path, "-") ? fold_text_open(path) : NULL;

		status |= text ? fold_one_text(r, side, text, ret_print)
			       : fold_one_file(r, side, ret_print);
	}
	return status;
}

static void write_picture(struct fold_run *r, unsigned int nr_sides, struct out *o)
{
	struct svg_drawing drawing = r->opt->drawing;
	struct out quality;
	char *lines;

	out_init_mem(&quality);
	for (unsigned int side = 0; side < FOLD_SIDES; side++)
		if (r->verdicts[side])
			verdict_print_facts(&quality, r->rc->prog, r->verdicts[side]);
	lines = xstrndup(quality.buf ? quality.buf : "", quality.len);
	out_fini(&quality);
	drawing.look.quality = lines;
	fold_svg_write(r->folded, &drawing, nr_sides, r->opt->diff && r->opt->normalize,
		       r->chart.nr ? &r->chart : NULL, r->inputs[nr_sides - 1].result.unit, o);
	free(lines);
}

/* Writes the picture, or the lines. */
static int write_folded(struct fold_run *r, struct out *o, struct perr *e)
{
	const struct pfold_options *opt = r->opt;
	unsigned int nr_sides = opt->diff || r->two_counts ? 2 : 1;

	if (opt->html) {
		fold_html_write(r->folded, nr_sides, opt->inputs,
				r->inputs[opt->diff ? 1 : 0].result.unit,
				opt->folded.threads ? opt->folded.threads : parallel_nr_cpus(), o);
		return 0;
	}
	if (!opt->drawing.path)
		return nr_sides > 1 ? fold_diff_print(r->folded, opt->diff && opt->normalize, o, e)
				    : folded_print(r->folded, o, e);
	write_picture(r, nr_sides, o);
	return 0;
}

static int print_folded(struct fold_run *r)
{
	struct pfold_options *opt = r->opt;
	const char *drawn = opt->html ? opt->html : opt->drawing.path;
	const char *path = drawn ? drawn : opt->output;
	FILE *file;
	struct perr e = { .off = -1 };
	struct out o;
	int err;

	if (drawn && !strcmp(path, "-"))
		path = NULL;
	file = path ? fopen(path, "we") : stdout;
	if (!file) {
		perr_io(&e, "cannot open");
		return reader_fail(r->rc, path, &e);
	}
	out_init(&o, file);
	if (!path && !drawn)
		out_page(&o, &opt->pager);
	err = write_folded(r, &o, &e);
	if (out_fini(&o) && !err)
		err = perr_io(&e, "cannot write");
	if (path && fclose(file) && !err)
		err = perr_io(&e, "cannot write");
	return err ? reader_fail(r->rc, path ? path : "standard output", &e) : 0;
}

/* The user has left the pager before all lines were printed. */
static void leave(void *ctx)
{
	struct fold_run *r = ctx;

	reader_finish(r->rc, r->verdicts, FOLD_SIDES);
}

int fold_run(const struct reader_command *rc, struct pfold_options *opt)
{
	struct fold_run r = { .rc = rc, .opt = opt, .folded = folded_new(&opt->folded) };
	bool wanted;
	int status = fold_inputs(&r, &wanted);

	opt->pager.on_leave = leave;
	opt->pager.leave_ctx = &r;
	if (wanted && print_folded(&r))
		status = 1;
	folded_free(r.folded);
	flame_fini(&r.chart);
	reader_finish(rc, r.verdicts, FOLD_SIDES);
	for (unsigned int side = 0; side < FOLD_SIDES; side++) {
		parallel_task_join(&r.inputs[side].closing);
		free(r.inputs[side].result.unit);
	}
	return status;
}
