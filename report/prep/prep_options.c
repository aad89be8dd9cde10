/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_options.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/prep/prep_diff_options.h"
#include "base/screen/message.h"
#include "session/common_options.h"

/* -g and --no-call-graph */
static int on_call_graph(void *chain, const char *arg, bool unset)
{
	struct chain_option *c = chain;
	struct perr e;

	if (unset) {
		chain_option_disable(c);
		return 0;
	}
	if (!chain_option_parse(c, arg, &e))
		return 0;
	message(stderr, "prep: -g: %s\n", e.text);
	return -1;
}

/* Applies to rows and to call chains; of --percent-limit and -g the last one sets the chains'. */
static int parse_percent_limit(void *options, const char *arg, struct perr *e)
{
	struct prep_options *o = options;
	int err = common_percent_limit(&o->percent_limit, arg, e);

	if (!err)
		o->chain.min_percent = o->percent_limit;
	return err;
}

static int parse_percentage(void *relative, const char *arg, struct perr *e)
{
	if (arg && strcmp(arg, "relative") && strcmp(arg, "absolute"))
		return perr_set(e, PERR_USAGE, "expected relative or absolute, got '%s'", arg);
	*(bool *)relative = arg && *arg == 'r';
	return 0;
}

/* "100ms", "1s", "50us" */
static int parse_quantum(void *ns, const char *arg, struct perr *e)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, { "s", 1000000000 } };
	char *end = NULL;
	u64 n = arg ? strtoull(arg, &end, 10) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(units) && end > arg; i++) {
		if (strcmp(end, units[i].unit) || !n || n > UINT64_MAX / units[i].ns)
			continue;
		*(u64 *)ns = n * units[i].ns;
		return 0;
	}
	*(u64 *)ns = 0;
	return arg ? perr_set(e, PERR_USAGE, "expected a time such as 100ms, got '%s'", arg) : 0;
}

/* --html-time */
static int parse_html_time(void *ns, const char *arg, struct perr *e)
{
	static const struct {
		const char *word;
		u64 ns;
	} words[] = {
		{ "off", 0 },
		{ "1us", 1000 },
		{ "100us", 100000 },
		{ "1ms", 1000000 },
	};

	for (size_t i = 0; arg && i < ARRAY_SIZE(words); i++)
		if (!strcmp(arg, words[i].word)) {
			*(u64 *)ns = words[i].ns;
			return 0;
		}
	return perr_set(e, PERR_USAGE, "expected off, 1us, 100us or 1ms, got '%s'", arg ? arg : "");
}

/* Options that are on, off or as the file or the terminal suggests. */
static int on_tristate(void *value, const char *arg, bool unset)
{
	(void)arg;
	*(int *)value = !unset;
	return 0;
}

static int on_group(void *options, const char *arg, bool unset)
{
	struct prep_options *o = options;

	(void)arg;
	o->group = o->force_group = !unset;
	o->group_given = true;
	return 0;
}

static int parse_parallelism(void *set, const char *arg, struct perr *e)
{
	return arg ? filter_add_set(set, arg, "numbers", e) : 0;
}

static int parse_pretty(void *raw, const char *arg, struct perr *e)
{
	(void)e;
	*(bool *)raw = arg && !strcmp(arg, "raw");
	return 0;
}

