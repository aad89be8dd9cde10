/* SPDX-License-Identifier: MIT */
/*
 * Many mutants, one after the other, in a process that may die of each: what it died of is told,
 * and another one goes on behind it. Limits of time and memory hold for each mutant. Environment:
 *	MUTANTS=N		this many; by default 600, with sanitizers 300
 *	MUTANTS_SECONDS=N	as many as this time allows, 200 at most
 *	MUTANTS_FROM=K		first k of each file, 0 by default
 *	MUTANTS_FILE=TEXT	only files whose names hold TEXT
 *	MUTANTS_KEEP=DIR	where to put the mutants that failed
 */
#ifndef TESTS_FRAME_MUTANT_RUNS_H
#define TESTS_FRAME_MUTANT_RUNS_H

#include <stdio.h>

#include "base/types.h"

struct mutant_files {
	size_t nr;
	const char *(*name)(void *ctx, size_t file);
	/* Makes mutant k of a file and does all that is done with it; the same one each time. */
	void (*use)(void *ctx, size_t file, u64 k);
	/* What it is at, for messages: a literal's address, in shared memory. */
	const char *const *stage;
	/* The same with the undamaged file, so that it is known what memory that takes. */
	void (*use_undamaged)(void *ctx, size_t file);
	/* Mutant k was not survived: puts things right, and the mutant to a file if `to` is one. */
	void (*died)(void *ctx, size_t file, u64 k, FILE *to);
	/* Of the process that uses mutants, after the last of them: frees what it holds. */
	void (*end)(void *ctx);
	void *ctx;
};

struct mutant_result {
	u64 done;
	u64 k;           /* of each file those below it were used */
	int nr_failures; /* not survived; each was told */
};

struct mutant_result mutant_runs(const struct mutant_files *files);

/* Fails the case when some were not survived: for its end, when nothing is left behind. */
void mutant_check(const struct mutant_result *r);

/* Memory that is shared with the processes that use mutants, zeroed, for good. */
void *mutant_shared_memory(size_t n);

u64 mutant_env_number(const char *name, u64 otherwise);

#endif
