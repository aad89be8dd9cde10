/* SPDX-License-Identifier: MIT */
/* Where pscript's lines go: standard output, or a file per event (--per-event-dump). */
#ifndef REPORT_PSCRIPT_SCRIPT_OUTPUT_H
#define REPORT_PSCRIPT_SCRIPT_OUTPUT_H

#include "report/pscript/pscript_options.h"
#include "report/text/stat_text.h"

struct event_file {
	struct out out;
	FILE *f;
	char *path;
	u64 nr_samples;
	u64 bytes;
};

struct script_output {
	struct out main;
	const struct perfdata *pd;
	struct event_file *files; /* NULL without --per-event-dump */
	size_t nr_files;
	struct stat_text stat;
};

/* per_event: makes a file for every event, those without samples too. 0 or PERR_IO. */
int script_output_init(struct script_output *so, const struct perfdata *pd, bool per_event,
		       struct perr *e) MUST_CHECK;
/* Flushes all; says what was written (per event); 0 or -1 with errno. */
int script_output_fini(struct script_output *so);

/* Where a sample of ev goes. */
struct out *script_output_of_event(struct script_output *so, const struct pd_event *ev);

/* Prints a record that is no sample, where the options ask for its kind. */
void script_output_record(struct script_output *so, const struct pscript_options *opt,
			  struct sample_text *text, struct session *s,
			  const struct replay_event *ev);

#endif
