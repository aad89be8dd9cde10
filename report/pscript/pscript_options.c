/* SPDX-License-Identifier: MIT */
#include "report/pscript/pscript_options.h"

#include <stdio.h>
#include <unistd.h>

#include "base/screen/message.h"
#include "session/common_options.h"

static int parse_fields(void *options, const char *arg, struct perr *e)
{
	struct pscript_options *o = options;

	return arg ? fields_parse(&o->fields, arg, o->symbols.diag, e) : 0;
}

static int parse_format(void *format, const char *arg, struct perr *e)
{
	enum text_format *f = format;

	*f = TEXT_PERF_7_2;
	if (!arg || !strcmp(arg, "perf-7.2"))
		return 0;
	if (strcmp(arg, "perf-6.1"))
		return perr_set(e, PERR_USAGE, "expected perf-7.2 or perf-6.1, got '%s'", arg);
	*f = TEXT_PERF_6_1;
	return 0;
}

static int parse_addr_range(void *range, const char *arg, struct perr *e)
{
	*(u64 *)range = 0;
	if (arg && parse_u64(arg, 0, 1, UINT64_MAX, range))
		return perr_set(e, PERR_USAGE, "expected a number of bytes, got '%s'", arg);
	return 0;
}

#define AT(member) OPT_AT(struct pscript_options, member)
/* For a function that works on the whole struct pscript_options. */
#define ALL NULL
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* Why options of perf script are not supported. */
#define NO_TRACES "hardware traces are not decoded"
#define NO_GUESTS "samples of guests are left out"
#define NO_SCRIPTS "scripts and filters are run by perf script, which reads the same files"

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct pscript_options),
	{ OPT_PARSE, 'F', "fields", ALL, "str",
	  "[type:]field,...: print these; +field adds, -field removes; types: "
	  "hw,sw,trace,raw,break,synth",
	  .parse = parse_fields },
	{ OPT_FLAG, 'G', "hide-call-graph", AT(text.hide_call_graph), NULL,
	  "print only where the sample was taken, not its call chain" },
	{ OPT_PARSE, 0, "stop-bt", AT(filter.stop_bt), "symbol[,symbol...]",
	  "end a printed call chain at these symbols", .parse = common_names },
	COMMON_STACK_OPTIONS(struct pscript_options),
	{ OPT_PARSE, 0, "debug-unwind", AT(debug_unwind), "time",
	  "print step by step how the stack of the first sample at this time is unwound",
	  .parse = debug_unwind_parse },
	{ OPT_FLAG, 0, "merge-callchains", AT(merge), NULL,
	  "join deferred user call chains to their samples (default)" },
	{ OPT_FLAG, 0, "ns", AT(text.ns), NULL, "print times with 9 decimal places" },
	{ OPT_FLAG, 0, "reltime", AT(text.reltime), NULL,
	  "print times relative to the first one" },
	{ OPT_FLAG, 0, "deltatime", AT(text.deltatime), NULL,
	  "print times relative to the event before" },
	{ OPT_FLAG, 'L', "Latency", AT(text.latency), NULL, "print latency trace columns" },
	{ OPT_U64, 0, "max-blocks", AT(text.max_blocks), "n",
	  "with -F brstackinsn: at most n blocks of code for each sample" },
	{ OPT_PARSE, 0, "format", AT(text.format), "version",
	  "text of perf-7.2 (default) or perf-6.1", .parse = parse_format },

	HEADING("Which samples"),
	COMMON_FILTER_OPTIONS(struct pscript_options, 0),
	{ OPT_PARSE, 0, "addr-range", AT(filter.addr_range), "n",
	  "with -S 0xADDR: samples up to n bytes behind it", .parse = parse_addr_range },
	{ OPT_STRING, 0, "switch-on", AT(switch_on), "event",
	  "print only what follows the first sample of this event" },
	{ OPT_STRING, 0, "switch-off", AT(switch_off), "event",
	  "print nothing after a sample of this event" },
	{ OPT_FLAG, 0, "show-on-off-events", AT(show_on_off), NULL,
	  "print the samples that switch on and off as well" },

	HEADING("Other records"),
	{ OPT_FLAG, 0, "show-task-events", AT(show_task), NULL, "fork, comm and exit records" },
	{ OPT_FLAG, 0, "show-mmap-events", AT(show_mmap), NULL, "mmap records" },
	{ OPT_FLAG, 0, "show-switch-events", AT(show_switch), NULL, "context switch records" },
	{ OPT_FLAG, 0, "show-namespace-events", AT(show_namespace), NULL, "namespace records" },
	{ OPT_FLAG, 0, "show-lost-events", AT(show_lost), NULL, "lost records" },
	{ OPT_FLAG, 0, "show-round-events", AT(show_round), NULL, "finished-round records" },
	{ OPT_FLAG, 0, "show-bpf-events", AT(show_bpf), NULL, "BPF and ksymbol records" },
	{ OPT_FLAG, 0, "show-cgroup-events", AT(show_cgroup), NULL, "cgroup records" },
	{ OPT_FLAG, 0, "show-text-poke-events", AT(show_text_poke), NULL, "text poke records" },
	{ OPT_FLAG, 'D', "dump-raw-trace", AT(dump_raw), NULL,
	  "print every record: its bytes and what they mean" },
	{ OPT_FLAG, 0, "dump-unsorted-raw-trace", AT(dump_unsorted), NULL,
	  "the same in the order of the file" },

	HEADING("Header and files"),
	COMMON_HEADER_OPTIONS(struct pscript_options),
	{ OPT_FLAG, 0, "per-event-dump", AT(per_event_dump), NULL,
	  "write one file for each event: INPUT.EVENT.dump" },
	{ OPT_U64, 0, "threads", AT(nr_threads), "n",
	  "use n threads (default: one per CPU, at most 4)" },
	COMMON_QUIET_OPTION(struct pscript_options, quiet),
	COMMON_QUALITY_OPTION(struct pscript_options, "(default: lost samples only)"),
	COMMON_PAGER_OPTION(struct pscript_options),
	{ OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "print more on standard error" },
	COMMON_FORCE_OPTION(struct pscript_options, symbols.force),

	HEADING("Symbols"),
	{ OPT_PARSE, 0, "names", AT(names), "short|noargs|full|raw",
	  "full (default), noargs (no parameters), short (no template arguments, clones or hashes "
	  "either), raw (not demangled)", .parse = function_names_parse_full },
	COMMON_SYMBOL_OPTIONS(struct pscript_options,
			      "readable symbol names (default); --no-demangle is --names=raw"),
	{ OPT_FLAG, 0, "show-kernel-path", AT(text.show_kernel_path), NULL,
	  "print the file that kernel symbols came from" },
	{ OPT_FLAG, 0, "full-source-path", AT(text.full_source_path), NULL,
	  "print full paths of source files" },
	{ OPT_FLAG, 'd', "debug-mode", AT(check_order), NULL,
	  "print no samples; report on standard error how many are out of time order" },
	COMMON_ITRACE_OPTION(struct pscript_options),
	COMMON_REFUSED_OPTION(0, "insn-trace", NO_TRACES),
	COMMON_REFUSED_OPTION(0, "call-trace", NO_TRACES),
	COMMON_REFUSED_OPTION(0, "call-ret-trace", NO_TRACES),
	COMMON_REFUSED_OPTION(0, "xed", "use -F +disasm"),
	COMMON_REFUSED_OPTION(0, "guestmount", NO_GUESTS),
	COMMON_REFUSED_OPTION(0, "guestvmlinux", NO_GUESTS),
	COMMON_REFUSED_OPTION(0, "guestkallsyms", NO_GUESTS),
	COMMON_REFUSED_OPTION(0, "guestmodules", NO_GUESTS),
	COMMON_REFUSED_OPTION(0, "guest-code", NO_GUESTS),
	COMMON_REFUSED_OPTION('l', "list", NO_SCRIPTS),
	COMMON_REFUSED_OPTION('s', "script", NO_SCRIPTS),
	COMMON_REFUSED_OPTION('g', "gen-script", NO_SCRIPTS),
	COMMON_REFUSED_OPTION(0, "dlfilter", NO_SCRIPTS),
	COMMON_REFUSED_OPTION(0, "dlarg", NO_SCRIPTS),
	COMMON_REFUSED_OPTION(0, "list-dlfilters", NO_SCRIPTS),
	COMMON_IGNORED_FLAG(struct pscript_options, 'a', "all-cpus"),
	COMMON_IGNORED_VALUE(struct pscript_options, 0, "unwind-style", "style"),
	COMMON_IGNORED_FLAG(struct pscript_options, 0, "stitch-lbr"),
	{ OPT_STRING, 0, "graph-function", AT(graph_function), "symbol[,symbol...]", NULL, NULL,
	  true },
	COMMON_IGNORED_VALUE(struct pscript_options, 0, "addr2line", "path"),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef ALL
