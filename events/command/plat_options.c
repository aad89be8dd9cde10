/* SPDX-License-Identifier: MIT */
#include "events/command/plat_options.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/recipes/own_recipes.h"
#include "events/recipes/recipe_files.h"
#include "events/text_list.h"
#include "events/time_option.h"

static int parse_texts(void *values, const char *arg, struct perr *e)
{
	struct text_values *t = values;

	if (arg && text_list_has_blank(arg))
		return perr_set(e, PERR_USAGE, "an event's name is missing in '%s'", arg);
	if (arg)
		vec_push(t->v, t->nr, t->cap, arg);
	else
		t->nr = 0;
	return 0;
}

/* "50,95,99.9" */
static int parse_quantiles(void *options, const char *arg, struct perr *e)
{
	struct table_options *t = options;
	struct span rest, item;

	arg = arg ? arg : "50,95,99";
	rest = span_of(arg, strlen(arg));
	for (t->nr_quantiles = 0; text_list_next(&rest, ',', false, &item); t->nr_quantiles++) {
		char text[16], *end = text;
		double v;

		snprintf(text, sizeof(text), "%.*s", (int)(item.n < 15 ? item.n : 15),
			 (const char *)item.p);
		v = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : 0;
		if (*end || !(v > 0 && v < 100) || t->nr_quantiles == MAX_QUANTILES)
			return perr_set(
				e, PERR_USAGE,
				"expected up to %d percentages such as 50,95,99.9, got '%s'",
				MAX_QUANTILES, arg);
		t->quantiles[t->nr_quantiles] = (u32)(v * 10000 + 0.5);
	}
	return 0;
}

static int parse_separator(void *separator, const char *arg, struct perr *e)
{
	*(char *)separator = arg ? arg[0] : 0;
	if (!arg || (arg[0] && !arg[1] && arg[0] != '"' && arg[0] != '\n'))
		return 0;
	return perr_set(e, PERR_USAGE, "expected one character such as , or ; got '%s'", arg);
}

/* --worst: the longest pairs, with stacks */
static int parse_worst(void *options, const char *arg, struct perr *e)
{
	struct plat_options *o = options;

	o->nr_longest = UINT64_MAX;
	o->table.stacks = arg != NULL;
	if (arg && parse_u64(arg, 10, 1, 10000, &o->nr_longest))
		return perr_set(e, PERR_USAGE, "expected a number from 1 to 10000, got '%s'", arg);
	return 0;
}

/* --heatmap, --heatmap=FILE */
static int on_heat_map(void *options, const char *arg, bool unset)
{
	struct plat_options *o = options;

	o->heat_map = !unset && !arg;
	o->heat_file = unset ? NULL : arg;
	return 0;
}

static int parse_sort(void *sort, const char *arg, struct perr *e)
{
	static const char *const words[] = { "total", "n", "avg", "max", "quantile" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum table_sort *)sort = (enum table_sort)choice;
	return err;
}

static int parse_unit(void *unit, const char *arg, struct perr *e)
{
	static const char *const words[] = { "auto", "ns", "us", "ms", "s" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum table_unit *)unit = (enum table_unit)choice;
	return err;
}

