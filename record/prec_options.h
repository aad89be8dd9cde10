/* SPDX-License-Identifier: MIT */
/*
 * Parses the command line of prec, whose options have the names and rules of perf record's. With
 * record/prec_option_calls it is the only part of record/ that prints by itself, as base/option
 * does: help and lists on stdout, misuse on stderr.
 */
#ifndef RECORD_PREC_OPTIONS_H
#define RECORD_PREC_OPTIONS_H

#include "base/option.h"
#include "record/model/rec_opts.h"

/*
 * Parses argv into *o, and appends the events of all -e to *l in the order given; l stays empty
 * without -e. The caller has called rec_opts_init and set o->host and o->diag. argv is not changed
 * and must outlive *o, which points into it (o->command is its tail).
 *
 * Returns 0; 1 if help, a list or the version was printed (exit with status 0); -1 if a message
 * about misuse was printed on stderr (exit with OPT_STATUS_USAGE). Warnings go to o->diag.
 */
int prec_options_parse(int argc, char **argv, struct rec_opts *o, struct rec_evlist *l) MUST_CHECK;

#endif
