/* SPDX-License-Identifier: MIT */
/*
 * The command line of prec: perf record's options, by their names and habits. The one part of
 * record/ that prints by itself, as base/option does: help and lists on stdout, misuse on stderr.
 */
#ifndef RECORD_PREC_OPTIONS_H
#define RECORD_PREC_OPTIONS_H

#include "base/option.h"
#include "record/model/rec_opts.h"

/*
 * Fills *o (initialised, host and diag set) and appends the events of -e to *l, in the order given.
 * argv stays as it is, and o points into it: o->command is its tail. Without -e, l stays empty.
 *
 * Returns 0; 1 when help, a list or the version was printed (status 0 for main); -1 after misuse
 * was told on stderr (OPT_STATUS_USAGE for main). Notes go to o->diag.
 */
int prec_options_parse(int argc, char **argv, struct rec_opts *o, struct rec_evlist *l) MUST_CHECK;

#endif
