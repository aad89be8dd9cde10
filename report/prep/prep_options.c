/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_options.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "session/common_options.h"

static int told(const struct perr *e)
{
	fprintf(stderr, "prep: %s\n", e->text);
	return -1;
}

static int opt_chain(void *ctx, const char *arg, bool unset)
{
	struct chain_option *c = ctx;
	struct perr e;

	if (unset) {
		chain_option_disable(c);
		return 0;
	}
	return chain_option_parse(c, arg, &e) ? told(&e) : 0;
}

/* Of lines and of chains, as whichever of --percent-limit and -g comes last says. */
static int opt_percent_limit(void *ctx, const char *arg, bool unset)
{
	struct prep_options *o = ctx;
	char *end;

	(void)unset;
	o->percent_limit = strtod(arg, &end);
	if (end == arg || (*end && strcmp(end, "%")) || !(o->percent_limit >= 0)) {
		fprintf(stderr, "prep: --percent-limit takes a number, not '%s'\n", arg);
		return -1;
	}
	o->chain.min_percent = o->percent_limit;
	return 0;
}

static int opt_percentage(void *ctx, const char *arg, bool unset)
{
	bool *relative = ctx;

	(void)unset;
	if (strcmp(arg, "relative") && strcmp(arg, "absolute")) {
		fprintf(stderr, "prep: --percentage is relative or absolute, not '%s'\n", arg);
		return -1;
	}
	*relative = *arg == 'r';
	return 0;
}

/* "100ms", "1s", "50us" */
static int opt_quantum(void *ctx, const char *arg, bool unset)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, { "s", 1000000000 } };
	char *end;
	u64 n = strtoull(arg, &end, 10);

	(void)unset;
	for (size_t i = 0; i < ARRAY_SIZE(units) && end > arg; i++) {
		if (strcmp(end, units[i].unit) || !n || n > UINT64_MAX / units[i].ns)
			continue;
		*(u64 *)ctx = n * units[i].ns;
		return 0;
	}
	fprintf(stderr, "prep: --time-quantum takes a time such as 100ms, not '%s'\n", arg);
	return -1;
}

static int opt_branch_stack(void *ctx, const char *arg, bool unset)
{
	(void)arg;
	*(int *)ctx = !unset;
	return 0;
}

static int opt_group(void *ctx, const char *arg, bool unset)
{
	struct prep_options *o = ctx;

	(void)arg;
	o->group = o->force_group = !unset;
	return 0;
}

static int opt_raw(void *ctx, const char *arg, bool unset)
{
	bool *raw = ctx;

	(void)unset;
	*raw = !strcmp(arg, "raw");
	return 0;
}

static int opt_color(void *ctx, const char *arg, bool unset)
{
	bool *color = ctx;

	(void)unset;
	if (strcmp(arg, "always") && strcmp(arg, "never") && strcmp(arg, "auto")) {
		fprintf(stderr, "prep: --stdio-color is always, never or auto, not '%s'\n", arg);
		return -1;
	}
	*color = !strcmp(arg, "always") || (!strcmp(arg, "auto") && pager_colors());
	return 0;
}

/*
 * "-g ARG" and "--call-graph ARG" as one word: the argument may be left out, and is there when what
 * follows is no option.
 */