#undef HEADING
#undef NO_TRACES
#undef NO_GUESTS
#undef NO_SCRIPTS

static u64 default_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 4 ? 4 : (u64)n;
}

static void set_defaults(struct pscript_options *o, struct diag *diag)
{
	o->input = common_input();
	o->nr_threads = default_threads();
	o->stacks = STACK_OPTIONS_DEFAULT;
	o->demangle = o->merge = true;
	o->names = FUNCTION_NAMES_FULL;
	o->quality = VERDICT_BRIEF;
	o->text.fields = &o->fields;
	o->text.stop_bt = &o->filter.stop_bt;
	o->symbols.diag = diag;
	o->symbols.prog = "pscript";
	o->symbols.talk = stderr;
	fields_init(&o->fields);
}

/* Sets the members that follow from several options, or have another form than the option. */
static void settle(struct pscript_options *o)
{
	if (o->quality == VERDICT_BRIEF && o->quiet)
		o->quality = VERDICT_NONE;
	if (!o->demangle)
		o->names = FUNCTION_NAMES_RAW;
	o->symbols.no_demangle = o->names == FUNCTION_NAMES_RAW;
	o->symbols.name_form = function_name_form(o->names);
	o->no_join = !o->stacks.join;
	o->text.max_stack = o->stacks.max_stack;
	o->text.max_user_stack = o->stacks.max_user_stack;
	o->text.no_inlines = !o->stacks.inlines;
	o->unwinder = o->stacks.unwinder;
	/* the lines of --debug-unwind show the call chain */
	o->text.hide_call_graph |= o->debug_unwind.given;
	o->symbols.format = o->text.format;
	o->no_merge = !o->merge;
	o->dump_raw |= o->dump_unsorted;
}

int pscript_options_parse(struct pscript_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = {
		.prog = "pscript", .usage = "pscript [<options>]", .table = table, .values = o
	};
	struct perr e;
	int nr, ret;

	set_defaults(o, diag);
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	if (nr) {
		message(stderr,
			"pscript: unexpected argument '%s' (use -i %s for a file; perf script's "
			"subcommands and scripts are not supported)\n",
			argv[1], argv[1]);
		return OPT_STATUS_USAGE;
	}
	if (o->text.reltime && o->text.deltatime) {
		fprintf(stderr, "reltime and deltatime - the two don't get along well. "
				"Please limit to --reltime or --deltatime.\n");
		return 1;
	}
	if (common_check_symbols(&o->symbols, &e)) {
		message(stderr, "pscript: %s\n", e.text);
		return 1;
	}
	settle(o);
	return -1;
}

void pscript_options_fini(struct pscript_options *o)
{
	filter_fini(&o->filter);
}
