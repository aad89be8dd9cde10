/* SPDX-License-Identifier: MIT */
#include "events/func/func_options.h"

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/time_option.h"
#include "symbols/elf/go_table.h"
#include "symbols/elf/object.h"

static int parse_by(void *by, const char *arg, struct perr *e)
{
	static const char *const words[] = { "function", "comm", "pid", "tid" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum func_by *)by = choice < 0 ? FUNC_BY_FUNCTION : (enum func_by)choice;
	return err;
}

static int parse_sort(void *sort, const char *arg, struct perr *e)
{
	static const char *const words[] = { "total", "self", "calls", "max" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum func_sort *)sort = choice < 0 ? FUNC_SORT_TOTAL : (enum func_sort)choice;
	return err;
}

#define AT(member) OPT_AT(struct func_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct func_options),

	HEADING("Live: prec records calls of FILE:FUNCTION; a command to run follows --"),
	RECORD_PROCESS_OPTIONS(struct func_options),
	RECORD_THREAD_OPTION(struct func_options),
	RECORD_LIVE_OPTIONS(struct func_options),
	{ OPT_U64, 'I', "interval", AT(interval_ms), "ms",
	  "a table each time that so many ms of the recording have passed" },

	HEADING("What"),
	{ OPT_FLAG, 0, "count", AT(count), NULL,
	  "record entries alone: how many calls, without times" },
	{ OPT_FLAG, 0, "ret", AT(ret), NULL,
	  "see returns at the instructions that return: exceptions may pass (always so in Go "
	  "programs)" },
	{ OPT_STRING, 0, "max-probes", AT(max_probes), "n",
	  "a pattern may match this many functions (500)" },
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records FILE:FUNCTION" },

	HEADING("Which"),
	{ OPT_PARSE, 'c', "comms", AT(filter.comms), "comm[,comm...]",
	  "only calls of threads of these names", .parse = common_names },
	{ OPT_PARSE, 0, "pid", AT(filter.pids), "pid[,pid...]",
	  "only calls of these processes", .parse = common_numbers },
	{ OPT_PARSE, 0, "tid", AT(filter.tids), "tid[,tid...]",
	  "only calls of these threads", .parse = common_numbers },

	HEADING("Output"),
	{ OPT_PARSE, 0, "by", AT(by), "function|comm|pid|tid",
	  "one row for each function (default), or for each function and name of threads, "
	  "process or thread", .parse = parse_by },
	{ OPT_FLAG, 0, "json", AT(json), NULL,
	  "print one JSON object instead of the table, times in ns" },
	{ OPT_FLAG, 0, "hist", AT(hist), NULL, "print histograms" },
	{ OPT_FLAG, 0, "tree", AT(tree), NULL, "print which function called which" },
	{ OPT_FLAG, 'g', "stacks", AT(stacks), NULL,
	  "by whole call stacks, callers without probes too: as a tree, and for --folded and "
	  "--html" },
	{ OPT_PARSE, 0, "than", AT(than), "time",
	  "print each call that is in no other one and takes longer, with the calls in it: 10ms",
	  .parse = time_option },
	{ OPT_STRING, 0, "folded", AT(folded), "file",
	  "write the calls with their own ns as flame graphs read them" },
	{ OPT_STRING, 0, "html", AT(html), "file",
	  "write the same as a page for browsers: a flame graph with searches and tables" },
	{ OPT_PARSE, 0, "sort", AT(sort), "total|self|calls|max", "order of the rows",
	  .parse = parse_sort },
	{ OPT_U64, 0, "top", AT(top), "n", "only the first n rows" },
	{ OPT_FLAG, 0, "ns", AT(ns), NULL, "print times in ns" },

	HEADING("Symbols of -g"),
	COMMON_MAX_STACK_OPTION(struct func_options, stack),
	COMMON_SYMBOL_FILE_OPTIONS(struct func_options),

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct func_options),
	COMMON_FORCE_OPTION(struct func_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

static bool is_probe(const char *arg)
{
	const char *colon = strrchr(arg, ':');

	return colon && colon > arg && colon[1];
}

/* What is wrong with the combination; NULL: nothing. */
static const char *find_fault(struct func_options *o, int nr, char **argv)
{
	bool live = record_target_given(&o->live);

	o->probes = (const char **)&argv[1];
	while (o->nr_probes < (size_t)nr && is_probe(argv[1 + o->nr_probes]))
		o->nr_probes++;
	nr -= (int)o->nr_probes;
	if ((live || o->print_record) && (nr || !o->nr_probes))
		return "which functions? FILE:FUNCTION, such as ./app:parse or libc.so.6:'str*'";
	if (live && o->input)
		return "-a, -p, -t and a command record now: no recording is read with -i";
	if (!live && !o->print_record && o->nr_probes)
		return "FILE:FUNCTION is recorded with -a, -p, -t or -- COMMAND; a recording has "
		       "its functions";
	if (!live && !o->print_record &&
	    (o->record_file || o->live.duration || o->live.rings || o->live.flush_ms || o->count ||
	     o->ret))
		return "--record, --for, -m, --flush-ms, --count and --ret are about recording "
		       "now: give -a, -p, -t or -- COMMAND";
	if (o->count && o->ret)
		return "--count records no returns: --ret is about them";
	if (nr > 1 || (nr && o->input))
		return "one recording: -i FILE, or FILE";
	if (o->json && (o->hist || o->tree || o->than || o->stacks))
		return "--json excludes --hist, --tree, -g and --than";
	if (o->stacks && (o->tree || o->count))
		return "-g has a tree of its own, of calls that return: --tree and --count exclude "
		       "it";
	if (o->interval_ms > 86400000)
		return "-I: at most 86400000 ms";
	if (nr)
		o->input = argv[1];
	return NULL;
}

bool func_options_is_go(const char *probe)
{
	char *path = xstrndup(probe, (size_t)(strrchr(probe, ':') - probe));
	struct object *o = NULL;
	struct perr e;
	bool is_go = false;

	if (strchr(path, '/') && !object_open(path, &o, &e))
		is_go = go_table_section(o);
	object_close(o);
	free(path);
	return is_go;
}

int func_options_record(const void *options, bool to_pipe, struct record_words *ret, struct perr *e)
{
	const struct func_options *o = options;
	struct record_needs needs = { 0 };
	bool any_go = false;
	char **events = xcalloc(2 * o->nr_probes + 1, sizeof(*events));
	size_t nr = 0;
	int err;

	needs.words = xcalloc(4 * o->nr_probes + 4, sizeof(*needs.words));
	for (size_t i = 0; i < o->nr_probes; i++) {
		bool is_go = !o->count && func_options_is_go(o->probes[i]);

		any_go |= is_go;
		events[nr++] = xasprintf("uprobe:%s", o->probes[i]);
		if (!o->count)
			events[nr++] = xasprintf("%s:%s", is_go || o->ret ? "uret" : "uretprobe",
						 o->probes[i]);
	}
	/* copies of the stack have whole stacks, and all registers, but where return probes have
	 * replaced return addresses: the kernel puts these back into the stacks that it takes */
	if (o->stacks && (o->ret || any_go)) {
		needs.words[needs.nr_words++] = "--call-graph";
		needs.words[needs.nr_words++] = "dwarf";
	} else if (!o->count) {
		needs.words[needs.nr_words++] = any_go ? "--user-regs=sp,r14" : "--user-regs=sp";
		needs.stacks = o->stacks;
	}
	if (o->max_probes) {
		needs.words[needs.nr_words++] = "--max-probes";
		needs.words[needs.nr_words++] = o->max_probes;
	}
	for (size_t i = 0; i < nr; i++) {
		needs.words[needs.nr_words++] = "-e";
		needs.words[needs.nr_words++] = events[i];
	}
	err = record_words_make(ret, &o->live, &needs, to_pipe, e);
	for (size_t i = 0; i < nr; i++)
		free(events[i]);
	free(events);
	free(needs.words);
	return err;
}

int func_options_parse(struct func_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = {
		.prog = "plat",
		.table = table,
		.values = o,
		.usage = "plat func FILE:FUNCTION... -p PID|-a|-- COMMAND\n"
			 "       plat func [<options>] [<file>|-]"
	};
	const char *wrong;
	int nr, ret;

	o->stack = STACK_OPTIONS_DEFAULT;
	o->symbols = (struct symbols_config){ .diag = diag, .prog = "plat", .talk = stderr };
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	wrong = find_fault(o, nr, argv);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return record_words_print(func_options_record, o);
	o->live.quiet_command = o->json;
	return record_target_input(&o->live, NULL, &o->input, NULL);
}

void func_options_fini(struct func_options *o)
{
	filter_fini(&o->filter);
}
