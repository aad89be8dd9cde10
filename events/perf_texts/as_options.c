/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/as_options.h"

#include "base/screen/message.h"
#include "events/text_list.h"

static const struct {
	const char *word, *record;
} texts[NR_AS_TEXTS] = {
	[AS_FTRACE_LATENCY] = { "ftrace-latency", NULL },
	[AS_LOCK_CONTENTION] = { "lock-contention",
				 "prec -a -g -e lock:contention_begin,lock:contention_end\n" },
	[AS_SCHED_LATENCY] = { "sched-latency",
			       "prec -a -e sched:sched_switch,sched:sched_stat_runtime,"
			       "sched:sched_wakeup_new,sched:sched_waking\n" },
	[AS_TRACE] = { "trace", "prec -a -e raw_syscalls:sys_enter,raw_syscalls:sys_exit\n" },
	[AS_TRACE_S] = { "trace-s", "prec -a -e raw_syscalls:sys_enter,raw_syscalls:sys_exit\n" },
};

static int parse_text(void *text, const char *arg, struct perr *e)
{
	const char *words[NR_AS_TEXTS];

	for (size_t i = 0; i < NR_AS_TEXTS; i++)
		words[i] = texts[i].word;
	return parse_choice(words, NR_AS_TEXTS, arg, text, e);
}

/* "runtime,max" */
static int parse_sort(void *latency, const char *arg, struct perr *e)
{
	static const char *const words[] = { [LATENCY_BY_AVG] = "avg",
					     [LATENCY_BY_MAX] = "max",
					     [LATENCY_BY_SWITCH] = "switch",
					     [LATENCY_BY_RUNTIME] = "runtime",
					     [LATENCY_BY_PID] = "pid" };
	struct latency_layout *how = latency;
	struct span rest = span_of(arg ? arg : "", arg ? strlen(arg) : 0), item;

	how->nr_keys = 0;
	while (text_list_next(&rest, ',', false, &item)) {
		size_t k = 0;

		while (k < NR_LATENCY_KEYS &&
		       (item.n != strlen(words[k]) || memcmp(item.p, words[k], item.n) != 0))
			k++;
		if (k == NR_LATENCY_KEYS)
			return perr_set(e, PERR_USAGE,
					"'%.*s' is no key; there are avg, max, switch, runtime "
					"and pid",
					(int)(item.n < 40 ? item.n : 40), (const char *)item.p);
		if (how->nr_keys == NR_LATENCY_KEYS)
			return perr_set(e, PERR_USAGE, "at most %d keys", NR_LATENCY_KEYS);
		how->keys[how->nr_keys++] = (enum latency_key)k;
	}
	return 0;
}

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
#define NO_BPF \
	"recordings are read: record with prec -a -g -e lock:contention_begin,lock:contention_end"
#define NO_OWNERS \
	"the events do not name the owner of a lock; perf reads that from the kernel's memory"
#define NO_CGROUPS "the events do not say the cgroup of a thread; perf asks the kernel by BPF"
#define NO_DELAYS "nothing is changed in the kernel"

#define AT(member) OPT_AT(struct as_options, member)

