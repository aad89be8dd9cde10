/* SPDX-License-Identifier: MIT */
/* Recordings that mutants are made from: built here, stored in testdata, and public ones. */
#ifndef TESTS_FILEFORMAT_MUTANT_SEEDS_H
#define TESTS_FILEFORMAT_MUTANT_SEEDS_H

#include <dirent.h>

#include "base/mem.h"
#include "tests/frame/mutant_runs.h"
#include "tests/frame/unit.h"

/* A recording to damage. */
struct seed {
	char *name;
	u8 *p;
	size_t n;
	/* offsets of what is worth damaging: record headers, and the header with its attrs */
	u32 *recs;
	size_t nr_recs, cap_recs;
	size_t head;
};

/* All recordings to damage. */
struct seeds {
	struct seed *items;
	size_t nr, cap;
};

/* Order of scandir(). */
int by_name(const struct dirent **a, const struct dirent **b);
/* Adds all recordings; mutant_seeds_free() frees them. */
void mutant_seeds_collect(struct seeds *s);
void mutant_seeds_free(struct seeds *s);

/* Mutant k of a seed, in a block of exactly its size. */
u8 *mutant_make(const struct seed *s, u64 k, size_t *ret_n);

/*
 * Makes a --symfs folder with all files of recorded programs that there are: links to them. The
 * caller removes it, in one process, and frees its name.
 */
char *mutant_symfs_new(void);
void mutant_symfs_remove(const char *symfs);

#endif
