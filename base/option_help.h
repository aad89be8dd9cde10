/* SPDX-License-Identifier: MIT */
/*
 * The texts that base/option.c prints about a table of options: help, usage and messages for users,
 * and lists for the completion of shells and the check of the man pages.
 */
#ifndef BASE_OPTION_HELP_H
#define BASE_OPTION_HELP_H

#include "base/option.h"

/* True if an argument must follow the option. */
bool opt_takes_arg(const struct opt *o);

/* Prints the text of -h to standard output, through a pager unless no_pager is set. */
void opt_help(const struct opt_parser *p, bool no_pager);

/* Prints the text of --list-opts to standard output: long options, one per line. */
void opt_list(const struct opt_parser *p);

/*
 * Prints the text of --list-opts=all to standard output, for completion in shells: a line with four
 * words, separated by tabs, for each option that -h shows. The words are: -x or "-"; --name or "-";
 * the kind of argument; the argument's name or "-". Kinds are "none"; "flag": none, and --no-name
 * exists; "value": it must follow; "may": --name=VALUE or none.
 */
void opt_list_all(const struct opt_parser *p);

/*
 * Prints the text of --version and, with `features`, that of --build-options in the format of perf.
 */
void opt_version(const struct opt_parser *p, bool features);

/*
 * Prints on standard error that the long option `name` of len bytes is unknown or ambiguous, which
 * options may have been meant, and the usage. Returns -1.
 */
int opt_unknown(const struct opt_parser *p, const char *name, size_t len, bool ambiguous);

/* Prints "  Error: WHAT `NAME'" and the usage on standard error. Returns -1. */
int opt_misuse(const struct opt_parser *p, const char *what, const char *name);

#endif
