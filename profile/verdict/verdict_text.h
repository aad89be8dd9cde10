/* SPDX-License-Identifier: MIT */
/* Prints verdicts: as lines of text for people, or as one JSON object for programs. */
#ifndef PROFILE_VERDICT_VERDICT_TEXT_H
#define PROFILE_VERDICT_VERDICT_TEXT_H

#include <stdio.h>

#include "base/out.h"
#include "profile/verdict/verdict.h"

enum verdict_form {
	VERDICT_TEXT,
	VERDICT_JSON,
	VERDICT_NONE,
	VERDICT_BRIEF, /* --quality is not given */
};

/* The form that a --quality argument names: text, json or none. -1 for any other text. */
int verdict_form_parse(const char *text);

/*
 * Prints the verdicts of the recordings that a command read and the warnings of diag, which it
 * clears. A command calls this last, instead of diag_print. prog: the command's name.
 *
 * VERDICT_TEXT: the warnings, then lines that begin with "PROG: quality: ": one line if all is
 * well, at most 15 for a recording, with the ten heaviest modules. VERDICT_NONE: the warnings only.
 *
 * VERDICT_BRIEF: the warnings, then a few rows if f is a terminal, otherwise one line or none; see
 * verdict_brief.h.
 *
 * VERDICT_JSON: one line with one object, which holds the warnings too. perf.data-quality(7)
 * documents the keys. Samples, periods and frames are whole numbers; the reading program computes
 * shares.
 */
void verdict_tell(FILE *f, const char *prog, enum verdict_form form,
		  const struct verdict *const *verdicts, size_t nr, struct diag *diag);

/* Prints the lines of one verdict. with_input: each line names the recording. */
void verdict_print_text(struct out *o, const char *prog, const struct verdict *v, bool with_input);

/* The same without what helps: quick, and true on any machine. */
void verdict_print_facts(struct out *o, const char *prog, const struct verdict *v);

/*
 * Prints the lines about problems without the summary and how stacks ended: losses, then stacks
 * without callers and the heaviest nr_modules modules at most, the worse of the two first. Returns
 * how many more modules matter.
 */
size_t verdict_print_worst(struct out *o, const char *prog, const struct verdict *v,
			   bool with_input, size_t nr_modules);

/* Prints all verdicts as one JSON object, without a newline. diag NULL: no warnings. */
void verdict_print_json(struct out *o, const char *prog, const struct verdict *const *verdicts,
			size_t nr, const struct diag *diag);

/*
 * Parses --quality=text|json|none and --no-quality (arg NULL), as the function of an OPT_PARSE row.
 * Sets the int at form to an enum verdict_form. PERR_USAGE: arg is another word.
 */
int verdict_form_option(void *form, const char *arg, struct perr *e) MUST_CHECK;

#endif
