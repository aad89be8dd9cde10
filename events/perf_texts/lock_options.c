/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/lock_options.h"

#include <stdio.h>
#include <string.h>

#include "base/screen/message.h"
#include "events/text_list.h"

static const char *const lock_columns[] = { [LOCK_CONTENDED] = "contended",
					    [LOCK_WAIT_TOTAL] = "wait_total",
					    [LOCK_WAIT_MAX] = "wait_max",
					    [LOCK_WAIT_MIN] = "wait_min",
					    [LOCK_WAIT_AVG] = "avg_wait" };

static int parse_lock_key(void *key, const char *arg, struct perr *e)
{
	return parse_choice(lock_columns, NR_LOCK_COLUMNS, arg ? arg : "wait_total", key, e);
}

/* "contended,wait_max" */
static int parse_lock_columns(void *layout, const char *arg, struct perr *e)
{
	struct lock_layout *how = layout;
	struct span rest = span_of(arg ? arg : "", arg ? strlen(arg) : 0), item;

	how->nr_columns = 0;
	while (text_list_next(&rest, ',', false, &item)) {
		char word[16];
		int column, err;

		snprintf(word, sizeof(word), "%.*s", (int)(item.n < 15 ? item.n : 15),
			 (const char *)item.p);
		err = parse_choice(lock_columns, NR_LOCK_COLUMNS, word, &column, e);
		if (err)
			return err;
		if (how->nr_columns == NR_LOCK_COLUMNS)
			return perr_set(e, PERR_USAGE, "at most %d columns", NR_LOCK_COLUMNS);
		how->columns[how->nr_columns++] = (enum lock_column)column;
	}
	return 0;
}

/* Why options of perf are refused. */
#define NO_OWNERS \
	"the events do not name the owner of a lock; perf reads that from the kernel's memory"
#define NO_CGROUPS "the events do not say the cgroup of a thread; perf asks the kernel by BPF"
#define NO_DELAYS "nothing is changed in the kernel"

#define AT(member) OPT_AT(struct lock_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	{ OPT_STRING, 0, "as", AT(as), "ftrace-latency|lock-contention|sched-latency|trace|trace-s",
	  "plat --as=lock-contention is plat lock-contention; the others have other options" },
	COMMON_INPUT_OPTION(struct lock_options),

	HEADING("Live: prec records what is counted; a command to run follows --"),
	{ OPT_FLAG, 'a', "all-cpus", AT(live.all_cpus), NULL, "the whole system, until Ctrl-C" },
	{ OPT_STRING, 'p', "pid", AT(live.pids), "pid[,pid...]", "these processes" },
	{ OPT_STRING, 0, "tid", AT(live.tids), "tid[,tid...]", "these threads" },
	RECORD_LIVE_OPTIONS(struct lock_options),
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },

	HEADING("What"),
	{ OPT_FLAG, 't', "threads", AT(threads), NULL,
	  "a row for each thread" },
	{ OPT_FLAG, 'l', "lock-addr", AT(lock_addr), NULL,
	  "a row for each lock" },
	{ OPT_PARSE, 'k', "key", AT(layout.key), "column",
	  "order of the rows, highest first: contended, wait_total, "
	  "wait_max, wait_min, avg_wait (wait_total)", .parse = parse_lock_key },
	{ OPT_PARSE, 'F', "field", AT(layout), "column[,column...]",
	  "the columns (contended,wait_total,wait_max,avg_wait)",
	  .parse = parse_lock_columns },
	{ OPT_U64, 'E', "entries", AT(layout.nr_rows), "n",
	  "at most n rows" },
	{ OPT_STRING, 'x', "field-separator", AT(layout.separator), "separator",
	  "values for programs, with this between them" },
	{ OPT_PARSE, 'Y', "type-filter", AT(filter), "kind[,kind...]",
	  "only these kinds of locks: spinlock, rwsem:R, mutex, ...",
	  .parse = lock_filter_kinds },
	{ OPT_PARSE, 'L', "lock-filter", AT(filter), "lock[,lock...]",
	  "only these locks, by address or symbol",
	  .parse = lock_filter_locks },
	{ OPT_PARSE, 'S', "callstack-filter", AT(filter), "name[,name...]",
	  "only waits with a function of the kernel that has this in its "
	  "name", .parse = lock_filter_stack },
	{ OPT_U64, 0, "max-stack", AT(max_stack), "n",
	  "look at n frames of a stack (8)" },
	{ OPT_U64, 0, "stack-skip", AT(stack_skip), "n",
	  "the caller is not among the first n (4)" },
	{ OPT_FLAG, 'v', "verbose", AT(layout.stacks), NULL,
	  "below each caller its stack" },
	{ OPT_FLAG, 'q', "quiet", AT(layout.quiet), NULL, "rows alone" },
	COMMON_IGNORED_FLAG(struct lock_options, 'b', "use-bpf"),
	COMMON_REFUSED_OPTION('o', "lock-owner", NO_OWNERS),
	COMMON_REFUSED_OPTION(0, "lock-cgroup", NO_CGROUPS),
	COMMON_REFUSED_OPTION('G', "cgroup-filter", NO_CGROUPS),
	COMMON_REFUSED_OPTION('J', "inject-delay", NO_DELAYS),
	COMMON_IGNORED_VALUE(struct lock_options, 'M', "map-nr-entries", "n"),

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct lock_options),
	COMMON_FORCE_OPTION(struct lock_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

int lock_options_record(const void *options, bool to_pipe, struct record_words *ret, struct perr *e)
{
	const struct lock_options *o = options;
	static const char *events = "lock:contention_begin,lock:contention_end";
	const struct record_needs needs = { .lists = { &events },
					    .nr_lists = { 1 },
					    .stacks = true };

	return record_words_make(ret, &o->live, &needs, to_pipe, e);
}

/* What is wrong about the options together; NULL: nothing. */
static const char *find_fault(const struct lock_options *o, int nr_operands)
{
	if (o->as && strcmp(o->as, "lock-contention") != 0)
		return "--as=lock-contention or another text";
	if (nr_operands > 1 || (nr_operands && o->input))
		return "one recording: -i FILE, or FILE; a command to record follows --";
	if (o->max_stack > 127 || o->stack_skip > UINT32_MAX)
		return "--max-stack: at most 127";
	if (o->layout.separator && strpbrk(o->layout.separator, ".:+"))
		return "-x: . : and + are part of names";
	if (o->threads && o->lock_addr)
		return "-t or -l";
	return record_target_fault(&o->live, o->record_file, o->input || nr_operands,
				   o->print_record);
}

int lock_options_parse(struct lock_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = {
		.prog = "plat",
		.usage = "plat lock-contention [<options>] [<file>|-|-- <command>]",
		.table = table,
		.values = o
	};
	const char *wrong;
	int nr, ret;

	o->layout.key = LOCK_WAIT_TOTAL;
	o->max_stack = LOCK_MAX_STACK;
	o->stack_skip = LOCK_STACK_SKIP;
	o->symbols = (struct symbols_config){ .diag = diag, .prog = "plat", .talk = stderr };
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	wrong = find_fault(o, nr);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return record_words_print(lock_options_record, o);
	return record_target_input(&o->live, nr ? argv[1] : NULL, &o->input, NULL);
}

void lock_options_fini(struct lock_options *o)
{
	lock_filter_fini(&o->filter);
}
