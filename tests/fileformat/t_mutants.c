/* SPDX-License-Identifier: MIT */
/*
 * Damaged copies of whole files, and with each all that the commands do with a file (use_all.h), in
 * process: no crash, no hang, no memory out of proportion. Mutant k of a file is always the same.
 * The files are the recordings in testdata, the public ones where they are present, and some that
 * are built here. Environment, beside that of mutant_runs.h:
 *	MUTANTS_DIR=DIR		the files of this folder instead of the public recordings
 *	MUTANTS_BYTES=N		records are cut to their first N bytes, 16384 by default
 *	MUTANTS_TURN=N		these options with each, see use_way.h; else all in turn
 */
#include "tests/frame/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/fileformat/mutant_seeds.h"
#include "tests/frame/mutant_runs.h"
#include "tests/frame/use_all.h"

/* --- what is done with a mutant -------------------------------------------------------------- */

static int open_mutant(void *ctx, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	const struct span *s = ctx;

	return pd_open_mem(*s, "mutant", diag, ret, e);
}

static void run_mutant(const u8 *p, size_t n, u64 turn, struct use_all *u)
{
	struct span s = span_of(p, n);
	int fd = memfd_create("mutant", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	u->open = open_mutant;
	u->ctx = &s;
	u->path = fd >= 0 && write(fd, p, n) == (ssize_t)n ? path : NULL;
	u->turn = turn;
	use_all(u);
	if (fd >= 0)
		close(fd);
}

/* --- the run ---------------------------------------------------------------------------------- */

struct recordings {
	struct seeds seeds;
	u64 turn;            /* UINT64_MAX: all in turn */
	struct use_all *use; /* shared by all processes */
	char *symfs;
};

static const char *name_of_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;

	return r->seeds.items[file].name;
}

static void use_mutant(void *ctx, size_t file, u64 k)
{
	struct recordings *r = ctx;
	size_t n;
	u8 *p = mutant_make(&r->seeds.items[file], k, &n);

	/* so that all options come to all files, and neighbours among both differ */
	run_mutant(p, n, r->turn == UINT64_MAX ? k + 7 * file : r->turn, r->use);
	free(p);
}

static void use_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;
	const struct seed *s = &r->seeds.items[file];
	struct use_all u = *r->use;

	for (u64 turn = 0; turn < 2; turn++)
		run_mutant(s->p, s->n, turn, &u);
}

static void keep_mutant(void *ctx, size_t file, u64 k, FILE *to)
{
	struct recordings *r = ctx;
	size_t n;
	u8 *p = mutant_make(&r->seeds.items[file], k, &n);

	if (to)
		fwrite(p, 1, n, to);
	free(p);
}

static void end_recordings(void *ctx)
{
	struct recordings *r = ctx;

	mutant_seeds_free(&r->seeds);
	free(r->symfs);
}

TEST(mutants)
{
	struct recordings r = {
		.turn = mutant_env_number("MUTANTS_TURN", UINT64_MAX),
		.use = mutant_shared_memory(sizeof(*r.use)),
	};
	struct mutant_files files = {
		.name = name_of_recording,
		.use = use_mutant,
		.use_undamaged = use_recording,
		.died = keep_mutant,
		.end = end_recordings,
		.ctx = &r,
	};
	struct mutant_result res;

	mutant_seeds_collect(&r.seeds);
	r.symfs = mutant_symfs_new();
	r.use->symfs = r.symfs;
	r.use->stage = "beginning";
	files.stage = &r.use->stage;
	files.nr = r.seeds.nr;
	res = mutant_runs(&files);
	printf("# %llu mutants of %zu files, to k = %llu; %llu records, %llu bytes of text\n",
	       (unsigned long long)res.done, files.nr, (unsigned long long)res.k,
	       (unsigned long long)r.use->nr_records, (unsigned long long)r.use->text_bytes);
	mutant_symfs_remove(r.symfs);
	end_recordings(&r);
	munmap(r.use, sizeof(*r.use));
	mutant_check(&res);
}
