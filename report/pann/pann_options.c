/* SPDX-License-Identifier: MIT */
#include "report/pann/pann_options.h"

#include <stdio.h>

#include "session/common_options.h"

static int parse_syntax(void *intel, const char *arg, struct perr *e)
{
	if (arg && strcmp(arg, "intel") && strcmp(arg, "att"))
		return perr_set(e, PERR_USAGE, "-M takes intel or att, not '%s'", arg);
	*(bool *)intel = arg && *arg == 'i';
	return 0;
}

static int parse_percent(void *type, const char *arg, struct perr *e)
{
	int v = arg ? annot_percent_parse(arg) : ANNOT_LOCAL_PERIOD;

	if (v < 0)
		return perr_set(e, PERR_USAGE,
				"--percent-type takes local-period, local-hits, global-period or "
				"global-hits, not '%s'",
				arg);
	*(enum annot_percent *)type = (enum annot_percent)v;
	return 0;
}

static int parse_limit(void *limit, const char *arg, struct perr *e)
{
	char *end;
	double v = arg ? strtod(arg, &end) : 0;

	if (arg && (end == arg || (*end && strcmp(end, "%")) || !(v >= 0)))
		return perr_set(e, PERR_USAGE, "--percent-limit takes a number, not '%s'", arg);
	*(double *)limit = v;
	return 0;
}

static int parse_color(void *color, const char *arg, struct perr *e)
{
	if (arg && strcmp(arg, "always") && strcmp(arg, "never") && strcmp(arg, "auto"))
		return perr_set(e, PERR_USAGE, "--stdio-color is always, never or auto, not '%s'",
				arg);
	*(int *)color = !arg || *arg == 'n' ? 0 : *arg == 'a' && arg[1] == 'l' ? 1 : -1;
	return 0;
}

/* Stock options that change nothing here: accepted, so that scripts go on working. */
static int parse_nothing(void *ctx, const char *arg, struct perr *e)
{
	(void)ctx;
	(void)arg;
	(void)e;
	return 0;
}

static int take_operands(struct pann_options *o, int nr, char **argv)
{
	if (nr > 1 || (nr && o->symbol)) {
		fprintf(stderr, "pann: '%s': one symbol at a time; a file is given with -i\n",
			argv[nr]);
		return OPT_STATUS_USAGE;
	}
	if (nr)
		o->symbol = argv[1];
	return -1;
}

