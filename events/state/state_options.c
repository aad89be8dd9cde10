/* SPDX-License-Identifier: MIT */
#include "events/state/state_options.h"

#include "base/screen/message.h"
#include "events/recipes/own_recipes.h"
#include "events/recipes/recipes.h"
#include "events/text_list.h"
#include "events/time_option.h"

#define ASLEEP                                                                         \
	(1u << TASK_SLEEP | 1u << TASK_DISK | 1u << TASK_STOPPED | 1u << TASK_TRACED | \
	 1u << TASK_DEAD | 1u << TASK_ZOMBIE | 1u << TASK_PARKED | 1u << TASK_IDLE |   \
	 1u << TASK_WAITING)
#define RUNNABLE (1u << TASK_PREEMPTED | 1u << TASK_WOKEN)

/* "S,D,preempted" */
static int parse_states(void *wanted, const char *arg, struct perr *e)
{
	struct span rest = span_of(arg ? arg : "", arg ? strlen(arg) : 0), item;
	u32 states = 0;

	while (text_list_next(&rest, ',', false, &item)) {
		enum task_state s = task_state_find(item);

		if (s == NR_TASK_STATES)
			return perr_set(e, PERR_USAGE,
					"'%.*s' is no state; there are running, preempted, run "
					"queue, S, D, T, t, X, Z, P, I, asleep and unknown",
					(int)(item.n < 40 ? item.n : 40), (const char *)item.p);
		states |= 1u << s;
	}
	*(u32 *)wanted = states;
	return 0;
}