#define AT(member) OPT_AT(struct prep_options, member)
/* For a function that works on the whole struct prep_options. */
#define ALL NULL
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION_AT(struct prep_options, input_given),
	{ OPT_FLAG, 0, "stdio", AT(ui.stdio), NULL,
	  "text on standard output (default where that is no terminal)" },
	{ OPT_FLAG, 0, "tui", AT(ui.tui), NULL,
	  "interactive (default on a terminal): Enter shows what can be done, h the keys, q "
	  "leaves" },
	{ OPT_STRING, 0, "keys", AT(ui.keys), "keys", NULL, NULL, true },
	{ OPT_STRING, 0, "screen", AT(ui.screen), "size", NULL, NULL, true },
	{ OPT_FLAG, 0, "diff", AT(diff), NULL,
	  "compare recordings with the first one: prep --diff BEFORE AFTER..." },

	{ OPT_STRING, 0, "html", AT(html), "file",
	  "write one page for browsers instead, with flame graph, table, callers and time: - is "
	  "standard output" },
	{ OPT_PARSE, 0, "html-time", AT(html_time), "off|1us|100us|1ms",
	  "steps of time in the page (1us); off: smaller, without times",
	  .parse = parse_html_time },

	HEADING("Rows and columns"),
	{ OPT_STRING, 's', "sort", AT(table.sort), "key[,key2...]",
	  "one row for each combination of these keys; +key adds to the default ones: comm, pid, "
	  "tgid, dso, symbol, symoff, addr, srcline, srcfile, parent, cpu, socket, time, cgroup, "
	  "weight, transaction, trace, symbol_size, dso_size, code_page_size, parallelism, ...; "
	  "with -b dso_from, symbol_to, mispredict, cycles, ...; with --mem-mode mem, "
	  "symbol_daddr, snoop, tlb, ...; fields of tracepoints" },
	{ OPT_STRING, 'F', "fields", AT(table.fields), "key[,key2...]",
	  "show these columns in this order: overhead, overhead_children, overhead_sys, "
	  "overhead_us, sample, period, weight1 and all keys; +key adds a column" },
	{ OPT_FLAG, 0, "cgroup", AT(by_cgroup), NULL, "the same as --sort cgroup,comm,dso,symbol" },
	{ OPT_FLAG, 0, "children", AT(children), NULL,
	  "count a sample for its callers as well, if it has a call chain (default)" },
	{ OPT_FLAG, 'n', "show-nr-samples", AT(table.show_samples), NULL,
	  "show the number of samples" },
	{ OPT_FLAG, 0, "show-total-period", AT(table.show_period), NULL,
	  "show the sum of periods" },
	{ OPT_FLAG, 0, "show-cpu-utilization", AT(table.show_cpu_modes), NULL,
	  "show the shares of kernel and user space" },
	{ OPT_FLAG, 'H', "hierarchy", AT(table.hierarchy), NULL,
	  "show each key indented below the one before it" },
	{ OPT_FLAG, 0, "wall", AT(wall), NULL,
	  "of prec --off-cpu: times on and off the CPU in one table, in ns" },
	{ OPT_FLAG, 0, "latency", AT(table.latency_first), NULL,
	  "show and sort by shares of wall clock time, of recordings made with --latency" },
	{ OPT_CALL_FLAG, 0, "group", ALL, NULL,
	  "show the events of a group side by side (default); if given, all events where the "
	  "file has no group",
	  on_group },
	{ OPT_U64, 0, "group-sort-idx", AT(group_sort_idx), "n",
	  "sort the rows of a group by its event n, counted from 0" },
	{ OPT_PARSE, 0, "percent-limit", ALL, "percent", "hide rows below this share",
	  .parse = parse_percent_limit },
	{ OPT_PARSE, 0, "percentage", AT(relative), "relative|absolute",
	  "shares of the samples that pass the filters, or of all samples (absolute)",
	  .parse = parse_percentage },
	{ OPT_PARSE, 0, "time-quantum", AT(time_quantum_ns), "time",
	  "round the time key down to multiples of this (100ms)", .parse = parse_quantum },
	{ OPT_FLAG, 0, "ns", AT(table.ns), NULL, "show times with 9 decimal places" },
	{ OPT_CALL_FLAG, 'b', "branch-stack", AT(branch_stack), NULL,
	  "count branches (default for recordings made with -b)", on_tristate },
	{ OPT_FLAG, 0, "mem-mode", AT(mem_mode), NULL, "count memory accesses" },
	{ OPT_STRING, 't', "field-separator", AT(separator), "separator",
	  "separate columns by this instead of blanks; . replaces it within names" },
	{ OPT_STRING, 'w', "column-widths", AT(table.widths), "width[,width...]",
	  "use fixed widths for the first columns" },
	{ OPT_PARSE, 0, "names", AT(names), "short|noargs|full|raw",
	  "full (default), noargs (no parameters), short (no template arguments, clones or hashes "
	  "either), raw (not demangled); short and noargs merge rows of equal names",
	  .parse = function_names_parse_full },
	{ OPT_FLAG, 0, "full-names", AT(full_names), NULL,
	  "do not shorten names to fit lines into the terminal" },

	HEADING("Call graphs"),
	{ OPT_CALL_OPT, 'g', "call-graph", AT(chain), "type,min[,limit],order,key[,value]",
	  "graph|fractal|flat|folded|none, least percentage, most lines, caller|callee, "
	  "function|address|srcline, percent|period|count (graph,0.5,caller,function,percent)",
	  on_call_graph },
	{ OPT_FLAG, 'G', "inverted", AT(inverted), NULL, "callers first" },
	COMMON_STACK_OPTIONS(struct prep_options),
	{ OPT_STRING, 0, "ignore-callees", AT(table.ignore_callees), "regex",
	  "count samples below these functions for the functions themselves" },
	{ OPT_STRING, 'p', "parent", AT(table.parent), "regex",
	  "the parent key shows the caller whose name matches" },
	{ OPT_FLAG, 'x', "exclude-other", AT(table.exclude_other), NULL,
	  "only samples with such a parent" },

	HEADING("Which samples"),
	COMMON_FILTER_OPTIONS(struct prep_options, 'd'),
	{ OPT_PARSE, 0, "parallelism", AT(filter.parallelism), "list",
	  "only samples while so many recorded threads ran (1,3-4)",
	  .parse = parse_parallelism },
	{ OPT_STRING, 0, "symbol-filter", AT(table.symbol_filter), "text",
	  "only rows of symbols whose names contain this" },
	{ OPT_U64, 0, "socket-filter", AT(socket), "n", "only this socket" },
	{ OPT_STRING, 0, "switch-on", AT(switch_on), "event",
	  "only samples after the first sample of this event" },
	{ OPT_STRING, 0, "switch-off", AT(switch_off), "event",
	  "no samples after a sample of this event" },
	{ OPT_FLAG, 0, "show-on-off-events", AT(show_on_off), NULL,
	  "count the samples that switch on and off as well" },
	{ OPT_FLAG, 'U', "hide-unresolved", AT(table.hide_unresolved), NULL,
	  "hide rows without a symbol" },
	{ OPT_FLAG, 0, "skip-empty", AT(skip_empty), NULL,
	  "print no tables for events without samples (default)" },

	HEADING("Comparison (--diff)"),
	{ OPT_PARSE, 0, "compute", AT(diff_of.rows.compute), "method",
	  "-c with --diff: delta, delta-abs (default), ratio, wdiff:W1,W2",
	  .parse = diff_compute_parse },
	{ OPT_U64, 'o', "order", AT(diff_of.rows.order), "n",
	  "sort by the differences of file n (1); 0: by the baseline" },
	{ OPT_FLAG, 0, "period", AT(diff_of.columns.period), NULL,
	  "-p with --diff: show the periods of each file" },
	{ OPT_FLAG, 0, "formula", AT(diff_of.columns.formula), NULL,
	  "show how each difference is computed" },
	{ OPT_FLAG, 0, "baseline-only", AT(diff_of.rows.baseline_only), NULL,
	  "-b with --diff: only rows that the baseline has, too" },
	{ OPT_CALL_FLAG, 0, "interval", AT(diff_of.interval), NULL,
	  "show 95 % intervals of differences, and which are noise (default on a terminal)",
	  on_tristate },

	HEADING("Other tables"),
	{ OPT_FLAG, 0, "stats", AT(stats), NULL, "print the number of records of each type" },
	{ OPT_FLAG, 0, "tasks", AT(tasks), NULL, "print the recorded tasks" },
	{ OPT_FLAG, 0, "mmaps", AT(mmaps), NULL, "print the tasks and their maps" },
	{ OPT_FLAG, 'T', "thread-table", AT(thread_table), NULL,
	  "print the event counts of each thread" },
	COMMON_HEADER_OPTIONS(struct prep_options),
	{ OPT_FLAG, 'D', "dump-raw-trace", AT(dump_raw), NULL,
	  "print every record: its bytes and what they mean" },

	HEADING("Text and files"),
	{ OPT_FLAG, 'q', "quiet", AT(quiet), NULL, "print no titles" },
	{ OPT_FLAG, 0, "raw-trace", AT(table.raw_trace), NULL,
	  "print the fields of tracepoints as raw values" },
	{ OPT_PARSE, 0, "pretty", AT(raw_threads), "normal|raw",
	  "raw: -T prints a line for each count", .parse = parse_pretty },
	{ OPT_PARSE, 0, "stdio-color", AT(color), "mode", "always, never or auto (default)",
	  .parse = common_color },
	COMMON_PAGER_OPTION(struct prep_options),
	{ OPT_COUNT, 'v', "verbose", AT(table.verbose), NULL, "show addresses and full paths" },
	{ OPT_FLAG, 0, "full-source-path", AT(table.full_source_path), NULL,
	  "show full paths of source files" },
	COMMON_THREADS_OPTION(struct prep_options),
	COMMON_MAX_MEM_OPTION(struct prep_options),
	COMMON_SYMBOL_OPTIONS(struct prep_options,
			      "readable symbol names (default); --no-demangle is --names=raw"),
	COMMON_QUALITY_OPTION(struct prep_options, "(default: in brief; none with -q)"),
	COMMON_FORCE_OPTION(struct prep_options, symbols.force),

	{ OPT_FLAG, 0, "showcpuutilization", AT(table.show_cpu_modes), NULL, NULL, NULL, true },
	COMMON_ITRACE_OPTION(struct prep_options),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "gtk"),
	COMMON_REFUSED_OPTION(0, "branch-history", "branches are no part of call graphs here"),
	COMMON_REFUSED_OPTION(0, "total-cycles", "blocks between branches are not counted"),
	COMMON_IGNORED_FLAG(struct prep_options, 'm', "modules"),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "ignore-vmlinux"),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "disable-order"),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "show-ref-call-graph"),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "source"),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "asm-raw"),
	COMMON_IGNORED_FLAG(struct prep_options, 0, "stitch-lbr"),
	{ OPT_U64, 0, "samples", AT(ignored_number), "n", NULL, NULL, true },
	COMMON_IGNORED_VALUE(struct prep_options, 'M', "disassembler-style", "style"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "addr2line", "path"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "objdump", "path"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "addr2line-style", "style"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "prefix", "path"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "prefix-strip", "n"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "unwind-style", "style"),
	COMMON_IGNORED_VALUE(struct prep_options, 0, "percent-type", "type"),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef ALL
