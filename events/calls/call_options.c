/* SPDX-License-Identifier: MIT */
#include "events/calls/call_options.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/time_option.h"

/* What most arguments on the stack lie in, and what fits into a record. */
#define STACK_BYTES 1024
#define STACK_MAX 65528

static int parse_names(void *options, const char *arg, struct perr *e)
{
	struct call_options *o = options;

	(void)e;
	if (arg)
		vec_push(o->names, o->nr_names, o->cap_names, arg);
	else
		o->nr_names = 0;
	return 0;
}

#define AT(member) OPT_AT(struct call_options, member)

/* clang-format off */
static const struct opt table[] = {
	{ OPT_FLAG, 0, "trace", AT(trace), NULL,
	  "print each system call as a line: plat syscalls --trace is plat trace" },
	COMMON_INPUT_OPTION(struct call_options),
	{ OPT_FLAG, 'a', "all-cpus", AT(live.all_cpus), NULL,
	  "live: the whole system, until Ctrl-C" },
	{ OPT_STRING, 'p', "attach", AT(live.pids), "pid[,pid...]", "live: these processes" },
	{ OPT_STRING, 't', "attach-thread", AT(live.tids), "tid[,tid...]", "live: these threads" },
	{ OPT_STRING, 0, "for", AT(live.duration), "time",
	  "live: end after this time: 10s, 500ms" },
	{ OPT_STRING, 0, "record", AT(record_file), "file",
	  "live: keep the recording in this file, too" },
	{ OPT_STRING, 'm', "mmap-pages", AT(live.rings), "pages", "live: size of each ring: 32M" },
	{ OPT_STRING, 0, "flush-ms", AT(live.flush_ms), "ms", "live: see prec(1) (20)" },
	{ OPT_PARSE, 0, "call", NULL, "names", /* offset 0: all options */
	  "only these system calls: names with *, ? and [...], and commas between them",
	  .parse = parse_names },
	{ OPT_PARSE, 0, "than", AT(than), "time", "only calls that take longer: 10ms",
	  .parse = time_option },
	{ OPT_FLAG, 0, "failed", AT(failed), NULL, "only calls that fail" },
	{ OPT_FLAG, 0, "no-texts", AT(no_texts), NULL,
	  "do not write what arguments point to: texts, structs, arrays" },
	{ OPT_STRING, 0, "stack-bytes", AT(stack_bytes), "bytes",
	  "live: record so much of the stack with each call, for texts (1024; 0 with -a)" },
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },
	COMMON_PAGER_OPTION(struct call_options),
	COMMON_FORCE_OPTION(struct call_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT

/* How much of the stack is recorded with each call; 0: nothing. */
static int stack_bytes(const struct call_options *o, u64 *ret, struct perr *e)
{
	*ret = o->live.all_cpus || !record_target_given(&o->live) || o->no_texts ? 0 : STACK_BYTES;
	if (o->stack_bytes && parse_u64(o->stack_bytes, 10, 0, STACK_MAX, ret))
		return perr_set(e, PERR_USAGE, "--stack-bytes %s: a number up to %d is needed",
				o->stack_bytes, STACK_MAX);
	*ret = (*ret + 7) / 8 * 8;
	return 0;
}

int call_options_record(const void *options, bool to_pipe, struct record_words *ret, struct perr *e)
{
	const struct call_options *o = options;
	static const char *calls = "raw_syscalls:sys_enter,raw_syscalls:sys_exit";
	struct record_target target = o->live;
	char mode[32];
	const char *words[2] = { "--call-graph", mode };
	struct record_needs needs = { .lists = { &calls }, .nr_lists = { 1 }, .words = words };
	u64 bytes;
	int err = stack_bytes(o, &bytes, e);

	if (err)
		return err;
	if (bytes) {
		(void)snprintf(mode, sizeof(mode), "dwarf,%u", (unsigned int)bytes);
		needs.nr_words = 2;
	}

	if (to_pipe && !target.flush_ms)
		target.flush_ms = "20"; /* lines are to be seen as they come */
	return record_words_make(ret, &target, &needs, to_pipe, e);
}

/* What is wrong about the options together; NULL: nothing. */
static const char *usage_fault(const struct call_options *o, int nr_operands)
{
	bool is_live = record_target_given(&o->live);

	if (is_live && (o->input || nr_operands))
		return "-a, -p, -t and a command record now: no recording is read";
	if (!is_live && !o->print_record &&
	    (o->record_file || o->live.duration || o->live.rings || o->live.flush_ms))
		return "--record, --for, -m and --flush-ms are about recording now: give -a, -p, "
		       "-t or -- COMMAND";
	if (nr_operands > 1 || (nr_operands && o->input))
		return "one recording: -i FILE, or FILE";
	return NULL;
}

int call_options_parse(struct call_options *o, struct diag *diag, int argc, char **argv)
{
	struct opt_parser parser = { .prog = "plat",
				     .usage = "plat trace [<options>] [<file>|-|-- <command>]",
				     .table = table,
				     .values = o };
	int nr, ret, nr_words = record_target_command(&o->live, argc, argv);
	const char *wrong;

	o->symbols.diag = diag;
	o->symbols.prog = "plat";
	o->symbols.talk = stderr;
	ret = opt_parse(&parser, nr_words, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	wrong = usage_fault(o, nr);
	if (wrong) {
		message(stderr, "plat: %s\n", wrong);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return record_words_print(call_options_record, o);
	return record_target_input(&o->live, nr ? argv[1] : NULL, &o->input, NULL);
}

void call_options_fini(struct call_options *o)
{
	free(o->names);
}
