/* SPDX-License-Identifier: MIT */
#include "fold/pfold_options.h"

#include <stdio.h>

#include "base/screen/message.h"
#include "session/common_options.h"

#define MAX_THREADS 256

/* "512M" */
static int parse_size(void *size, const char *arg, struct perr *e)
{
	static const char units[] = "KMGT";
	const char *unit;
	char number[24];
	size_t n;
	u64 v = 0;

	*(u64 *)size = 0;
	if (!arg)
		return 0;
	n = strspn(arg, "0123456789");
	unit = arg[n] ? strchr(units, arg[n] & ~0x20) : NULL;
	snprintf(number, sizeof(number), "%.*s", (int)(n < 20 ? n : 20), arg);
	if (parse_u64(number, 10, 1, UINT64_MAX >> 40, &v) || (arg[n] && (!unit || arg[n + 1])))
		return perr_set(e, PERR_USAGE, "expected a size such as 512M or 4G, got '%s'", arg);
	*(u64 *)size = unit ? v << (10 * (unit - units + 1)) : v;
	return 0;
}

static int parse_root(void *root, const char *arg, struct perr *e)
{
	static const char *const words[] = { "comm", "pid", "tid", "none", "cgroup" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum fold_root *)root = (enum fold_root)choice;
	return err;
}

static int parse_weight(void *weight, const char *arg, struct perr *e)
{
	static const char *const words[] = { "period", "samples" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum fold_weight *)weight = (enum fold_weight)choice;
	return err;
}

