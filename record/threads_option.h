/* SPDX-License-Identifier: MIT */
/* The option --threads, and what it excludes. */
#ifndef RECORD_THREADS_OPTION_H
#define RECORD_THREADS_OPTION_H

#include "record/prec_option_calls.h"

/* Stores the value of --threads, which is checked when the CPUs are known. Returns 0. */
int prec_on_threads(void *ctx, const char *arg, bool unset);

/*
 * When all options are parsed: refuses what cannot be used with --threads, and switches off, with a
 * warning, what it has no place for. Returns 0, or -1 after a message.
 */
int prec_settle_threads(struct prec_parse *p);

#endif