int pann_options_parse(struct pann_options *o, struct diag *diag, int argc, char **argv)
{
	bool demangle = true, ignored = false, samples = false, period = false;
	int quality = VERDICT_FORMS, color = -1, nr, ret; /* FORMS: not given */
	u64 ignored_number = 0;
	struct annot_style *st = &o->style;
	struct perr e;
	const struct opt table[] = {
		{ OPT_STRING, 'i', "input", &o->input, "file",
		  "input file name, - for standard input" },
		{ OPT_STRING, 's', "symbol", &o->symbol, "symbol",
		  "the function to show, as without -s; else all, the hottest first" },
		{ OPT_U64, 0, "max-symbols", &o->max_symbols, "n",
		  "no more than n functions of each event" },
		{ OPT_PARSE, 0, "percent-limit", &o->percent_limit, "percent",
		  "no functions below this share of all samples", .parse = parse_limit },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Form" },
		{ OPT_FLAG, 0, "stdio", &ignored, NULL, "text with addresses (default)" },
		{ OPT_FLAG, 0, "stdio2", &o->stdio2, NULL,
		  "shorter text: offsets, and arrows for jumps" },
		{ OPT_PARSE, 0, "stdio-color", &color, "mode",
		  "always, never or auto (default: on a terminal, unless NO_COLOR is set)",
		  .parse = parse_color },
		PAGER_OPTION(&o->pager),
		{ OPT_FLAG, 0, "source", &st->source, NULL,
		  "source lines between the instructions of --stdio (default)" },
		{ OPT_FLAG, 0, "inline", &st->inlines, NULL,
		  "say where code was inlined from, each time that changes (--stdio)" },
		{ OPT_FLAG, 'l', "print-line", &st->lines, NULL,
		  "a summary by source line, and lines behind instructions" },
		{ OPT_FLAG, 'P', "full-paths", &st->full_paths, NULL,
		  "full paths of objects and source files" },
		{ OPT_FLAG, 0, "asm-raw", &st->raw, NULL, "show the bytes of instructions" },
		{ OPT_PARSE, 'M', "disassembler-style", &o->intel, "style",
		  "intel or att (default) syntax of x86", .parse = parse_syntax },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Costs" },
		{ OPT_PARSE, 0, "percent-type", &st->percent, "type",
		  "shares of the function or of all, by period or by samples: local-period "
		  "(default), local-hits, global-period, global-hits",
		  .parse = parse_percent },
		{ OPT_FLAG, 'n', "show-nr-samples", &samples, NULL, "numbers of samples" },
		{ OPT_FLAG, 0, "show-total-period", &period, NULL, "sums of periods" },
		{ OPT_FLAG, 0, "group", &o->group, NULL,
		  "events of a group side by side (default)" },
		{ OPT_FLAG, 0, "skip-empty", &o->skip_empty, NULL,
		  "no columns of events without samples (default)" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Which samples" },
		COMMON_FILTER_OPTIONS(&o->filter, &o->time, 'd'),
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Files" },
		COMMON_SYMBOL_OPTIONS(&o->symbols, &demangle, "readable symbol names (default)",
				      &o->why),
		{ OPT_FLAG, 0, "skip-missing", &o->skip_missing, NULL,
		  "not a word of functions whose code was not found" },
		{ OPT_FLAG, 'q', "quiet", &o->quiet, NULL, "no verdict" },
		{ OPT_U64, 0, "threads", &o->nr_threads, "n", "threads that count (one per CPU)" },
		{ OPT_U64, 0, "max-mem", &o->max_mem, "bytes",
		  "end with an error rather than take more" },
		{ OPT_PARSE, 0, "quality", &quality, "form",
		  "how far to trust the costs, on standard error: text (default, but for -q), "
		  "json, none",
		  .parse = verdict_form_option },
		{ OPT_FLAG, 'f', "force", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 'm', "modules", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 'v', "verbose", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "ignore-vmlinux", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "tui", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "gtk", &ignored, NULL, NULL, NULL, true },
		{ OPT_PARSE, 0, "objdump", NULL, "path", NULL, .hidden = true,
		  .parse = parse_nothing },
		{ OPT_PARSE, 0, "addr2line", NULL, "path", NULL, .hidden = true,
		  .parse = parse_nothing },
		{ OPT_PARSE, 0, "prefix", NULL, "path", NULL, .hidden = true,
		  .parse = parse_nothing },
		{ OPT_U64, 0, "prefix-strip", &ignored_number, "n", NULL, NULL, true },
		{ OPT_END },
	};
	const struct opt_parser parser = { "pann", "pann [<options>] [<symbol>]", table, false };

	o->input = common_input();
	o->group = o->skip_empty = st->source = true;
	o->symbols.diag = diag;
	o->symbols.prog = "pann";
	o->symbols.talk = stderr;
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	ret = take_operands(o, nr, argv);
	if (ret >= 0)
		return ret;
	if (common_check_symbols(&o->symbols, &e)) {
		fprintf(stderr, "pann: %s\n", e.text);
		return 1;
	}
	if (quality == VERDICT_FORMS)
		quality = o->quiet ? VERDICT_NONE : VERDICT_TEXT;
	o->quality = (enum verdict_form)quality;
	st->value = period ? ANNOT_PERIOD : samples ? ANNOT_SAMPLES : ANNOT_PERCENT;
	st->color = color < 0 ? pager_colors() : color;
	o->symbols.no_demangle = !demangle;
	return -1;
}

void pann_options_fini(struct pann_options *o)
{
	filter_fini(&o->filter);
}
