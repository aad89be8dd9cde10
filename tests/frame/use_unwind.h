/* SPDX-License-Identifier: MIT */
/*
 * One stack in all the ways that unwind/unwind.h has, which must give the same frames. For fuzz
 * targets and for tests; in a header because the two are linked differently.
 */
#ifndef TESTS_FRAME_USE_UNWIND_H
#define TESTS_FRAME_USE_UNWIND_H

#include "unwind/unwind.h"

#define USE_UNWIND_WAYS 4

static inline void use_unwind_same(const struct unwind_frames *a, const struct unwind_frames *b)
{
	if (a->nr != b->nr || a->end != b->end || a->guessed != b->guessed)
		BUG();
	for (size_t i = 0; i < a->nr; i++)
		if (a->ips[i] != b->ips[i] || a->sps[i] != b->sps[i])
			BUG();
}

static inline void use_unwind_listen(void *ctx, const char *line)
{
	*(size_t *)ctx += strlen(line);
}

/* The frames are in each of f, which unwind_frames_fini frees. */
static inline void use_unwind(struct unwinder *u, const struct unwind_job *job,
			      struct unwind_frames f[USE_UNWIND_WAYS])
{
	struct unwind_frames *rets[USE_UNWIND_WAYS] = { &f[0], &f[1], &f[2], &f[3] };
	const struct unwind_job *jobs[USE_UNWIND_WAYS] = { job, job, job, job };
	size_t said = 0;

	unwind_explain(u, job, &f[3], use_unwind_listen, &said);
	unwind_stack(u, job, &f[0]);
	use_unwind_same(&f[0], &f[3]);
	unwind_four(u, jobs, rets, USE_UNWIND_WAYS);
	for (int i = 1; i < USE_UNWIND_WAYS; i++)
		use_unwind_same(&f[0], &f[i]);
	unwind_look_up(u, job, &f[0]);
}

#endif