#define AT(member) OPT_AT(struct plat_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct plat_options),

	HEADING("Live: prec records what is needed; a command to run follows --"),
	RECORD_PROCESS_OPTIONS(struct plat_options),
	RECORD_THREAD_OPTION(struct plat_options),
	RECORD_LIVE_OPTIONS(struct plat_options),
	{ OPT_U64, 'I', "interval", AT(interval_ms), "ms",
	  "a table each time that so many ms of the recording have passed; live also -i" },

	HEADING("What"),
	{ OPT_STRING, 0, "as", AT(as), "ftrace-latency|lock-contention|sched-latency|trace|trace-s",
	  "print what a command of perf prints; plat --as=trace-s -h" },
	{ OPT_FLAG, 0, "list-recipes", AT(list_recipes), NULL,
	  "print the names that stand for -b, -e and --by, and what they are for" },
	{ OPT_STRING, 0, "print-recipe", AT(print_recipe), "recipe",
	  "print what a recipe is, as --recipe reads it" },
	{ OPT_STRING, 0, "recipe", AT(recipe_file), "file",
	  "also the recipes of this file; those of ~/.config/plat/*.plat are always there" },
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what the recipe or the events need" },
	{ OPT_PARSE, 'b', "begin", AT(begins), "event[,event...]",
	  "what begins: sched:sched_waking, 'sched:*', with a condition between slashes: "
	  "'sched:sched_switch/prev_state == 0/'", .parse = parse_texts },
	{ OPT_PARSE, 'e', "end", AT(ends), "event[,event...]",
	  "what ends it; given again, what comes next; without -b: the events to count",
	  .parse = parse_texts },
	{ OPT_STRING, 0, "key", AT(key), "expr[,expr...][=expr...]",
	  "what a begin and its end have in common: pid=next_pid, dev,sector (default: the "
	  "thread for system calls and probes, the CPU for irq events)" },
	{ OPT_STRING, 0, "by", AT(by), "expr[,expr...]",
	  "one row for each value: comm, id, sym(function), end:next_comm; NAME=expr names it" },
	{ OPT_STRING, 0, "value", AT(value), "expr",
	  "without -b: measure this, such as bytes_req" },
	{ OPT_FLAG, 0, "nest", AT(nest), NULL,
	  "begins of one key lie on each other; else a second one replaces the first" },
	{ OPT_FLAG, 0, "cycle", AT(cycle), NULL,
	  "the first event follows the last one: from each begin to the next, too" },
	{ OPT_FLAG, 0, "keep-broken", AT(keep_broken), NULL,
	  "count pairs although records between begin and end were lost" },

	HEADING("Output"),
	{ OPT_FLAG, 0, "trace", AT(trace), NULL,
	  "plat syscalls --trace is plat trace: each system call as a line; plat trace -h" },
	{ OPT_FLAG, 0, "json", AT(table.json), NULL,
	  "print one JSON object instead of the table, times in ns" },
	{ OPT_PARSE, 0, "csv", AT(table.separator), "separator",
	  "print lines of values instead of the table, times in ns", .parse = parse_separator },
	{ OPT_FLAG, 0, "hist", AT(table.hist), NULL, "print histograms" },
	{ OPT_PARSE, 0, "than", AT(than), "time",
	  "print each pair that takes longer, as it ends: 10ms", .parse = time_option },
	{ OPT_PARSE, 0, "around", AT(around), "time",
	  "with --than: the CPUs' events from so long before to after", .parse = time_option },
	{ OPT_PARSE, 0, "open", AT(open_than), "time",
	  "print each begin that has no end after this time, while it waits",
	  .parse = time_option },
	{ OPT_FLAG, 0, "lines", AT(lines), NULL,
	  "without -b: print each event as it comes, with its fields; with -g its stack" },
	{ OPT_U64, 0, "longest", AT(nr_longest), "n", "print the n longest pairs at the end" },
	{ OPT_PARSE, 0, "worst", NULL, "n", /* offset 0: all options */
	  "print the n longest pairs at the end, with the stacks of both ends",
	  .parse = parse_worst },
	{ OPT_CALL_OPT, 0, "heatmap", NULL, "file", /* offset 0: all options */
	  "print when pairs ended and how long they took, as a map; with =FILE as lines of "
	  "seconds, us, number in this file", on_heat_map },
	{ OPT_STRING, 0, "svg", AT(svg), "file", "write that map as a picture" },
	{ OPT_STRING, 0, "folded", AT(folded), "file",
	  "write the stacks of begins with the ns of their pairs, as flame graphs read them" },
	{ OPT_STRING, 0, "html", AT(html), "file",
	  "write the same as a page for browsers: a flame graph with searches and tables" },
	{ OPT_FLAG, 'g', "stacks", AT(table.stacks), NULL,
	  "with --than and --longest (default then: 10): the call stacks of both ends" },
	{ OPT_PARSE, 0, "quantiles", AT(table), "percent[,percent...]",
	  "columns of quantiles (50,95,99)", .parse = parse_quantiles },
	{ OPT_PARSE, 0, "sort", AT(table.sort), "total|n|avg|max|quantile",
	  "order of the rows; quantile: the last of --quantiles", .parse = parse_sort },
	{ OPT_U64, 0, "top", AT(table.top), "n", "only the first n rows" },
	{ OPT_PARSE, 0, "unit", AT(table.unit), "auto|ns|us|ms|s", "of times",
	  .parse = parse_unit },

	HEADING("Limits"),
	{ OPT_U64, 0, "max-keys", AT(limits.max_keys), "n",
	  "so many begins wait at once (1000000); then the oldest is dropped, and counted" },
	{ OPT_PARSE, 0, "max-mem", AT(limits.max_mem), "size",
	  "memory for begins and rows (256M); then the oldest begin is dropped, and new rows are "
	  "put together", .parse = limits_size },

	HEADING("Which samples"),
	COMMON_FILTER_OPTIONS(struct plat_options, 'd'),

	HEADING("Symbols"),
	COMMON_MAX_STACK_OPTION(struct plat_options, stacks),
	COMMON_SYMBOL_OPTIONS(struct plat_options, "readable symbol names (default)"),

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct plat_options),
	COMMON_FORCE_OPTION(struct plat_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

static void set_defaults(struct plat_options *o, struct diag *diag)
{
	struct perr e;

	(void)parse_quantiles(&o->table, NULL, &e);
	o->demangle = true;
	o->nr_longest = UINT64_MAX;
	o->limits = LIMITS_DEFAULT;
	o->stacks = STACK_OPTIONS_DEFAULT;
	o->symbols.diag = diag;
	o->symbols.prog = "plat";
	o->symbols.talk = stderr;
}

/* What is wrong with the combination; NULL: nothing. */
static const char *find_fault(const struct plat_options *o)
{
	if (o->recipe && (o->value != o->recipe->value || o->key))
		return "a recipe has its own keys and values";
	if (record_target_given(&o->live) && o->input)
		return "-a, -p, -t and a command record now: no recording is read with -i";
	if (!record_target_given(&o->live) && !o->print_record &&
	    (o->record_file || o->live.duration || o->live.rings || o->live.flush_ms))
		return "--record, --for, -m and --flush-ms are about recording now: give -a, -p, "
		       "-t or -- COMMAND";
	if (o->interval_ms > 86400000)
		return "-I: at most 86400000 ms";
	if (o->trace)
		return "--trace belongs to the recipe syscalls, as the first word: "
		       "plat syscalls --trace";
	if (o->why)
		return NULL;
	if (!o->ends.nr)
		return o->begins.nr ? "-b: give the event that ends it with -e"
				    : "give a recipe (plat --list-recipes) or events: "
				      "-b BEGIN -e END, or only -e to count";
	if (!o->begins.nr && (o->heat_map || o->heat_file || o->svg || plat_options_folds(o)))
		return "--heatmap, --svg, --folded and --html are about pairs: give -b, too";
	if (!o->begins.nr && (o->key || o->nest || o->cycle || o->than || o->keep_broken))
		return "--key, --nest, --cycle, --than and --keep-broken are about pairs: give "
		       "-b, too";
	if (!o->begins.nr && o->open_than)
		return "--open is about begins that wait: give -b, too";
	if (o->begins.nr && o->lines)
		return "--lines is for events without -b; --than prints pairs";
	if (o->around && !o->than)
		return "--around is for --than";
	if (o->begins.nr && o->value)
		return "--value is for events without -b: between a begin and an end, the time is "
		       "measured";
	if ((o->table.json || o->table.separator) &&
	    (o->than || o->open_than || o->lines || o->table.hist || o->table.stacks ||
	     o->heat_map || o->nr_longest != UINT64_MAX))
		return "--json and --csv print rows: without --than, --hist, --longest and -g";
	if (o->table.json && o->table.separator)
		return "--json or --csv";
	if (o->nr_longest != UINT64_MAX && o->nr_longest > 10000)
		return "--longest: at most 10000";
	return limits_fault(&o->limits);
}

/* Fills o->recipes. The last ones of a name count: --recipe's, the user's, the system's, plat's. */
static int find_recipes(struct plat_options *o, struct diag *diag)
{
	struct perr e;

	recipes_init(&o->recipes);
	recipe_files_search(&o->recipes, diag);
	if (!o->recipe_file || !recipe_files_add(&o->recipes, o->recipe_file, &e))
		return 0;
	message(stderr, "plat: --recipe: %s\n", e.text);
	return 1;
}

/* A recipe stands for -b, -e, --by and --nest; --by on the command line replaces its own. */
static void take_recipe(struct plat_options *o, int *nr, char **argv)
{
	const struct recipe *r = *nr ? recipes_find(&o->recipes, argv[1]) : NULL;
	struct perr e;

	if (!r || o->begins.nr || o->ends.nr)
		return;
	o->recipe = r;
	if (r->begin)
		(void)parse_texts(&o->begins, r->begin, &e);
	for (size_t i = 0; i < r->nr_ends; i++)
		(void)parse_texts(&o->ends, r->ends[i], &e);
	o->by = o->by ? o->by : r->by;
	o->value = r->value;
	o->nest |= r->nest;
	o->cycle |= r->cycle;
	for (int i = 1; i < *nr; i++)
		argv[i] = argv[i + 1];
	--*nr;
}

/* plat usdt: one probe is counted; several are a begin and what follows. */
static void take_usdt(struct plat_options *o, int *nr, char **argv)
{
	struct perr e;

	if (!usdt_words_take(&o->usdt, nr, argv) || o->begins.nr || o->ends.nr)
		return;
	for (size_t i = 0; i < o->usdt.nr; i++)
		(void)parse_texts(o->usdt.nr > 1 && !i ? &o->begins : &o->ends, o->usdt.names[i],
				  &e);
	if (o->usdt.nr == 1 && !o->by && !o->value)
		o->by = "$event";
}

static int finish_text(struct out *o)
{
	if (!out_fini(o))
		return 0;
	message(stderr, "plat: cannot write\n");
	return 1;
}

/* --list-recipes, --print-recipe */
static int put_recipes(const struct plat_options *opt, struct diag *diag)
{
	const char *name = opt->print_recipe;
	const struct recipe *r = name ? recipes_find(&opt->recipes, name) : NULL;
	struct out o;

	if (name && (!r || !r->nr_ends)) {
		message(stderr, "plat: --print-recipe: '%s' is no recipe of events\n", name);
		return OPT_STATUS_USAGE;
	}
	diag_print(diag, "plat", stderr);
	out_init(&o, stdout);
	if (r)
		out_text(&o, r->text, true);
	else
		recipes_list(&opt->recipes, &o);
	if (r)
		out_char(&o, '\n');
	return finish_text(&o);
}

bool plat_options_folds(const struct plat_options *o)
{
	return o->folded || o->html;
}

bool plat_options_stacks(const struct plat_options *o)
{
	return o->table.stacks || plat_options_folds(o);
}

int plat_options_record(const void *options, bool to_pipe, struct record_words *ret, struct perr *e)
{
	const struct plat_options *o = options;
	const struct record_needs needs = { .recipe = o->recipe ? o->recipe->record : NULL,
					    .lists = { o->begins.v, o->ends.v },
					    .nr_lists = { o->usdt.nr ? 0 : o->begins.nr,
							  o->usdt.nr ? 0 : o->ends.nr },
					    .words = (const char **)o->usdt.words,
					    .nr_words = o->usdt.nr_words,
					    .whole_system = o->recipe && o->recipe->whole_system,
					    .stacks = plat_options_stacks(o) };

	return record_words_make(ret, &o->live, &needs, to_pipe, e);
}

int plat_options_parse(struct plat_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = {
		.prog = "plat",
		.usage = "plat [<recipe>|-b EVENT -e EVENT] [<options>] [<file>|-]",
		.table = table,
		.values = o
	};
	const char *fault;
	int nr, ret;

	set_defaults(o, diag);
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	ret = find_recipes(o, diag);
	if (ret)
		return ret;
	if (o->list_recipes || o->print_recipe)
		return put_recipes(o, diag);
	take_usdt(o, &nr, argv);
	take_recipe(o, &nr, argv);
	record_target_interval(&o->live, &o->input, &o->interval_ms);
	o->live.quiet_command = o->table.json || o->table.separator;
	if (nr && record_target_given(&o->live)) {
		message(stderr,
			"plat: '%s' is no recipe (plat --list-recipes); the command to record "
			"follows --\n",
			argv[1]);
		return OPT_STATUS_USAGE;
	}
	if (o->usdt.asked && !o->usdt.nr)
		fault = "which static probes? FILE:PROVIDER:NAME, as in ./app:app:begin";
	else
		fault = nr > 1 || (nr && o->input) ? "one recording: -i FILE, or FILE"
						   : find_fault(o);
	if (fault) {
		message(stderr, "plat: %s\n", fault);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return record_words_print(plat_options_record, o);
	ret = record_target_input(&o->live, nr ? argv[1] : NULL, &o->input, &o->symbols);
	if (ret >= 0)
		return ret;
	o->symbols.no_demangle = !o->demangle;
	if (o->nr_longest == UINT64_MAX)
		o->nr_longest = o->table.stacks ? 10 : 0;
	if (!o->begins.nr)
		o->nr_longest = 0;
	return -1;
}

void plat_options_fini(struct plat_options *o)
{
	free(o->begins.v);
	free(o->ends.v);
	filter_fini(&o->filter);
	recipes_fini(&o->recipes);
	usdt_words_fini(&o->usdt);
}