#undef HEADING

static bool is_chain_option(const char *word)
{
	struct chain_option c;
	struct perr e;

	chain_option_init(&c);
	return !chain_option_parse(&c, word, &e);
}

/*
 * Returns argv with "-g ARG" and "--call-graph ARG" as one word each. The argument of these options
 * is optional; the next word is it unless that begins with "-", or is one of the files of --diff.
 */
static char **join_chain_words(struct prep_options *o, int argc, char **argv, int *ret_argc)
{
	char **out = xcalloc((size_t)argc + 1, sizeof(*out));
	bool diff = prep_diff_is_given(argc, argv);
	int n = 0, i;

	for (i = 0; i < argc; i++) {
		bool brief = !strcmp(argv[i], "-g");
		bool takes = brief || !strcmp(argv[i], "--call-graph");

		if (i && takes && i + 1 < argc && argv[i + 1][0] != '-' &&
		    (!diff || is_chain_option(argv[i + 1]))) {
			out[n] = xasprintf("%s%s%s", argv[i], brief ? "" : "=", argv[i + 1]);
			vec_push(o->joined, o->nr_joined, o->cap_joined, out[n]);
			n++;
			i++;
		} else {
			out[n++] = argv[i];
		}
	}
	*ret_argc = n;
	return out;
}