static int parse_by(void *by_thread, const char *arg, struct perr *e)
{
	static const char *const words[] = { "comm", "tid" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(bool *)by_thread = choice == 1;
	return err;
}

#define AT(member) OPT_AT(struct state_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct state_options),

	HEADING("Live: prec records what is needed; a command to run follows --"),
	RECORD_PROCESS_OPTIONS(struct state_options),
	RECORD_THREAD_OPTION(struct state_options),
	RECORD_LIVE_OPTIONS(struct state_options),
	{ OPT_U64, 'I', "interval", AT(interval_ms), "ms",
	  "a table each time that so many ms of the recording have passed; live also -i" },

	HEADING("What"),
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },
	{ OPT_FLAG, 'S', "sleeping", AT(s), NULL, "measure sleeps that a signal ends (S)" },
	{ OPT_FLAG, 'D', "disk", AT(d), NULL, "measure sleeps that no signal ends (D)" },
	{ OPT_PARSE, 0, "states", AT(wanted), "state[,state...]",
	  "measure these: running, preempted, run queue, S, D, T, t, X, Z, P, I, asleep, unknown",
	  .parse = parse_states },
	{ OPT_PARSE, 0, "by", AT(by_thread), "comm|tid",
	  "one row for each name of threads, or for each thread", .parse = parse_by },
	{ OPT_PARSE, 'c', "comms", AT(filter.comms), "comm[,comm...]", "only these names",
	  .parse = common_names },
	{ OPT_PARSE, 0, "pid", AT(filter.pids), "pid[,pid...]", "only threads of these processes",
	  .parse = common_numbers },
	{ OPT_PARSE, 0, "tid", AT(filter.tids), "tid[,tid...]", "only these threads",
	  .parse = common_numbers },

	HEADING("Output"),
	{ OPT_PARSE, 0, "than", AT(than), "time",
	  "print each time in a state that is longer: 10ms", .parse = time_option },
	{ OPT_FLAG, 'g', "stacks", AT(stacks), NULL,
	  "where threads left the CPU: with --than the stack of each, else stacks by their times" },
	{ OPT_FLAG, 0, "waker", AT(wakers), NULL,
	  "with the stack of what woke the thread, outermost last" },
	{ OPT_STRING, 0, "folded", AT(folded), "file",
	  "write the stacks with their times in us as flame graphs read them" },
	{ OPT_STRING, 0, "html", AT(html), "file",
	  "write the same as a page for browsers: a flame graph with searches and tables" },
	{ OPT_U64, 0, "top", AT(top), "n", "only the first n rows and stacks" },
	{ OPT_FLAG, 0, "ns", AT(ns), NULL, "print all times in ns" },

	HEADING("Limits"),
	{ OPT_U64, 0, "max-keys", AT(limits.max_keys), "n",
	  "follow at most n threads at once (1000000); what others do is counted" },
	{ OPT_PARSE, 0, "max-mem", AT(limits.max_mem), "size",
	  "memory for threads, rows and stacks (256M); then no more of them are made, and what is "
	  "new is put together", .parse = limits_size },

	HEADING("Symbols"),
	COMMON_MAX_STACK_OPTION(struct state_options, stack),
	COMMON_SYMBOL_FILE_OPTIONS(struct state_options),
	{ OPT_FLAG, 0, "demangle", AT(demangle), NULL, "readable symbol names (default)" },

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct state_options),
	COMMON_FORCE_OPTION(struct state_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

static void set_defaults(struct state_options *o, const char *word, struct diag *diag)
{
	o->report = !strcmp(word, "offcpu")  ? REPORT_OFFCPU
		    : !strcmp(word, "oncpu") ? REPORT_ONCPU
					     : REPORT_STATES;
	o->demangle = true;
	o->by_thread = o->report == REPORT_STATES;
	o->limits = LIMITS_DEFAULT;
	o->stack = STACK_OPTIONS_DEFAULT;
	o->symbols.diag = diag;
	o->symbols.prog = "plat";
	o->symbols.talk = stderr;
}

static void settle(struct state_options *o)
{
	if (o->s || o->d)
		o->wanted |= (o->s ? 1u << TASK_SLEEP : 0) | (o->d ? 1u << TASK_DISK : 0);
	if (!o->wanted && o->report == REPORT_ONCPU)
		o->wanted = 1u << TASK_RUNNING;
	else if (!o->wanted && o->report == REPORT_OFFCPU)
		o->wanted = ASLEEP | RUNNABLE;
	else if (!o->wanted)
		o->wanted = ASLEEP | RUNNABLE | 1u << TASK_RUNNING;
	o->stacks |= o->wakers || o->folded || o->html || (o->report == REPORT_OFFCPU && !o->than);
	o->symbols.no_demangle = !o->demangle;
}

static const char *recipe_name(const struct state_options *o)
{
	return o->report == REPORT_OFFCPU  ? "offcpu"
	       : o->report == REPORT_ONCPU ? "oncpu"
					   : "task-state";
}

int state_options_record(const void *options, bool to_pipe, struct record_words *ret,
			 struct perr *e)
{
	const struct state_options *o = options;
	bool all = o->live.all_cpus || !record_target_given(&o->live);
	const char *times[] = { "--off-cpu", "-e", "dummy" };
	struct record_needs needs = { .stacks = o->stacks };
	struct recipes recipes;
	int err;

	*ret = (struct record_words){ 0 };
	if (o->wakers && !all)
		return perr_set(e, PERR_USAGE,
				"--waker needs the events of all threads: use -a, and --pid or "
				"--tid to choose");
	recipes_init(&recipes);
	if (all) {
		needs.recipe = recipes_find(&recipes, recipe_name(o))->record;
		needs.no_stacks = to_pipe && !o->stacks;
	} else {
		needs.words = times;
		needs.nr_words = ARRAY_SIZE(times);
	}
	err = record_words_make(ret, &o->live, &needs, to_pipe, e);
	recipes_fini(&recipes);
	return err;
}

/* What is wrong with the combination; NULL: nothing. */
static const char *find_fault(const struct state_options *o, int nr)
{
	const char *fault =
		record_target_fault(&o->live, o->record_file, nr || o->input, o->print_record);

	if (fault)
		return fault;
	if (nr > 1 || (nr && o->input))
		return "one recording: -i FILE, or FILE";
	if (o->interval_ms > 86400000)
		return "-I: at most 86400000 ms";
	return limits_fault(&o->limits);
}

int state_options_parse(struct state_options *o, struct diag *diag, int argc, char **argv)
{
	static const char *const usages[] = {
		[REPORT_STATES] = "plat task-state [<options>] [<file>|-]",
		[REPORT_OFFCPU] = "plat offcpu [<options>] [<file>|-]",
		[REPORT_ONCPU] = "plat oncpu [<options>] [<file>|-]",
	};
	struct opt_parser parser = { .prog = "plat", .table = table, .values = o };
	const char *wrong;
	int nr, ret;

	set_defaults(o, argv[0], diag);
	parser.usage = usages[o->report];
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	record_target_interval(&o->live, &o->input, &o->interval_ms);
	wrong = find_fault(o, nr);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	settle(o);
	if (o->print_record)
		return record_words_print(state_options_record, o);
	return record_target_input(&o->live, nr ? argv[1] : NULL, &o->input, &o->symbols);
}

void state_options_fini(struct state_options *o)
{
	filter_fini(&o->filter);
}

static bool has_number(const struct number_list *l, u32 n)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == n)
			return true;
	return !l->nr;
}

bool state_options_want(const struct state_options *o, const struct thread_times *th)
{
	return has_number(&o->filter.tids, th->tid) && has_number(&o->filter.pids, th->pid) &&
	       (!o->filter.comms.nr || name_list_has(&o->filter.comms, th->comm ? th->comm : ""));
}