static char **join_chain_words(struct prep_options *o, int argc, char **argv, int *ret_argc)
{
	char **out = xcalloc((size_t)argc + 1, sizeof(*out));
	int n = 0, i;

	for (i = 0; i < argc; i++) {
		bool brief = !strcmp(argv[i], "-g");
		bool takes = brief || !strcmp(argv[i], "--call-graph");

		if (i && takes && i + 1 < argc && argv[i + 1][0] != '-') {
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
	o->input = common_input();
	o->branch_stack = -1;
	o->color = pager_colors();
	o->children = o->group = o->skip_empty = true;
	o->table.filter = &o->filter;
	o->stacks = STACK_OPTIONS_DEFAULT;
	o->table.group_sort_idx = -1;
	o->table.socket = -1;
	o->symbols.diag = diag;
	o->symbols.prog = "prep";
	o->symbols.talk = stderr;
	chain_option_init(&o->chain);
}

/* Combinations that make no sense, and what follows from others. */
static int check(struct prep_options *o, int nr, char **argv)
{
	struct perr e;

	if (o->diff) {
		if (nr != 2) {
			fprintf(stderr, "prep: --diff takes two files: --diff BEFORE AFTER\n");
			return OPT_STATUS_USAGE;
		}
		o->input = argv[1];
		o->diff_to = argv[2];
	} else if (nr) {
		fprintf(stderr, "prep: '%s': a file is given with -i\n", argv[1]);
		return OPT_STATUS_USAGE;
	}
	if (o->table.hierarchy && o->table.fields && *o->table.fields != '+') {
		fprintf(stderr, "prep: --hierarchy and --fields do not go together\n");
		return OPT_STATUS_USAGE;
	}
	if (o->separator && *o->separator == '.') {
		fprintf(stderr, "prep: '.' stands for separators within names and cannot be one\n");
		return OPT_STATUS_USAGE;
	}
	if (o->separator && !strcmp(o->separator, "\\t"))
		o->separator = "\t";
	return common_check_symbols(&o->symbols, &e) ? -told(&e) : -1;
}

int prep_options_parse(struct prep_options *o, struct diag *diag, int argc, char **argv)
{
	bool demangle = true, ignored = false, mem_mode = false;
	int quality = VERDICT_FORMS; /* not given */
	u64 ignored_number = 0, sort_idx = UINT64_MAX, socket = UINT64_MAX;
	const struct opt table[] = {
		{ OPT_STRING, 'i', "input", &o->input, "file",
		  "input file name, - for standard input" },
		{ OPT_FLAG, 0, "stdio", &ignored, NULL, "text on standard output (default)" },
		{ OPT_FLAG, 0, "diff", &o->diff, NULL,
		  "two files: how the second's shares differ from the first's" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Rows and columns" },
		{ OPT_STRING, 's', "sort", &o->table.sort, "key[,key2...]",
		  "rows by these keys; +key adds to the default ones: comm, pid, tgid, dso, "
		  "symbol, symoff, addr, srcline, srcfile, parent, cpu, socket, time, cgroup, "
		  "weight, transaction, trace, symbol_size, dso_size, code_page_size, ...; with "
		  "-b dso_from, symbol_to, mispredict, cycles, ...; with --mem-mode mem, "
		  "symbol_daddr, snoop, tlb, ...; fields of tracepoints" },
		{ OPT_STRING, 'F', "fields", &o->table.fields, "key[,key2...]",
		  "these columns in this order: overhead, overhead_children, overhead_sys, "
		  "overhead_us, sample, period, weight1 and all keys; +key adds" },
		{ OPT_FLAG, 0, "children", &o->children, NULL,
		  "count callers, too, where there are call chains (default)" },
		{ OPT_FLAG, 'n', "show-nr-samples", &o->table.show_samples, NULL,
		  "number of samples" },
		{ OPT_FLAG, 0, "show-total-period", &o->table.show_period, NULL, "sum of periods" },
		{ OPT_FLAG, 0, "show-cpu-utilization", &o->table.show_cpu_modes, NULL,
		  "shares of kernel and user space" },
		{ OPT_FLAG, 'H', "hierarchy", &o->table.hierarchy, NULL,
		  "keys one below the other" },
		{ OPT_CALL_FLAG, 0, "group", o, NULL,
		  "events of a group side by side (default); where there is none, all events",
		  opt_group },
		{ OPT_U64, 0, "group-sort-idx", &sort_idx, "n",
		  "order of a group's rows by its event n, from 0" },
		{ OPT_CALL, 0, "percent-limit", o, "percent", "no rows below this share",
		  opt_percent_limit },
		{ OPT_CALL, 0, "percentage", &o->relative, "relative|absolute",
		  "shares of what the filters leave, or of all samples (absolute)",
		  opt_percentage },
		{ OPT_CALL, 0, "time-quantum", &o->time_quantum_ns, "time",
		  "steps of the time key (100ms)", opt_quantum },
		{ OPT_FLAG, 0, "ns", &o->table.ns, NULL, "9 decimal places of time" },
		{ OPT_CALL_FLAG, 'b', "branch-stack", &o->branch_stack, NULL,
		  "rows of branches (default for recordings made with -b)", opt_branch_stack },
		{ OPT_FLAG, 0, "mem-mode", &mem_mode, NULL, "rows of memory accesses" },
		{ OPT_STRING, 't', "field-separator", &o->separator, "separator",
		  "this between columns instead of blanks, . in names in its place" },
		{ OPT_STRING, 'w', "column-widths", &o->table.widths, "width[,width...]",
		  "fixed widths of the first columns" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Call graphs" },
		{ OPT_CALL_OPT, 'g', "call-graph", &o->chain, "type,min[,limit],order,key[,value]",
		  "graph|fractal|flat|folded|none, least percentage, most lines, caller|callee, "
		  "function|address|srcline, percent|period|count "
		  "(graph,0.5,caller,function,percent)",
		  opt_chain },
		{ OPT_FLAG, 'G', "inverted", &o->inverted, NULL, "callers first" },
		COMMON_STACK_OPTIONS(&o->stacks),
		{ OPT_STRING, 0, "ignore-callees", &o->table.ignore_callees, "regex",
		  "samples below these functions count as theirs" },
		{ OPT_STRING, 'p', "parent", &o->table.parent, "regex",
		  "the parent key: the caller whose name matches" },
		{ OPT_FLAG, 'x', "exclude-other", &o->table.exclude_other, NULL,
		  "only samples that have such a parent" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Which samples" },
		COMMON_FILTER_OPTIONS(&o->filter, &o->time, 'd'),
		{ OPT_STRING, 0, "symbol-filter", &o->table.symbol_filter, "text",
		  "only rows of symbols whose names hold this" },
		{ OPT_U64, 0, "socket-filter", &socket, "n", "only this socket" },
		{ OPT_STRING, 0, "switch-on", &o->switch_on, "event",
		  "only what comes after a sample of this event" },
		{ OPT_STRING, 0, "switch-off", &o->switch_off, "event",
		  "nothing that comes after a sample of this event" },
		{ OPT_FLAG, 0, "show-on-off-events", &o->show_on_off, NULL,
		  "the samples that switch count, too" },
		{ OPT_FLAG, 'U', "hide-unresolved", &o->table.hide_unresolved, NULL,
		  "nothing that has no symbol" },
		{ OPT_FLAG, 0, "skip-empty", &o->skip_empty, NULL,
		  "no tables of events without samples (default)" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Other tables" },
		{ OPT_FLAG, 0, "stats", &o->stats, NULL, "number of records of each type" },
		{ OPT_FLAG, 0, "tasks", &o->tasks, NULL, "the recorded tasks" },
		{ OPT_FLAG, 0, "mmaps", &o->mmaps, NULL, "tasks and their maps" },
		{ OPT_FLAG, 'T', "thread-table", &o->thread_table, NULL, "counts of each thread" },
		{ OPT_FLAG, 0, "header", &o->header, NULL, "the file's header first" },
		{ OPT_FLAG, 0, "header-only", &o->header_only, NULL, "nothing but the header" },
		{ OPT_FLAG, 'I', "show-info", &o->show_info, NULL,
		  "the header with topology sections" },
		{ OPT_FLAG, 'D', "dump-raw-trace", &o->dump_raw, NULL,
		  "every record: its bytes and what they mean" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Text and files" },
		{ OPT_FLAG, 'q', "quiet", &o->quiet, NULL, "no titles" },
		{ OPT_FLAG, 0, "raw-trace", &o->table.raw_trace, NULL,
		  "fields of tracepoints as they are" },
		{ OPT_CALL, 0, "pretty", &o->raw_threads, "normal|raw",
		  "raw: a line for each count of -T", opt_raw },
		{ OPT_CALL, 0, "stdio-color", &o->color, "mode", "always, never or auto (default)",
		  opt_color },
		PAGER_OPTION(&o->pager),
		{ OPT_COUNT, 'v', "verbose", &o->table.verbose, NULL, "addresses and full paths" },
		{ OPT_FLAG, 0, "full-source-path", &o->table.full_source_path, NULL,
		  "full paths of source lines" },
		{ OPT_U64, 0, "threads", &o->nr_threads, "n", "threads that count (one per CPU)" },
		{ OPT_U64, 0, "max-mem", &o->max_mem, "bytes",
		  "end with an error rather than take more" },
		COMMON_SYMBOL_OPTIONS(&o->symbols, &demangle, "readable symbol names (default)",
				      &o->why),
		{ OPT_PARSE, 0, "quality", &quality, "form",
		  "how far to trust the tables, on standard error: text (default, but for -q), "
		  "json, none",
		  .parse = verdict_form_option },
		{ OPT_FLAG, 'f', "force", &ignored, NULL,
		  "taken for compatibility: files of any owner are read", NULL, true },
		{ OPT_FLAG, 'm', "modules", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "ignore-vmlinux", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "disable-order", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "show-ref-call-graph", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "source", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "asm-raw", &ignored, NULL, NULL, NULL, true },
		{ OPT_FLAG, 0, "stitch-lbr", &ignored, NULL, NULL, NULL, true },
		{ OPT_U64, 0, "samples", &ignored_number, "n", NULL, NULL, true },
		{ OPT_CALL, 'M', "disassembler-style", NULL, "style", NULL, common_nothing, true },
		{ OPT_CALL, 0, "addr2line", NULL, "path", NULL, common_nothing, true },
		{ OPT_CALL, 0, "objdump", NULL, "path", NULL, common_nothing, true },
		{ OPT_CALL, 0, "addr2line-style", NULL, "style", NULL, common_nothing, true },
		{ OPT_CALL, 0, "prefix", NULL, "path", NULL, common_nothing, true },
		{ OPT_CALL, 0, "prefix-strip", NULL, "n", NULL, common_nothing, true },
		{ OPT_CALL, 0, "unwind-style", NULL, "style", NULL, common_nothing, true },
		{ OPT_CALL, 0, "percent-type", NULL, "type", NULL, common_nothing, true },
		{ OPT_END },
	};
	const struct opt_parser parser = { "prep", "prep [<options>]", table, false };
	int nr, ret, joined;
	char **words;

	set_defaults(o, diag);
	words = join_chain_words(o, argc, argv, &joined);
	ret = opt_parse(&parser, joined, words, &nr);
	if (!ret)
		ret = check(o, nr, words);
	else
		ret = ret > 0 ? 0 : OPT_STATUS_USAGE;
	o->words = words;
	if (quality == VERDICT_FORMS)
		quality = o->quiet ? VERDICT_NONE : VERDICT_TEXT;
	o->quality = (enum verdict_form)quality;
	o->table.mode = mem_mode ? TABLE_MEMORY : TABLE_NORMAL;
	o->table.group_sort_idx = sort_idx == UINT64_MAX ? -1 : (s64)(sort_idx & INT32_MAX);
	o->table.socket = socket == UINT64_MAX ? -1 : (s64)(socket & INT32_MAX);
	o->table.max_stack = o->stacks.max_stack;
	o->table.separated = o->separator;
	o->symbols.no_demangle = !demangle;
	return ret;
}

void prep_options_fini(struct prep_options *o)
{
	filter_fini(&o->filter);
	for (size_t i = 0; i < o->nr_joined; i++)
		free(o->joined[i]);
	free(o->joined);
	free(o->words);
}
