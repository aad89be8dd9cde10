/* SPDX-License-Identifier: MIT */
/*
 * Damaged recordings with stack copies through the converter (use_convert.h): no crash, and what is
 * read of the new recording is what is read of the damaged one. The files and the environment are
 * those of t_mutants.c.
 */
#include "tests/frame/unit.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tests/fileformat/mutant_seeds.h"
#include "tests/record/convert/use_convert.h"

struct recordings {
	struct seeds seeds;
	struct {
		const char *stage;
		struct use_convert use;
	} * shared; /* by all processes */
	char *symfs;
};

static const char *name_of_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;

	return r->seeds.items[file].name;
}

static void convert(struct recordings *r, struct span s, u64 turn)
{
	const char *fault;

	r->shared->stage = "converting";
	r->shared->use.compress = turn % 8 == 7;
	fault = use_convert(&r->shared->use, s);
	if (!fault)
		return;
	r->shared->stage = fault;
	abort();
}

static void use_mutant(void *ctx, size_t file, u64 k)
{
	struct recordings *r = ctx;
	size_t n;
	u8 *p = mutant_make(&r->seeds.items[file], k, &n);

	convert(r, span_of(p, n), k);
	free(p);
}

static void use_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;
	const struct seed *s = &r->seeds.items[file];

	convert(r, span_of(s->p, s->n), 0);
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

/* Those that have stack copies: the others only say that there is nothing to convert. */
static void keep_copies(struct seeds *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr; i++) {
		struct seed *f = &s->items[i];
		struct perfdata *pd = NULL;
		bool has = !pd_open_mem(span_of(f->p, f->n), f->name, NULL, &pd, NULL) &&
			   pd_has_stack_copies(pd) && !pd->swap;

		pd_close(pd);
		if (has) {
			s->items[kept++] = *f;
			continue;
		}
		free(f->name);
		free(f->p);
		free(f->recs);
	}
	s->nr = kept;
}

TEST(mutants)
{
	struct recordings r = { .shared = mutant_shared_memory(sizeof(*r.shared)) };
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
	keep_copies(&r.seeds);
	CHECK(r.seeds.nr);
	r.symfs = mutant_symfs_new();
	r.shared->use.symfs = r.symfs;
	r.shared->stage = "beginning";
	files.stage = &r.shared->stage;
	files.nr = r.seeds.nr;
	res = mutant_runs(&files);
	printf("# %llu mutants of %zu files, to k = %llu; %llu converted, %llu samples, of which "
	       "%llu unwound\n",
	       (unsigned long long)res.done, files.nr, (unsigned long long)res.k,
	       (unsigned long long)r.shared->use.nr_converted,
	       (unsigned long long)r.shared->use.nr_samples,
	       (unsigned long long)r.shared->use.nr_unwound);
	mutant_symfs_remove(r.symfs);
	end_recordings(&r);
	munmap(r.shared, sizeof(*r.shared));
	mutant_check(&res);
}