static void set_defaults(struct prep_options *o, struct diag *diag)
{
	o->branch_stack = o->diff_of.interval = -1;
	o->diff_of.rows.compute.method = DIFF_DELTA_ABS;
	o->diff_of.rows.order = 1;
	o->color = pager_colors();
	o->children = o->group = o->skip_empty = o->demangle = true;
	o->names = FUNCTION_NAMES_FULL;
	o->quality = VERDICT_BRIEF;
	o->group_sort_idx = o->socket = UINT64_MAX;
	o->table.filter = &o->filter;
	o->html_time = 1000;
	o->stacks = STACK_OPTIONS_DEFAULT;
	o->symbols.diag = diag;
	o->symbols.prog = "prep";
	o->symbols.talk = stderr;
	chain_option_init(&o->chain);
}

/*
 * Takes the operand: a recording, or what is no file, as in perf report, a part of the symbols to
 * show. Returns 0, or -1 after a message.
 */
static int take_operand(struct prep_options *o, int nr, char **argv)
{
	const char *dot = strrchr(argv[1], '.');
	bool is_file = !strcmp(argv[1], "-") || strchr(argv[1], '/') ||
		       (dot && !strcmp(dot, ".data")) || !access(argv[1], F_OK);

	if (nr > 1) {
		message(stderr, "prep: expected one recording, got %d (--diff compares two)\n", nr);
		return -1;
	}
	if (is_file && o->input_given) {
		message(stderr, "prep: two recordings: -i %s and %s\n", o->input_given, argv[1]);
		return -1;
	}
	if (is_file)
		o->input = argv[1];
	else
		o->table.symbol_filter = argv[1];
	return 0;
}

/* True if what the options ask for is text: nothing but the table is interactive. */
static bool asks_for_text(const struct prep_options *o)
{
	return o->header || o->header_only || o->stats || o->tasks || o->mmaps || o->diff ||
	       o->dump_raw || o->thread_table || o->html || o->why || o->quiet || o->separator ||
	       o->chain.mode == CHAIN_FLAT || o->chain.mode == CHAIN_FOLDED ||
	       !strcmp(o->input, "-");
}

