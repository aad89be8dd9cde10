/* SPDX-License-Identifier: MIT */
/* The command that records what an analysis needs, word by word. */
#ifndef EVENTS_RECORD_WORDS_H
#define EVENTS_RECORD_WORDS_H

#include "base/err.h"
#include "base/out.h"

/* What is recorded, and for how long. All texts are borrowed; NULL: not given. */
struct record_target {
	bool all_cpus;
	const char *pids, *tids, *duration, *rings;
	const char *flush_ms;
	bool quiet_command; /* standard output is for what this process writes alone */
	char **command;     /* with its arguments, up to a NULL */
};

/*
 * Rows of an option table for a target: -a and -p, -t, and --for, --record, -m, --flush-ms. T has
 * struct record_target live and const char *record_file.
 */
/* clang-format off */
#define RECORD_PROCESS_OPTIONS(T) \
	{ OPT_FLAG, 'a', "all-cpus", OPT_AT(T, live.all_cpus), NULL, \
	  "the whole system, until Ctrl-C" }, \
	{ OPT_STRING, 'p', "attach", OPT_AT(T, live.pids), "pid[,pid...]", \
	  "these processes" }
#define RECORD_THREAD_OPTION(T) \
	{ OPT_STRING, 't', "attach-thread", OPT_AT(T, live.tids), "tid[,tid...]", \
	  "these threads" }
#define RECORD_LIVE_OPTIONS(T) \
	{ OPT_STRING, 0, "for", OPT_AT(T, live.duration), "time", \
	  "end after this time: 10s, 500ms" }, \
	{ OPT_STRING, 0, "record", OPT_AT(T, record_file), "file", \
	  "keep the recording in this file, too" }, \
	{ OPT_STRING, 'm', "mmap-pages", OPT_AT(T, live.rings), "pages", \
	  "size of each ring: 32M" }, \
	{ OPT_STRING, 0, "flush-ms", OPT_AT(T, live.flush_ms), "ms", "see prec(1)" }
/* clang-format on */

/* True if something is to be recorded now. */
static inline bool record_target_given(const struct record_target *t)
{
	return t->all_cpus || t->pids || t->tids || t->command;
}

/* What follows -- is the command to record. Returns the number of arguments in front of it. */
int record_target_command(struct record_target *t, int argc, char **argv);

/*
 * What is wrong with the options of RECORD_LIVE_OPTIONS beside others; NULL: nothing. reads: a
 * recording is named.
 */
const char *record_target_fault(const struct record_target *t, const char *record_file, bool reads,
				bool print_record);

/* Live, -i is the interval (plat runq -a -i 1000): moves a number in *input to *ms. */
void record_target_interval(const struct record_target *t, const char **input, u64 *ms);

struct symbols_config;
/*
 * The end of an analysis' options: sets *input to what is read, prec's pipe where it records now,
 * else the operand (NULL: none), -i's file, or the usual one. Checks the options of symbols (NULL:
 * it has none). Returns -1: go on; else the exit status, after a message.
 */
int record_target_input(const struct record_target *t, const char *operand, const char **input,
			const struct symbols_config *symbols);

struct record_words {
	char **v; /* up to a NULL */
	size_t nr, cap;
};

/* What is to be recorded of the target. */
struct record_needs {
	const char *recipe; /* a recipe's command, "prec -a -e ..."; NULL: lists say the events */
	/* event lists as of -b and -e; conditions and keys in them are for the analysis alone */
	const char **lists[2];
	size_t nr_lists[2];
	const char **words; /* further words, such as events that no list has */
	size_t nr_words;
	bool whole_system; /* the analysis needs all CPUs, whatever the target */
	bool stacks;
	bool no_target; /* without a target the command to record follows, not -a */
	bool no_stacks; /* without the -g that the recipe has */
};

/*
 * Makes the words, from "prec" on; free them with record_words_fini(), also after an error.
 * to_pipe: prec is started by live_start(): it writes to its standard output, and says only
 * warnings; the command keeps the standard output of this process, or with quiet_command writes to
 * standard error. PERR_USAGE: an event list is wrong, or the target is too small for the analysis.
 */
int record_words_make(struct record_words *w, const struct record_target *t,
		      const struct record_needs *n, bool to_pipe, struct perr *e) MUST_CHECK;
void record_words_fini(struct record_words *w);

/* Writes them as one line for a shell. */
void record_words_put(const struct record_words *w, struct out *o);
/* Makes the words that the options of an analysis need, as record_words_make() does. */
typedef int record_words_maker(const void *options, bool to_pipe, struct record_words *ret,
			       struct perr *e);
/* For --print-record: prints the words or the error. Returns the exit status. */
int record_words_print(record_words_maker *make, const void *options);

#endif
