/* SPDX-License-Identifier: MIT */
#include "report/pann/pann_options.h"

#include <stdio.h>

#include "base/screen/message.h"
#include "session/common_options.h"

static int parse_syntax(void *intel, const char *arg, struct perr *e)
{
	if (arg && strcmp(arg, "intel") && strcmp(arg, "att"))
		return perr_set(e, PERR_USAGE, "expected intel or att, got '%s'", arg);
	*(bool *)intel = arg && *arg == 'i';
	return 0;
}

static int parse_percent(void *type, const char *arg, struct perr *e)
{
	int v = arg ? annot_percent_parse(arg) : ANNOT_LOCAL_PERIOD;

	if (v < 0)
		return perr_set(e, PERR_USAGE,
				"expected local-period, local-hits, global-period or global-hits, "
				"got '%s'",
				arg);
	*(enum annot_percent *)type = (enum annot_percent)v;
	return 0;
}

#define AT(member) OPT_AT(struct pann_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

#define NO_TYPES "the types of data are not looked up"

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct pann_options),
	{ OPT_STRING, 's', "symbol", AT(symbol), "symbol",
	  "show this function (default: all functions, the hottest first)" },
	{ OPT_U64, 0, "max-symbols", AT(max_symbols), "n",
	  "show at most n functions of each event" },
	{ OPT_PARSE, 0, "percent-limit", AT(percent_limit), "percent",
	  "hide functions below this share of all samples", .parse = common_percent_limit },

	HEADING("Form"),
	{ OPT_FLAG, 0, "tui", AT(ui.tui), NULL,
	  "interactive (default on a terminal): Enter follows jumps and calls, h shows the keys, q "
	  "leaves" },
	{ OPT_STRING, 0, "keys", AT(ui.keys), "keys", NULL, NULL, true },
	{ OPT_STRING, 0, "screen", AT(ui.screen), "size", NULL, NULL, true },
	{ OPT_FLAG, 0, "stdio", AT(ui.stdio), NULL, "text with addresses (default elsewhere)" },
	{ OPT_FLAG, 0, "stdio2", AT(stdio2), NULL,
	  "shorter text: offsets, and arrows for jumps" },
	{ OPT_PARSE, 0, "stdio-color", AT(style.color), "mode",
	  "always, never or auto (default: on a terminal, unless NO_COLOR is set)",
	  .parse = common_color },
	COMMON_PAGER_OPTION(struct pann_options),
	{ OPT_PARSE, 0, "names", AT(names), "short|noargs|full|raw",
	  "full (default), noargs (no parameters), short (no template arguments, clones or hashes "
	  "either), raw (not demangled)", .parse = function_names_parse_full },
	{ OPT_FLAG, 0, "full-names", AT(full_names), NULL,
	  "do not shorten lines to fit them into the terminal" },
	{ OPT_FLAG, 0, "source", AT(style.source), NULL,
	  "show source lines between the instructions of --stdio (default)" },
	{ OPT_FLAG, 0, "inline", AT(style.inlines), NULL,
	  "show which function code was inlined from, each time that changes (--stdio)" },
	{ OPT_FLAG, 'l', "print-line", AT(style.lines), NULL,
	  "print a summary by source line, and the line behind each instruction" },
	{ OPT_FLAG, 'P', "full-paths", AT(style.full_paths), NULL,
	  "show full paths of objects and source files" },
	{ OPT_FLAG, 0, "asm-raw", AT(style.raw), NULL, "show the bytes of instructions" },
	{ OPT_PARSE, 'M', "disassembler-style", AT(intel), "style",
	  "intel or att (default) syntax of x86", .parse = parse_syntax },

	HEADING("Costs"),
	{ OPT_PARSE, 0, "percent-type", AT(style.percent), "type",
	  "shares of the function or of all, by period or by samples: local-period "
	  "(default), local-hits, global-period, global-hits",
	  .parse = parse_percent },
	{ OPT_FLAG, 'n', "show-nr-samples", AT(show_samples), NULL,
	  "show the number of samples" },
	{ OPT_FLAG, 0, "show-total-period", AT(show_period), NULL, "show the sum of periods" },
	{ OPT_FLAG, 0, "group", AT(group), NULL, "show events of a group side by side (default)" },
	{ OPT_FLAG, 0, "skip-empty", AT(skip_empty), NULL,
	  "show no columns for events without samples (default)" },

	HEADING("Which samples"),
	COMMON_FILTER_OPTIONS(struct pann_options, 'd'),

	HEADING("Files"),
	COMMON_SYMBOL_OPTIONS(struct pann_options,
			      "readable symbol names (default); --no-demangle is --names=raw"),
	{ OPT_FLAG, 0, "skip-missing", AT(skip_missing), NULL,
	  "print nothing for functions whose code was not found" },
	COMMON_QUIET_OPTION(struct pann_options, quiet),
	COMMON_THREADS_OPTION(struct pann_options),
	COMMON_MAX_MEM_OPTION(struct pann_options),
	COMMON_QUALITY_OPTION(struct pann_options, "(default: in brief; none with -q)"),
	COMMON_FORCE_OPTION(struct pann_options, symbols.force),

	{ OPT_FLAG, 'D', "dump-raw-trace", AT(dump_raw), NULL,
	  "print every record: its bytes and what they mean" },
	COMMON_ITRACE_OPTION(struct pann_options),
	COMMON_REFUSED_OPTION(0, "data-type", NO_TYPES),
	COMMON_REFUSED_OPTION(0, "type-stat", NO_TYPES),
	COMMON_REFUSED_OPTION(0, "insn-stat", NO_TYPES),
	COMMON_REFUSED_OPTION(0, "code-with-type", NO_TYPES),
	COMMON_IGNORED_FLAG(struct pann_options, 'm', "modules"),
	COMMON_IGNORED_FLAG(struct pann_options, 'v', "verbose"),
	COMMON_IGNORED_FLAG(struct pann_options, 0, "ignore-vmlinux"),
	COMMON_IGNORED_FLAG(struct pann_options, 0, "gtk"),
	COMMON_IGNORED_VALUE(struct pann_options, 0, "objdump", "path"),
	COMMON_IGNORED_VALUE(struct pann_options, 0, "addr2line", "path"),
	COMMON_IGNORED_VALUE(struct pann_options, 0, "prefix", "path"),
	{ OPT_U64, 0, "prefix-strip", AT(ignored_number), "n", NULL, NULL, true },
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING
#undef NO_TYPES