/* clang-format off */
static const struct opt table[] = {
	{ OPT_PARSE, 0, "as", AT(text),
	  "ftrace-latency|lock-contention|sched-latency|trace|trace-s",
	  "what to print; ftrace-latency has other options",
	  .parse = parse_text },
	COMMON_INPUT_OPTION(struct as_options),
	{ OPT_PARSE, 's', "sort", AT(latency), "key[,key...]",
	  "with sched-latency: order of the rows, highest first: avg, max, switch, runtime, pid "
	  "(avg,max,switch,runtime)", .parse = parse_sort },
	{ OPT_FLAG, 'p', "pids", AT(latency.by_thread), NULL,
	  "with sched-latency: one row for each thread, not for all threads of a name" },
	{ OPT_FLAG, 0, "errno-summary", AT(errno_summary), NULL,
	  "with trace-s: how often each system call failed with which error" },
	{ OPT_FLAG, 't', "threads", AT(threads), NULL,
	  "with lock-contention: a row for each thread" },
	{ OPT_FLAG, 'l', "lock-addr", AT(lock_addr), NULL,
	  "with lock-contention: a row for each lock" },
	{ OPT_PARSE, 'k', "key", AT(lock.key), "column",
	  "with lock-contention: order of the rows, highest first: contended, wait_total, "
	  "wait_max, wait_min, avg_wait (wait_total)", .parse = parse_lock_key },
	{ OPT_PARSE, 'F', "field", AT(lock), "column[,column...]",
	  "with lock-contention: the columns (contended,wait_total,wait_max,avg_wait)",
	  .parse = parse_lock_columns },
	{ OPT_U64, 'E', "entries", AT(lock.nr_rows), "n",
	  "with lock-contention: at most n rows" },
	{ OPT_STRING, 'x', "field-separator", AT(lock.separator), "separator",
	  "with lock-contention: values for programs, with this between them" },
	{ OPT_PARSE, 'Y', "type-filter", AT(lock_filter), "kind[,kind...]",
	  "with lock-contention: only these kinds of locks: spinlock, rwsem:R, mutex, ...",
	  .parse = lock_filter_kinds },
	{ OPT_PARSE, 'L', "lock-filter", AT(lock_filter), "lock[,lock...]",
	  "with lock-contention: only these locks, by address or symbol",
	  .parse = lock_filter_locks },
	{ OPT_PARSE, 'S', "callstack-filter", AT(lock_filter), "name[,name...]",
	  "with lock-contention: only waits with a function of the kernel that has this in its "
	  "name", .parse = lock_filter_stack },
	{ OPT_U64, 0, "max-stack", AT(max_stack), "n",
	  "with lock-contention: look at n frames of a stack (8)" },
	{ OPT_U64, 0, "stack-skip", AT(stack_skip), "n",
	  "with lock-contention: the caller is not among the first n (4)" },
	{ OPT_FLAG, 'v', "verbose", AT(lock.stacks), NULL,
	  "with lock-contention: below each caller its stack" },
	{ OPT_FLAG, 'q', "quiet", AT(lock.quiet), NULL, "with lock-contention: rows alone" },
	COMMON_REFUSED_OPTION('b', "use-bpf", NO_BPF),
	COMMON_REFUSED_OPTION('o', "lock-owner", NO_OWNERS),
	COMMON_REFUSED_OPTION(0, "lock-cgroup", NO_CGROUPS),
	COMMON_REFUSED_OPTION('G', "cgroup-filter", NO_CGROUPS),
	COMMON_REFUSED_OPTION('J', "inject-delay", NO_DELAYS),
	COMMON_IGNORED_VALUE(struct as_options, 'M', "map-nr-entries", "n"),
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },
	COMMON_PAGER_OPTION(struct as_options),
	COMMON_FORCE_OPTION(struct as_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT

static int print_record(enum as_text text)
{
	struct out o;

	out_init(&o, stdout);
	out_text(&o, texts[text].record, true);
	if (!out_fini(&o))
		return 0;
	message(stderr, "plat: cannot write\n");
	return 1;
}

/* What is wrong about the options together; NULL: nothing. */
static const char *usage_fault(const struct as_options *o, int nr_operands)
{
	if (o->text < 0)
		return "what to print: --as=ftrace-latency, --as=lock-contention, "
		       "--as=sched-latency, --as=trace or --as=trace-s";
	if (o->text == AS_FTRACE_LATENCY)
		return "--as=ftrace-latency has options of its own and comes first";
	if (nr_operands > 1 || (nr_operands && o->input))
		return "one recording: -i FILE, or FILE";
	if (o->text != AS_SCHED_LATENCY && (o->latency.nr_keys || o->latency.by_thread))
		return "--sort and --pids are options of --as=sched-latency";
	if (o->text != AS_LOCK_CONTENTION &&
	    (o->threads || o->lock_addr || o->lock.nr_rows || o->lock.separator ||
	     o->lock.nr_columns || o->lock.key != LOCK_WAIT_TOTAL))
		return "-t, -l, -k, -F, -E and -x are options of --as=lock-contention";
	if (o->text != AS_LOCK_CONTENTION &&
	    (o->lock_filter.kinds || o->lock_filter.locks.nr || o->lock_filter.lock_names.nr ||
	     o->lock_filter.stack.nr || o->max_stack != LOCK_MAX_STACK ||
	     o->stack_skip != LOCK_STACK_SKIP || o->lock.stacks || o->lock.quiet))
		return "-Y, -L, -S, -v, -q, --max-stack and --stack-skip are options of "
		       "--as=lock-contention";
	if (o->max_stack > 127 || o->stack_skip > UINT32_MAX)
		return "--max-stack: at most 127";
	if (o->lock.separator && strpbrk(o->lock.separator, ".:+"))
		return "-x: . : and + are part of names";
	if (o->threads && o->lock_addr)
		return "-t or -l";
	if (o->text != AS_TRACE_S && o->errno_summary)
		return "--errno-summary is an option of --as=trace-s";
	return NULL;
}

int as_options_parse(struct as_options *o, struct diag *diag, int argc, char **argv)
{
	struct opt_parser parser = {
		.prog = "plat",
		.usage = "plat --as=lock-contention|sched-latency|trace|trace-s [<options>] "
			 "[<file>|-]",
		.table = table,
		.values = o
	};
	const char *wrong;
	int nr, ret;

	o->text = -1;
	o->lock.key = LOCK_WAIT_TOTAL;
	o->max_stack = LOCK_MAX_STACK;
	o->stack_skip = LOCK_STACK_SKIP;
	o->symbols.diag = diag;
	o->symbols.prog = "plat";
	o->symbols.talk = stderr;
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	wrong = usage_fault(o, nr);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return print_record((enum as_text)o->text);
	o->input = nr ? argv[1] : o->input ? o->input : common_input();
	return -1;
}

void as_options_fini(struct as_options *o)
{
	lock_filter_fini(&o->lock_filter);
}
