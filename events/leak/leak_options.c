/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_options.h"

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/time_option.h"

static int parse_by(void *by, const char *arg, struct perr *e)
{
	static const char *const words[] = { "stack", "comm", "pid" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum leak_by *)by = choice < 0 ? LEAK_BY_STACK : (enum leak_by)choice;
	return err;
}

#define AT(member) OPT_AT(struct leak_options, member)
#define HEADING(text)                                \
	{                                            \
		OPT_GROUP, 0, NULL, NULL, NULL, text \
	}

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct leak_options),

	HEADING("Live: prec records what is needed; a command to run follows --"),
	RECORD_PROCESS_OPTIONS(struct leak_options),
	RECORD_THREAD_OPTION(struct leak_options),
	RECORD_LIVE_OPTIONS(struct leak_options),
	{ OPT_U64, 'I', "interval", AT(interval_ms), "ms",
	  "what is not freed, each time that so many ms of the recording have passed; live also "
	  "-i" },

	HEADING("What"),
	{ OPT_STRING, 0, "alloc", AT(own.alloc), "event[,event...]",
	  "events that allocate; EVENT/CONDITION/key=PTR/ as -b of plat has them" },
	{ OPT_STRING, 0, "free", AT(own.free), "event[,event...]", "events that free" },
	{ OPT_STRING, 0, "ptr", AT(own.ptr), "field",
	  "what says which object it is: FIELD of both, or ALLOC-FIELD=FREE-FIELD" },
	{ OPT_STRING, 0, "size", AT(own.size), "expr", "bytes of an object, of --alloc's events" },
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },

	HEADING("Which"),
	{ OPT_PARSE, 0, "age", AT(age), "time",
	  "leave out what was allocated less than this ago: 10s", .parse = time_option },
	{ OPT_PARSE, 'c', "comms", AT(filter.comms), "comm[,comm...]",
	  "only what threads of these names allocated", .parse = common_names },
	{ OPT_PARSE, 0, "pid", AT(filter.pids), "pid[,pid...]",
	  "only what these processes allocated", .parse = common_numbers },
	{ OPT_U64, 0, "max-keys", AT(limits.max_keys), "n",
	  "remember at most n objects at a time (1000000)" },
	{ OPT_PARSE, 0, "max-mem", AT(limits.max_mem), "size",
	  "memory for objects and stacks (256M); then further allocations are only counted",
	  .parse = limits_size },

	HEADING("Output"),
	{ OPT_PARSE, 0, "by", AT(by), "stack|comm|pid",
	  "one row for each call stack (default), name of threads, or process", .parse = parse_by },
	{ OPT_STRING, 0, "folded", AT(folded), "file",
	  "write the stacks with their bytes as flame graphs read them" },
	{ OPT_STRING, 0, "html", AT(html), "file",
	  "write the same as a page for browsers: a flame graph with searches and tables" },
	{ OPT_U64, 0, "top", AT(top), "n", "only the first n rows" },
	{ OPT_FLAG, 0, "ns", AT(ns), NULL, "print ages in ns" },

	HEADING("Symbols"),
	COMMON_MAX_STACK_OPTION(struct leak_options, stack),
	COMMON_SYMBOL_FILE_OPTIONS(struct leak_options),
	{ OPT_FLAG, 0, "demangle", AT(demangle), NULL, "readable symbol names (default)" },

	HEADING("Work"),
	COMMON_PAGER_OPTION(struct leak_options),
	COMMON_FORCE_OPTION(struct leak_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT
#undef HEADING

static void set_defaults(struct leak_options *o, struct diag *diag)
{
	o->demangle = true;
	o->limits = LIMITS_DEFAULT;
	o->stack = STACK_OPTIONS_DEFAULT;
	o->symbols.diag = diag;
	o->symbols.prog = "plat";
	o->symbols.talk = stderr;
}

/* --alloc and --free are a preset of the user's. Returns why not; NULL: all is well. */
static const char *settle(struct leak_options *o)
{
	bool own = o->own.alloc || o->own.free || o->own.ptr || o->own.size;

	o->symbols.no_demangle = !o->demangle;
	if ((o->folded || o->html) && o->by != LEAK_BY_STACK)
		return "--folded and --html need --by stack";
	if (!own)
		return NULL;
	if (o->preset)
		return "a preset, or --alloc and --free";
	if (!o->own.alloc || !o->own.free)
		return "--alloc needs --free, and --free needs --alloc";
	if (!o->own.ptr && !(strstr(o->own.alloc, "/key=") && strstr(o->own.free, "/key=")))
		return "--ptr is needed: which field says what object it is";
	o->preset = &o->own;
	return NULL;
}

int leak_options_record(const void *options, bool to_pipe, struct record_words *ret, struct perr *e)
{
	const struct leak_options *o = options;
	const struct leak_preset *p = o->preset ? o->preset : &leak_presets[0];
	const char *allocs[] = { p->alloc }, *frees[] = { p->free };
	/* what one thread allocates in the kernel, another one frees */
	const struct record_needs needs = { .recipe = p->record,
					    .lists = { allocs, frees },
					    .nr_lists = { 1, 1 },
					    .whole_system = p->record && p->alloc,
					    .no_target = !p->alloc,
					    .stacks = true };

	return record_words_make(ret, &o->live, &needs, to_pipe, e);
}

int leak_options_parse(struct leak_options *o, struct diag *diag, int argc, char **argv)
{
	struct opt_parser parser = { .prog = "plat",
				     .table = table,
				     .values = o,
				     .usage = "plat leak [kmalloc|slab|pages|percpu|malloc] "
					      "[<options>] [<file>|-]" };
	const char *wrong;
	int nr, at = 1, ret;

	set_defaults(o, diag);
	ret = opt_parse(&parser, record_target_command(&o->live, argc, argv), argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	o->preset = nr ? leak_preset_find(argv[1]) : NULL;
	if (o->preset) {
		at++;
		nr--;
	}
	record_target_interval(&o->live, &o->input, &o->interval_ms);
	wrong = settle(o);
	if (!wrong)
		wrong = record_target_fault(&o->live, o->record_file, nr || o->input,
					    o->print_record);
	if (!wrong && o->interval_ms > 86400000)
		wrong = "-I: at most 86400000 ms";
	if (!wrong)
		wrong = limits_fault(&o->limits);
	if (!wrong && (nr > 1 || (nr && o->input)))
		wrong = "one recording: -i FILE, or FILE";
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return record_words_print(leak_options_record, o);
	return record_target_input(&o->live, nr ? argv[at] : NULL, &o->input, &o->symbols);
}

void leak_options_fini(struct leak_options *o)
{
	filter_fini(&o->filter);
}
