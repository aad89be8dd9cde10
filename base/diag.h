/* SPDX-License-Identifier: MIT */
/*
 * Warnings given by library folders to main: each distinct text once, with a count. main prints
 * them at the end (or at once, see diag_init) as "prog: warning: text (N times)".
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <pthread.h>
#include <stdio.h>

#include "base/types.h"

struct diag_entry {
	char *text;
	u64 count;
};

struct diag {
	pthread_mutex_t lock; /* threads of a command warn through one diag */
	struct diag_entry *entries;
	size_t nr, cap;
	u64 nr_dropped; /* distinct texts beyond the limit */
};

void diag_init(struct diag *d);
void diag_fini(struct diag *d);

/* d may be NULL: the warning is dropped. */
void diag_warn(struct diag *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Prints what was collected, one line each, and forgets it. f NULL: only forgets. */
void diag_print(struct diag *d, const char *prog, FILE *f);

#endif
