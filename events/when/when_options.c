/* SPDX-License-Identifier: MIT */
#include "events/when/when_options.h"

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/time_option.h"

#define SECOND_NS 1000000000
/* Clocks hit so often: 4 ms for gaps, which need no share; else 10 ms. */
#define GAP_PERIOD "4000000"
#define SHARE_PERIOD "10000000"

static int parse_part(void *part, const char *arg, struct perr *e)
{
	static const char *const words[] = { "all", "kernel", "user" };

	return parse_choice(words, ARRAY_SIZE(words), arg, part, e);
}

#define AT(member) OPT_AT(struct when_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct when_options),

	HEADING("Live: prec records what is needed; a command to run follows --"),
	RECORD_PROCESS_OPTIONS(struct when_options),
	RECORD_LIVE_OPTIONS(struct when_options),

	HEADING("What"),
	{ OPT_STRING, 0, "than", AT(than), "percent",
	  "of plat busy: more of a CPU's time in a window than this (30%)" },
	{ OPT_PARSE, 0, "part", AT(part), "all|kernel|user",
	  "of plat busy: in the kernel, in programs, or both (default)", .parse = parse_part },
	{ OPT_PARSE, 0, "window", AT(window), "time",
	  "length of the windows of share() and count() (1s)", .parse = time_option },
	{ OPT_STRING, 0, "show", AT(show), "event[,event...]",
	  "record these events, too, for --around" },
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },

	HEADING("Output"),
	{ OPT_FLAG, 'g', "stacks", AT(stacks), NULL,
	  "call stacks: those with most of a window's events; that of the event after a gap" },
	{ OPT_PARSE, 0, "around", AT(around), "time",
	  "print the CPU's events so long before a hit, in it and after it: 1ms",
	  .parse = time_option },
	{ OPT_U64, 0, "top", AT(top), "n", "with -g: so many stacks of a window (5)" },
	{ OPT_U64, 0, "max", AT(max), "n", "print only the first n hits, count the others" },

	HEADING("Symbols"),
	COMMON_MAX_STACK_OPTION(struct when_options, stack),
	COMMON_SYMBOL_FILE_OPTIONS(struct when_options),
	{ OPT_FLAG, 0, "demangle", AT(demangle), NULL, "readable symbol names (default)" },

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct when_options),
	COMMON_FORCE_OPTION(struct when_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

/* The condition of plat busy, or the first operand. */
static int find_condition(struct when_options *o, bool is_busy, int *nr, char **argv,
			  struct perr *e)
{
	static const char *const parts[] = { "all", "kernel", "user" };
	const char *than = o->than ? o->than : "30%";
	int err;

	if (is_busy) {
		o->own_text = xasprintf("share(%s) > %s%s", parts[o->part], than,
					than[strlen(than) - (*than != 0)] == '%' ? "" : "%");
		return when_cond_parse(o->own_text, &o->cond, e);
	}
	if (!*nr)
		return perr_set(e, PERR_USAGE,
				"when what? A condition such as 'share(kernel) > 30%%', "
				"'count(sched:sched_switch) == 0' or 'gap(cpu-clock) > 20ms'");
	err = when_cond_parse(argv[1], &o->cond, e);
	for (int i = 1; i < *nr; i++)
		argv[i] = argv[i + 1];
	--*nr;
	return err;
}

static const char *find_fault(const struct when_options *o, int nr, bool is_busy)
{
	bool live = record_target_given(&o->live);

	if (!is_busy && (o->than || o->part))
		return "--than and --part are of plat busy; plat when has a condition";
	if (live && (nr || o->input))
		return "-a, -p and a command record now: no recording is read";
	if (!live && !o->print_record &&
	    (o->record_file || o->live.duration || o->live.rings || o->live.flush_ms || o->show))
		return "--record, --for, -m, --flush-ms and --show are about recording now: give "
		       "-a, -p or -- COMMAND";
	if (nr > 1 || (nr && o->input))
		return "one recording: -i FILE, or FILE";
	return NULL;
}

int when_options_record(const void *options, bool to_pipe, struct record_words *ret, struct perr *e)
{
	const struct when_options *o = options;
	bool share = o->cond.kind == WHEN_SHARE;
	char *event = share ? xstrdup("cpu-clock")
			    : xstrndup((const char *)o->cond.event.p, o->cond.event.n);
	bool clock = share || !strcmp(event, "cpu-clock") || !strcmp(event, "task-clock");
	char *term = clock ? xasprintf("%s/period=%s/", event, share ? SHARE_PERIOD : GAP_PERIOD)
			   : xstrdup(event);
	const char *words[] = { "-e", term, "-e", o->show };
	const struct record_needs needs = { .words = words,
					    .nr_words = o->show ? 4 : 2,
					    .stacks = o->stacks };
	int err = record_words_make(ret, &o->live, &needs, to_pipe, e);

	free(event);
	free(term);
	return err;
}

int when_options_parse(struct when_options *o, struct diag *diag, int argc, char **argv)
{
	bool is_busy = !strcmp(argv[0], "busy");
	const struct opt_parser parser = {
		.prog = "plat",
		.table = table,
		.values = o,
		.usage = is_busy ? "plat busy [--than PERCENT] [<options>] [<file>|-]"
				 : "plat when CONDITION [<options>] [<file>|-]"
	};
	struct perr e;
	const char *wrong;
	int nr, ret;

	o->window = SECOND_NS;
	o->top = 5;
	o->demangle = true;
	o->stack = STACK_OPTIONS_DEFAULT;
	o->symbols = (struct symbols_config){ .diag = diag, .prog = "plat", .talk = stderr };
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	o->window = o->window ? o->window : SECOND_NS;
	wrong = find_condition(o, is_busy, &nr, argv, &e) ? e.text : find_fault(o, nr, is_busy);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	o->symbols.no_demangle = !o->demangle;
	if (o->print_record)
		return record_words_print(when_options_record, o);
	return record_target_input(&o->live, nr ? argv[1] : NULL, &o->input, &o->symbols);
}

void when_options_fini(struct when_options *o)
{
	free(o->own_text);
}
