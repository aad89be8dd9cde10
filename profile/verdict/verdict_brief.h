/* SPDX-License-Identifier: MIT */
/* The verdict where nobody asked for it: a few lines on a terminal, one or none in a file. */
#ifndef PROFILE_VERDICT_VERDICT_BRIEF_H
#define PROFILE_VERDICT_VERDICT_BRIEF_H

#include "base/out.h"
#include "profile/verdict/verdict.h"

#define VERDICT_BRIEF_ROWS 5 /* on a terminal, of all recordings together */

/*
 * Prints a verdict for a terminal of so many columns in at most `rows` rows, none of which wraps:
 * one line if all is well, otherwise the heaviest problems with what helps, broken between words.
 * with_input: each line names the recording.
 */
void verdict_print_brief(struct out *o, const char *prog, const struct verdict *v, bool with_input,
			 unsigned int columns, unsigned int rows);

/*
 * Prints one line if samples were lost or skipped, or if more than 5 % of the stacks are incomplete
 * or of the leaf frames have no name; otherwise nothing.
 */
void verdict_print_alarm(struct out *o, const char *prog, const struct verdict *v, bool with_input);

#endif
