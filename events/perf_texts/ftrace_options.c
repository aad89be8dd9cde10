/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/ftrace_options.h"

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/func/func_options.h"
#include "events/text_list.h"

/* "A,B", or one of them and then the other one */
static int parse_events(void *options, const char *arg, struct perr *e)
{
	struct ftrace_options *o = options;
	struct span rest = span_of(arg ? arg : "", arg ? strlen(arg) : 0), item;

	if (arg && text_list_has_blank(arg))
		return perr_set(e, PERR_USAGE, "an event's name is missing in '%s'", arg);
	while (text_list_next(&rest, ',', true, &item)) {
		if (o->nr_events == ARRAY_SIZE(o->events))
			return perr_set(e, PERR_USAGE, "expected two events, got more");
		o->events[o->nr_events++] = xstrndup((const char *)item.p, item.n);
	}
	return 0;
}

#define AT(member) OPT_AT(struct ftrace_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	{ OPT_STRING, 0, "as", AT(as), "ftrace-latency|lock-contention|sched-latency|trace|trace-s",
	  "print what perf ftrace latency prints; the others have other options" },
	COMMON_INPUT_OPTION(struct ftrace_options),

	HEADING("Live: prec records what is measured; a command to run follows --"),
	{ OPT_FLAG, 'a', "all-cpus", AT(live.all_cpus), NULL, "the whole system, until Ctrl-C" },
	{ OPT_STRING, 'p', "pid", AT(live.pids), "pid[,pid...]",
	  "these processes; of a recording: only their events" },
	{ OPT_STRING, 0, "tid", AT(live.tids), "tid[,tid...]",
	  "these threads; of a recording: only their events" },
	RECORD_LIVE_OPTIONS(struct ftrace_options),
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is measured" },

	HEADING("What"),
	{ OPT_STRING, 'T', "trace-funcs", AT(function), "function",
	  "calls of this function: FUNCTION or FILE:FUNCTION of a recording's probes, live "
	  "FILE:FUNCTION" },
	{ OPT_PARSE, 'e', "events", NULL, "event,event", /* offset 0: all options */
	  "from the first event of a thread to the second one", .parse = parse_events },
	{ OPT_PARSE, 'C', "cpu", AT(filter.cpus), "cpu", "only events of these CPUs (0-3,8)",
	  .parse = common_cpus },
	COMMON_IGNORED_FLAG(struct ftrace_options, 'b', "use-bpf"),
	COMMON_IGNORED_FLAG(struct ftrace_options, 'v', "verbose"),

	HEADING("Output"),
	{ OPT_FLAG, 'n', "use-nsec", AT(layout.nsec), NULL, "in ns instead of us" },
	{ OPT_U64, 0, "bucket-range", AT(layout.range), "n",
	  "rows of this width in us, or with -n in ns (powers of two)" },
	{ OPT_U64, 0, "min-latency", AT(layout.min), "n",
	  "with --bucket-range: where the first row ends (one width)" },
	{ OPT_U64, 0, "max-latency", AT(layout.max), "n",
	  "with --bucket-range: where the last row begins (20 widths behind the first)" },
	{ OPT_FLAG, 0, "hide-empty", AT(layout.hide_empty), NULL, "leave out rows of nothing" },

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct ftrace_options),
	COMMON_FORCE_OPTION(struct ftrace_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

/* What is wrong about the options together; NULL: nothing. */
static const char *find_fault(const struct ftrace_options *o, bool reads, int nr_operands)
{
	if (o->as && strcmp(o->as, "ftrace-latency") != 0)
		return "--as=ftrace-latency or another text";
	if (nr_operands > 1 || (nr_operands && o->input))
		return "one recording: -i FILE, or FILE; a command to record follows --";
	if (!o->function == !o->nr_events)
		return "what to measure: -T FUNCTION, or -e EVENT,EVENT";
	if (!o->function && o->nr_events != 2)
		return "-e: expected two events, from the first of which to the second one time is "
		       "measured";
	if (o->function && !strchr(o->function, ':') && (!reads || o->print_record))
		return "-T: which program or library? FILE:FUNCTION, such as libc.so.6:malloc";
	if (reads && (o->live.all_cpus || o->live.command))
		return "-a and a command record now: no recording is read";
	return record_target_fault(&o->live, o->record_file, reads, o->print_record);
}

/* Of a recording, -p and --tid choose among what is in it. */
static int choose_tasks(struct ftrace_options *o, struct perr *e)
{
	int err = o->live.pids ? filter_add_numbers(&o->filter.pids, o->live.pids, e) : 0;

	if (o->live.tids && !err)
		err = filter_add_numbers(&o->filter.tids, o->live.tids, e);
	o->live.pids = o->live.tids = NULL;
	return err;
}

int ftrace_options_record(const void *options, bool to_pipe, struct record_words *ret,
			  struct perr *e)
{
	const struct ftrace_options *o = options;
	const struct func_options calls = { .probes = (const char **)&o->function,
					    .nr_probes = 1,
					    .live = o->live };
	const struct record_needs needs = { .lists = { (const char **)o->events },
					    .nr_lists = { o->nr_events } };

	if (o->function)
		return func_options_record(&calls, to_pipe, ret, e);
	return record_words_make(ret, &o->live, &needs, to_pipe, e);
}

int ftrace_options_parse(struct ftrace_options *o, struct diag *diag, int argc, char **argv)
{
	const struct opt_parser parser = {
		.prog = "plat",
		.usage = "plat --as=ftrace-latency -T FUNCTION|-e EVENT,EVENT [<options>] "
			 "[<file>|-|-- COMMAND]",
		.table = table,
		.values = o
	};
	struct ftrace_latency probe;
	const char *wrong;
	bool reads;
	struct perr e;
	int nr, ret;

	o->symbols = (struct symbols_config){ .diag = diag, .prog = "plat", .talk = stderr };
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	reads = o->input || nr;
	if (reads && choose_tasks(o, &e))
		wrong = e.text;
	else
		wrong = find_fault(o, reads || !record_target_given(&o->live), nr);
	if (!wrong && ftrace_latency_init(&probe, &o->layout, &e))
		wrong = e.text;
	else if (!wrong)
		ftrace_latency_fini(&probe);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return record_words_print(ftrace_options_record, o);
	return record_target_input(&o->live, nr ? argv[1] : NULL, &o->input, NULL);
}

void ftrace_options_fini(struct ftrace_options *o)
{
	for (size_t i = 0; i < o->nr_events; i++)
		free(o->events[i]);
	filter_fini(&o->filter);
}
