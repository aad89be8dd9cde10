/* SPDX-License-Identifier: MIT */
/* Times as options have them: 10ms, 50us, 1.5s. */
#ifndef EVENTS_TIME_OPTION_H
#define EVENTS_TIME_OPTION_H

#include "base/err.h"
#include "base/types.h"

/* For an OPT_PARSE row of a u64: the time in ns, more than 0. A NULL arg stores 0. */
int time_option(void *ns, const char *arg, struct perr *e) MUST_CHECK;

#endif
