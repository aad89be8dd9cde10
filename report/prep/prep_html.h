/* SPDX-License-Identifier: MIT */
/* --html: one recording, or two that are compared, as one HTML page. */
#ifndef REPORT_PREP_PREP_HTML_H
#define REPORT_PREP_PREP_HTML_H

#include "profile/reader_command.h"
#include "report/prep/prep_options.h"

/*
 * Counts the recordings that the options name and writes the page to opt->html; "-" is standard
 * output. Prints what goes wrong, and the verdicts. Returns main's exit status; of a damaged
 * recording, the page has what came before the damage.
 */
int prep_html(const struct reader_command *rc, struct prep_options *opt);

#endif
