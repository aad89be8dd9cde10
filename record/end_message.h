/* SPDX-License-Identifier: MIT */
/*
 * Prints the lines with which a recording ends: those of perf record (FORMAT.md 5.8) and what was
 * lost.
 */
#ifndef RECORD_END_MESSAGE_H
#define RECORD_END_MESSAGE_H

#include "record/ring/copier.h"
#include "record/offcpu/offcpu_times.h"
#include "record/model/rec_opts.h"
#include "record/sink/sink.h"

/*
 * Prints the summary of a recording to o->talk (nothing if that is NULL) and warns in o->diag about
 * lost samples of each event. wakeups: how often a ring woke the recorder. ring_bytes: data bytes
 * of one ring; path: the output file, NULL for standard output.
 */
void end_message(const struct rec_opts *o, const struct rec_evlist *l,
		 const struct rec_counts *counts, const struct rec_sink_stat *stat,
		 const char *path, u64 wakeups, u64 ring_bytes);

/*
 * Reads the finished recording `path` and warns in o->diag if many of its frame-pointer chains lack
 * callers, with the option that records whole stacks; chains that lack one caller only are
 * mentioned on a terminal. Does nothing with -q, for standard output (path NULL), and for other
 * call chains.
 */
void end_message_callers(const struct rec_opts *o, const struct rec_evlist *l,
			 const struct rec_counts *counts, const struct rec_sink_stat *stat,
			 const char *path);

/* Prints that --switch-output has completed the file `path`. f may be NULL: nothing is printed. */
void end_message_dump(FILE *f, const char *path, u64 wakeups);

/*
 * Prints that the recording ends because it reached --max-size, in bytes. f may be NULL: nothing is
 * printed.
 */
void end_message_full(FILE *f, u64 max_size);

/* Warns of times off the CPU that the recording lacks. */
void end_message_off_cpu(struct diag *d, const struct offcpu_counts *n);

#endif
