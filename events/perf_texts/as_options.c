/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/as_options.h"

#include "base/screen/message.h"
#include "events/text_list.h"

static const struct {
	const char *word, *record;
} texts[NR_AS_TEXTS] = {
	[AS_FTRACE_LATENCY] = { "ftrace-latency", NULL },
	[AS_LOCK_CONTENTION] = { "lock-contention", NULL },
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

#define AT(member) OPT_AT(struct as_options, member)

/* clang-format off */
static const struct opt table[] = {
	{ OPT_PARSE, 0, "as", AT(text),
	  "ftrace-latency|lock-contention|sched-latency|trace|trace-s",
	  "what to print; ftrace-latency and lock-contention have other options",
	  .parse = parse_text },
	COMMON_INPUT_OPTION(struct as_options),
	{ OPT_PARSE, 's', "sort", AT(latency), "key[,key...]",
	  "with sched-latency: order of the rows, highest first: avg, max, switch, runtime, pid "
	  "(avg,max,switch,runtime)", .parse = parse_sort },
	{ OPT_FLAG, 'p', "pids", AT(latency.by_thread), NULL,
	  "with sched-latency: one row for each thread, not for all threads of a name" },
	{ OPT_FLAG, 0, "errno-summary", AT(errno_summary), NULL,
	  "with trace-s: how often each system call failed with which error" },
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
	if (o->text == AS_FTRACE_LATENCY || o->text == AS_LOCK_CONTENTION)
		return "--as=ftrace-latency and --as=lock-contention have options of their own and "
		       "come first";
	if (nr_operands > 1 || (nr_operands && o->input))
		return "one recording: -i FILE, or FILE";
	if (o->text != AS_SCHED_LATENCY && (o->latency.nr_keys || o->latency.by_thread))
		return "--sort and --pids are options of --as=sched-latency";
	if (o->text != AS_TRACE_S && o->errno_summary)
		return "--errno-summary is an option of --as=trace-s";
	return NULL;
}

int as_options_parse(struct as_options *o, struct diag *diag, int argc, char **argv)
{
	struct opt_parser parser = {
		.prog = "plat",
		.usage = "plat --as=sched-latency|trace|trace-s [<options>] [<file>|-]",
		.table = table,
		.values = o
	};
	const char *wrong;
	int nr, ret;

	o->text = -1;
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
