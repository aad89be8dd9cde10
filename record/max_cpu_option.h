/* SPDX-License-Identifier: MIT */
/* The option --max-cpu, and what it needs. */
#ifndef RECORD_MAX_CPU_OPTION_H
#define RECORD_MAX_CPU_OPTION_H

#include "record/prec_option_calls.h"

/* Parses a share of all CPUs in percent, above 0 and at most 100, such as "0.5" or "1%". */
int prec_on_max_cpu(void *ctx, const char *arg, bool unset);

/*
 * When all options are parsed: refuses targets whose events cannot follow, and makes samples have
 * their periods. Returns 0, or -1 after a message.
 */
int prec_settle_max_cpu(struct prec_parse *p);

#endif
