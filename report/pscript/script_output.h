/* SPDX-License-Identifier: MIT */
/* Where pscript's lines go: standard output, or a file per event (--per-event-dump). */
#ifndef REPORT_PSCRIPT_SCRIPT_OUTPUT_H
#define REPORT_PSCRIPT_SCRIPT_OUTPUT_H

#include "report/pscript/pscript_options.h"
#include "report/text/stat_text.h"

/* The file of one event, with --per-event-dump. */
struct event_file {
	struct out out;
	FILE *f;
	char *path;
	u64 nr_samples;
	u64 bytes; /* size of the file, set when it is closed */
};

/* The destinations of pscript's lines. */
struct script_output {
	struct out main; /* standard output */
	const struct perfdata *pd;
	struct event_file *files; /* by pd_event.idx; NULL without --per-event-dump */
	size_t nr_files;
	struct stat_text stat; /* counters of a `perf stat record` file */
};

/*
 * Opens the output. per_event: creates a file for every event, also for events without samples. pd
 * is borrowed until script_output_fini(). Returns 0 or PERR_IO.
 */
int script_output_init(struct script_output *so, const struct perfdata *pd, bool per_event,
		       struct perr *e) MUST_CHECK;
/*
 * Flushes and closes the output; per event it prints a line that names the file and its size.
 * Returns 0, or -1 with errno set when a write failed.
 */
int script_output_fini(struct script_output *so);
/* Writes what is buffered. A failure is found by script_output_fini(). */
void script_output_flush(struct script_output *so);

/* Returns where to print a sample of ev, and counts it there. */
struct out *script_output_of_event(struct script_output *so, const struct pd_event *ev);

/* Prints a record that is not a sample if an option such as --show-mmap-events asks for it. */
void script_output_record(struct script_output *so, const struct pscript_options *opt,
			  struct sample_text *text, struct session *s,
			  const struct replay_event *ev);

#endif
