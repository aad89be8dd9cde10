/* SPDX-License-Identifier: MIT */
/*
 * A list of warnings. Library folders do not print: they add warnings to a struct diag that the
 * caller passes in, and the main of a command prints the list with diag_print() as
 * "prog: warning: text (N times)". Equal texts are one entry with a count.
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
	pthread_mutex_t lock; /* held by diag_warn(), which any thread may call */
	struct diag_entry *entries;
	size_t nr, cap;
	u64 nr_dropped; /* warnings that were not kept because the list held 64 texts already */
};

void diag_init(struct diag *d);
void diag_fini(struct diag *d);

/* Adds a warning. Any thread may call it. With d NULL the warning is dropped. */
void diag_warn(struct diag *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Prints the warnings collected so far to f, one per line, and empties d. With f NULL it only
 * empties d. Call it when no other thread uses d. */
void diag_print(struct diag *d, const char *prog, FILE *f);

#endif
