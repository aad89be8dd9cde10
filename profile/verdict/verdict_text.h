/* SPDX-License-Identifier: MIT */
/* A verdict on paper: lines for people, or one JSON object for programs. */
#ifndef PROFILE_VERDICT_VERDICT_TEXT_H
#define PROFILE_VERDICT_VERDICT_TEXT_H

#include <stdio.h>

#include "base/out.h"
#include "profile/verdict/verdict.h"

enum verdict_form { VERDICT_TEXT, VERDICT_JSON, VERDICT_NONE, VERDICT_FORMS };

/* The form of a --quality argument, by these names: text, json, none. -1: none of them. */
int verdict_form_parse(const char *text);

/*
 * What a command says at its very end, in place of diag_print: the verdicts of the recordings it
 * read, and the warnings of diag, which it forgets. prog: the command's name.
 *
 * VERDICT_TEXT: warnings, then lines that begin with "PROG: quality: ". One line where all is well;
 * 15 per recording at most, of the modules the ten heaviest. VERDICT_NONE: the warnings alone.
 *
 * VERDICT_JSON: one line, one object, warnings in it; perf.data-quality(7) has the keys. Samples,
 * periods and frames are whole numbers, shares are left to the reader.
 */
void verdict_tell(FILE *f, const char *prog, enum verdict_form form,
		  const struct verdict *const *verdicts, size_t nr, struct diag *diag);

/* The lines of one verdict; with_input: they name the recording. */
void verdict_print_text(struct out *o, const char *prog, const struct verdict *v, bool with_input);

/* One object, without a newline. diag NULL: no warnings. */
void verdict_print_json(struct out *o, const char *prog, const struct verdict *const *verdicts,
			size_t nr, const struct diag *diag);

/* In words, for both forms: "stripped", ... */
const char *verdict_reason_text(enum verdict_reason r);
/* The one command, or sentence, that mends it; malloc'd. */
char *verdict_mend(const struct verdict *v, const struct verdict_module *m);

/*
 * For OPT_PARSE: --quality=text|json|none, and --no-quality (arg NULL). *form is an int that
 * becomes an enum verdict_form. PERR_USAGE for another word.
 */
int verdict_form_option(void *form, const char *arg, struct perr *e) MUST_CHECK;

#endif