#define AT(member) OPT_AT(struct pfold_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct pfold_options),
	{ OPT_STRING, 'o', "output", AT(output), "file", "write the stacks to this file" },
	{ OPT_STRING, 'e', "event", AT(event), "event",
	  "fold this event, by its name in pevlist" },
	{ OPT_FLAG, 0, "wall", AT(folded.wall), NULL,
	  "of prec --off-cpu: times on and off the CPU together, in ns" },

	HEADING("Lines"),
	{ OPT_PARSE, 0, "weight", AT(folded.weight), "what",
	  "count period (default) or samples", .parse = parse_weight },
	{ OPT_PARSE, 0, "root", AT(folded.root), "what",
	  "begin lines with comm (default), pid (comm-PID), tid (comm-PID/TID), cgroup or "
	  "none",
	  .parse = parse_root },
	{ OPT_PARSE, 0, "names", AT(folded.names.names), "short|noargs|full|raw",
	  "noargs (default), full (parameters as well), short (no template arguments, "
	  "clones, hashes), raw (not demangled)",
	  .parse = function_names_parse },
	{ OPT_FLAG, 0, "kernel", AT(folded.names.mark_kernel), NULL,
	  "append _[k] to the names of kernel functions" },
	{ OPT_FLAG, 0, "jit", AT(folded.names.mark_jit), NULL,
	  "append _[j] to the names of functions generated at run time" },
	COMMON_STACK_OPTIONS(struct pfold_options),
	{ OPT_FLAG, 0, "marks", AT(folded.marks), NULL,
	  "put truncated stack copies under a frame that names the reason (default; not "
	  "possible for chains that the kernel recorded)" },

	HEADING("Comparing"),
	{ OPT_FLAG, 0, "diff", AT(diff), NULL,
	  "two recordings, two counts on each line: pfold --diff A B" },
	{ OPT_FLAG, 0, "normalize", AT(normalize), NULL,
	  "with --diff: scale A to the weight of B (default)" },

	HEADING("Picture"),
	SVG_OPTIONS(struct pfold_options, drawing),
	{ OPT_STRING, 0, "html", OPT_AT(struct pfold_options, html), "file",
	  "write one page for browsers instead of lines; - is standard output" },

	HEADING("Which samples"),
	COMMON_FILTER_OPTIONS(struct pfold_options, 'd'),

	HEADING("Symbols"),
	COMMON_SYMBOL_OPTIONS(struct pfold_options,
			      "readable symbol names (default); --no-demangle is --names=raw"),

	HEADING("Work"),
	COMMON_THREADS_OPTION(struct pfold_options),
	{ OPT_PARSE, 0, "max-mem", AT(max_mem), "size",
	  "stop with an error rather than use more memory for stacks: 512M, 4G",
	  .parse = parse_size },
	COMMON_QUIET_OPTION(struct pfold_options, quiet),
	COMMON_QUALITY_OPTION(struct pfold_options, "(default: in brief)"),
	COMMON_PAGER_OPTION(struct pfold_options),
	COMMON_FORCE_OPTION(struct pfold_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

/* Sets the recordings to read: -i FILE, FILE, or with --diff A B. */
static int take_inputs(struct pfold_options *o, int nr, char **argv)
{
	if (o->diff) {
		if (nr != 2 || o->input) {
			fprintf(stderr,
				"pfold: --diff: expected two recordings (pfold --diff A B)\n");
			return -1;
		}
		if (!strcmp(argv[1], "-") && !strcmp(argv[2], "-")) {
			fprintf(stderr, "pfold: only one recording can be standard input\n");
			return -1;
		}
		o->inputs[0] = argv[1];
		o->inputs[1] = argv[2];
		return 0;
	}
	if (nr > 1 || (nr && o->input)) {
		message(stderr,
			"pfold: unexpected argument '%s' (one recording, or two with --diff)\n",
			argv[nr]);
		return -1;
	}
	o->inputs[0] = nr ? argv[1] : o->input ? o->input : common_input();
	return 0;
}

static void set_defaults(struct pfold_options *o, struct diag *diag)
{
	o->normalize = o->demangle = true;
	svg_drawing_init(&o->drawing);
	o->stacks = STACK_OPTIONS_DEFAULT;
	o->folded.marks = true;
	o->quality = VERDICT_BRIEF;
	o->symbols.diag = diag;
	o->symbols.prog = "pfold";
	o->symbols.talk = stderr;
}

static int check_drawing(struct pfold_options *o)
{
	struct svg_drawing *d = &o->drawing;
	struct perr e;

	if (svg_drawing_check(d, &e)) {
		message(stderr, "pfold: %s\n", e.text);
		return -1;
	}
	if (d->path && o->output) {
		fprintf(stderr,
			"pfold: -o and --svg: give one of them; --svg FILE draws into FILE\n");
		return -1;
	}
	if (o->html && (d->path || o->output)) {
		fprintf(stderr,
			"pfold: -o, --svg and --html: give one of them; --html FILE writes FILE\n");
		return -1;
	}
	if (d->look.is_chart && (o->diff || d->reverse || !d->path)) {
		fprintf(stderr, "pfold: --flamechart is for --svg, without --diff and --reverse\n");
		return -1;
	}
	if (o->folded.wall && (o->event || o->folded.weight == FOLD_WEIGHT_SAMPLES)) {
		fprintf(stderr, "pfold: --wall adds up times: leave -e and --weight out\n");
		return -1;
	}
	o->folded.chart = d->look.is_chart;
	if (o->folded.chart && o->folded.root == FOLD_ROOT_COMM)
		o->folded.root = FOLD_ROOT_TID; /* threads run beside each other */
	return 0;
}

int pfold_options_parse(struct pfold_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = { .prog = "pfold",
					   .usage = "pfold [<options>] [<file>|-]",
					   .table = table,
					   .values = o };
	struct perr e;
	int nr, ret;

	set_defaults(o, diag);
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	if (take_inputs(o, nr, argv))
		return OPT_STATUS_USAGE;
	if (common_check_symbols(&o->symbols, &e)) {
		message(stderr, "pfold: %s\n", e.text);
		return 1;
	}
	if (check_drawing(o))
		return OPT_STATUS_USAGE;
	if (o->quality == VERDICT_BRIEF && o->quiet)
		o->quality = VERDICT_NONE;
	o->folded.threads = o->nr_threads < MAX_THREADS ? (unsigned int)o->nr_threads : MAX_THREADS;
	o->folded.names.inlines = o->stacks.inlines;
	if (!o->demangle)
		o->folded.names.names = FUNCTION_NAMES_RAW;
	o->symbols.no_demangle = o->folded.names.names == FUNCTION_NAMES_RAW;
	return -1;
}

void pfold_options_fini(struct pfold_options *o)
{
	filter_fini(&o->filter);
}
