/* SPDX-License-Identifier: MIT */
/* A run of pann, for the files that print it or show it. */
#ifndef REPORT_PANN_ANNOTATE_PRIV_H
#define REPORT_PANN_ANNOTATE_PRIV_H

#include "profile/event_choice.h"
#include "profile/line_text.h"
#include "report/pann/annotate.h"

struct annotate_run {
	const struct reader_command *rc;
	struct pann_options *opt;
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
	struct annot_samples samples;
	struct line_source *lines;
	struct branch_blocks *blocks; /* for --stdio */
	struct branch_cycles *cycles; /* for the other layouts; NULL: none */
	struct out *o;
	struct event_tables tables;
	u32 *events; /* of the current table */
	size_t nr_events;
	bool *told; /* by dso_get_number: the message that its code is missing was printed */
	size_t nr_dsos;
	size_t nr_printed, nr_missing;
};

/* The error for a name that no function with samples has; it offers one like it. */
int annotate_no_function(const struct annotate_run *r, const char *name, struct perr *e);

struct tui;

/* What pscript prints of the samples in a function. All zero but r at first. */
struct pann_scripts {
	const struct annotate_run *r;
	const char *function; /* whose menu is open */
};

/* Opens a menu of what pscript can print of the samples in a function; s and function are borrowed.
 */
void pann_scripts_menu(struct pann_scripts *s, struct tui *t, const char *function);

/*
 * Shows the functions on the terminal until the user leaves, instead of printing them. verdict:
 * NULL if none was made. PERR_NOTFOUND: no function has samples, or none has code. PERR_IO,
 * PERR_UNSUPPORTED: there is no terminal to show them on.
 */
int annotate_show(struct annotate_run *r, const struct verdict *verdict, struct perr *e) MUST_CHECK;

#endif
