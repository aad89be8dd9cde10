/* SPDX-License-Identifier: MIT */
/* What base/option.c prints of a table: for users, and for what completes and checks command lines.
 */
#ifndef BASE_OPTION_HELP_H
#define BASE_OPTION_HELP_H

#include "base/option.h"

/* True where a value must follow. */
bool opt_takes_arg(const struct opt *o);

/* -h: on standard output, by way of a pager unless no_pager. */
void opt_help(const struct opt_parser *p, bool no_pager);

/* --list-opts: long options, one per line. */
void opt_list(const struct opt_parser *p);

/*
 * --list-opts=all, for completion: a line for each option that -h shows, four words with tabs
 * between: -x or "-", --name or "-", what follows ("none", "flag": the same, and there is a --no-
 * form, "value", "may": --name=VALUE or nothing), and what the value is called or "-".
 */
void opt_list_all(const struct opt_parser *p);

/* --version, and below it --build-options, as perf's command prints them. */
void opt_version(const struct opt_parser *p, bool features);

/*
 * An unknown long option, or one that several begin with (len bytes), and which may have been
 * meant; on standard error with the usage. Returns -1.
 */
int opt_unknown(const struct opt_parser *p, const char *name, size_t len, bool ambiguous);

/* "  Error: WHAT `NAME'" and the usage on standard error. Returns -1. */
int opt_misuse(const struct opt_parser *p, const char *what, const char *name);

#endif