static int take_operands(struct pann_options *o, int nr, char **argv)
{
	if (nr > 1 || (nr && o->symbol)) {
		message(stderr, "pann: unexpected argument '%s' (one symbol only; use -i FILE)\n",
			argv[nr]);
		return OPT_STATUS_USAGE;
	}
	if (nr)
		o->symbol = argv[1];
	return -1;
}

static void set_defaults(struct pann_options *o, struct diag *diag)
{
	o->input = common_input();
	o->group = o->skip_empty = o->demangle = o->style.source = true;
	o->style.color = pager_colors();
	o->quality = VERDICT_BRIEF;
	o->names = FUNCTION_NAMES_FULL;
	o->symbols.diag = diag;
	o->symbols.prog = "pann";
	o->symbols.talk = stderr;
}

/* What the view does not show, and what it cannot read twice. */
static bool asks_for_text(const struct pann_options *o)
{
	return o->stdio2 || o->dump_raw || o->why || o->quiet || o->style.lines ||
	       o->style.inlines || o->style.raw || !strcmp(o->input, "-");
}

int pann_options_parse(struct pann_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = {
		.prog = "pann", .usage = "pann [<options>] [<symbol>]", .table = table, .values = o
	};
	struct perr e;
	int nr, ret;

	set_defaults(o, diag);
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	ret = take_operands(o, nr, argv);
	if (ret >= 0)
		return ret;
	if (tui_start_settle(&o->ui, "annotate", asks_for_text(o), &e) ||
	    common_check_symbols(&o->symbols, &e)) {
		message(stderr, "pann: %s\n", e.text);
		return 1;
	}
	if (o->quality == VERDICT_BRIEF && o->quiet)
		o->quality = VERDICT_NONE;
	o->style.value = o->show_period    ? ANNOT_PERIOD
			 : o->show_samples ? ANNOT_SAMPLES
					   : ANNOT_PERCENT;
	if (!o->demangle)
		o->names = FUNCTION_NAMES_RAW;
	o->symbols.no_demangle = o->names == FUNCTION_NAMES_RAW;
	o->symbols.name_form = function_name_form(o->names);
	return -1;
}

void pann_options_fini(struct pann_options *o)
{
	filter_fini(&o->filter);
}
