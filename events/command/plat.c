/* SPDX-License-Identifier: MIT */
/* plat: how long it takes from one event to another, from a perf.data. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/pages.h"
#include "base/sigbus.h"
#include "events/calls/call_run.h"
#include "events/func/func_run.h"
#include "events/leak/leak_run.h"
#include "events/perf_texts/as_run.h"
#include "events/perf_texts/ftrace_run.h"
#include "events/perf_texts/lock_run.h"
#include "events/command/plat_run.h"
#include "events/state/state_run.h"
#include "events/when/when_run.h"

/* Analyses that are more than pairs, each with options of its own. */
static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} analyses[] = {
	{ "task-state", state_main }, { "offcpu", state_main },
	{ "oncpu", state_main },      { "leak", leak_main },
	{ "func", func_main },        { "when", when_main },
	{ "busy", when_main },        { "lock-contention", lock_main },
};

/* Returns false if argv[1] names no analysis. */
static bool run_analysis(int argc, char **argv, int *ret)
{
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(analyses); i++) {
		if (strcmp(argv[1], analyses[i].name) != 0)
			continue;
		*ret = analyses[i].run(argc - 1, argv + 1);
		return true;
	}
	return false;
}

/* The text of perf's that an option before -- asks for; NULL: none does. */
static const char *text_asked_for(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strncmp(argv[i], "--as=", 5))
			return argv[i] + 5;
		if (!strcmp(argv[i], "--as"))
			return i + 1 < argc ? argv[i + 1] : "";
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct plat_options opt = { 0 };
	struct diag diag;
	const char *text;
	int ret;

	pages_keep_heap();
	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("plat", _exit);
	if (run_analysis(argc, argv, &ret))
		return ret;
	if (calls_asked_for(argc, argv))
		return calls_main(argc - 1, argv + 1);
	text = text_asked_for(argc, argv);
	if (text && !strcmp(text, "ftrace-latency"))
		return ftrace_main(argc, argv);
	if (text && !strcmp(text, "lock-contention"))
		return lock_main(argc, argv);
	if (text)
		return as_main(argc, argv);
	diag_init(&diag);
	ret = plat_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		const struct reader_command rc = { .prog = "plat",
						   .output = stdout,
						   .messages = stderr,
						   .pager = &opt.pager,
						   .diag = &diag,
						   .force = opt.symbols.force };

		ret = plat_run(&rc, &opt);
	}
	pager_end(&opt.pager);
	diag_fini(&diag);
	plat_options_fini(&opt);
	return ret;
}
