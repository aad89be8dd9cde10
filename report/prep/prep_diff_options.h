/* SPDX-License-Identifier: MIT */
/* What --diff changes in prep's command line. */
#ifndef REPORT_PREP_PREP_DIFF_OPTIONS_H
#define REPORT_PREP_PREP_DIFF_OPTIONS_H

#include "base/option.h"
#include "report/prep/prep_options.h"

/* True if the command line has --diff, which changes how the rest of it is parsed. */
bool prep_diff_is_given(int argc, char **argv);

/* Gives the letters in the option rows the meaning that they have to perf diff. */
void prep_diff_take_letters(struct opt *rows, size_t nr);

/*
 * Sets the files and columns of o->diff_of from the nr operands in argv[1..] and from other
 * options. Returns false after a message: an option says nothing about a comparison, or -o names no
 * file.
 */
bool prep_diff_settle(struct prep_options *o, int nr, char **argv);

#endif
