/* SPDX-License-Identifier: MIT */
/* --max-keys and --max-mem of the analyses: how much they remember. */
#ifndef EVENTS_LIMITS_H
#define EVENTS_LIMITS_H

#include "base/err.h"
#include "base/types.h"

struct limits {
	u64 max_keys; /* begins, threads or objects at once */
	u64 max_mem;  /* bytes for all of it */
};

#define LIMITS_DEFAULT ((struct limits){ .max_keys = 1000000, .max_mem = 256 << 20 })

/* An option's value: "256M", "1.5G". Writes bytes to *(u64 *)bytes; arg NULL: the default of
 * max_mem. PERR_USAGE. */
int limits_size(void *bytes, const char *arg, struct perr *e);

/* What is wrong with the values; NULL: nothing. */
const char *limits_fault(const struct limits *l);

#endif