/* Checks which options exclude each other. Returns -1, or the exit status after a message. */
static int check_combinations(struct prep_options *o, int nr, char **argv)
{
	struct perr e;

	o->input = o->input_given ? o->input_given : common_input();
	if (o->diff) {
		if (!prep_diff_settle(o, nr, argv))
			return OPT_STATUS_USAGE;
	} else if (nr && take_operand(o, nr, argv)) {
		return OPT_STATUS_USAGE;
	}
	if (o->html && (o->stats || o->tasks || o->mmaps || o->dump_raw || o->header_only ||
			o->thread_table || o->why)) {
		fputs("prep: --html writes a page of the samples: leave it out for --stats, "
		      "--tasks, --mmaps, -D, --header-only, -T and --why\n",
		      stderr);
		return OPT_STATUS_USAGE;
	}
	if (o->html && o->diff && o->diff_of.nr_files != 2) {
		fprintf(stderr, "prep: --html compares two recordings, got %zu\n",
			o->diff_of.nr_files);
		return OPT_STATUS_USAGE;
	}
	if (o->by_cgroup && (o->table.sort || o->table.fields)) {
		fputs("prep: --cgroup chooses the rows, as --sort and --fields do: use "
		      "--sort cgroup,...\n",
		      stderr);
		return OPT_STATUS_USAGE;
	}
	if (o->by_cgroup)
		o->table.sort = "cgroup,comm,dso,symbol";
	if (o->table.hierarchy && o->table.fields && *o->table.fields != '+') {
		fprintf(stderr, "prep: --hierarchy and --fields exclude each other\n");
		return OPT_STATUS_USAGE;
	}
	if (o->separator && *o->separator == '.') {
		fprintf(stderr,
			"prep: -t: '.' replaces separators within names, so it cannot separate "
			"columns\n");
		return OPT_STATUS_USAGE;
	}
	if (o->separator && !strcmp(o->separator, "\\t"))
		o->separator = "\t";
	if (!tui_start_settle(&o->ui, "report", asks_for_text(o), &e) &&
	    !common_check_symbols(&o->symbols, &e))
		return -1;
	message(stderr, "prep: %s\n", e.text);
	return 1;
}

/* Sets the members that follow from several options, or have another form than the option. */
static void settle(struct prep_options *o)
{
	if (o->quality == VERDICT_BRIEF && o->quiet)
		o->quality = VERDICT_NONE;
	o->table.mode = o->diff ? TABLE_DIFF : o->mem_mode ? TABLE_MEMORY : TABLE_NORMAL;
	o->table.group_sort_idx =
		o->group_sort_idx == UINT64_MAX ? -1 : (s64)(o->group_sort_idx & INT32_MAX);
	o->table.socket = o->socket == UINT64_MAX ? -1 : (s64)(o->socket & INT32_MAX);
	o->table.max_stack = o->stacks.max_stack;
	o->table.separated = o->separator;
	if (!o->demangle)
		o->names = FUNCTION_NAMES_RAW;
	o->symbols.no_demangle = o->names == FUNCTION_NAMES_RAW;
	o->symbols.name_form = function_name_form(o->names);
	o->table.by_name = o->chain.by_name = o->symbols.name_form;
}

int prep_options_parse(struct prep_options *o, struct diag *diag, int argc, char **argv)
{
	struct opt rows[ARRAY_SIZE(table)];
	const struct opt_parser parser = {
		.prog = "prep", .usage = "prep [<options>] [<file>]", .table = rows, .values = o
	};
	int nr, ret, joined;

	set_defaults(o, diag);
	memcpy(rows, table, sizeof(rows));
	if (prep_diff_is_given(argc, argv))
		prep_diff_take_letters(rows, ARRAY_SIZE(rows));
	o->words = join_chain_words(o, argc, argv, &joined);
	ret = opt_parse(&parser, joined, o->words, &nr);
	if (!ret)
		ret = check_combinations(o, nr, o->words);
	else
		ret = ret > 0 ? 0 : OPT_STATUS_USAGE;
	settle(o);
	return ret;
}

void prep_options_fini(struct prep_options *o)
{
	filter_fini(&o->filter);
	for (size_t i = 0; i < o->nr_joined; i++)
		free(o->joined[i]);
	free(o->joined);
	free(o->diff_of.files);
	free(o->words);
}
