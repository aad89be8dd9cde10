/* SPDX-License-Identifier: MIT */
#include "record/live/late_samples.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "machine/mapset.h"

#define MAX_BYTES (32u << 20)
/* A round of the recording does not end meanwhile. */
#define MAX_AGE_NS 1000000000ull
#define WAIT_MS 200
#define LOOK_NS 5000000

bool late_samples_keep(struct late_samples *l, const struct chain_job *j)
{
	struct chain_job own = *j;
	u8 *copy;

	if (!l->keeps || l->bytes + j->rec.size > MAX_BYTES ||
	    !live_opener_will_have_news(l->opener))
		return false;
	copy = xmalloc(j->rec.size);
	memcpy(copy, j->rec.data, j->rec.size);
	own.rec.data = copy;
	if (pd_read_sample(own.ev, &own.rec, false, &own.sample, NULL)) {
		free(copy);
		return false;
	}
	own.maps = mapset_get((struct mapset *)(uintptr_t)j->maps);
	if (!l->nr)
		l->since = now_ns();
	vec_push(l->jobs, l->nr, l->cap, own);
	l->bytes += j->rec.size;
	return true;
}

bool late_samples_are_due(const struct late_samples *l, bool news)
{
	return l->nr && (news || !l->keeps || now_ns() - l->since > MAX_AGE_NS);
}

void late_samples_wait(const struct late_samples *l)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };

	for (u64 i = 0; l->nr && i < WAIT_MS * 1000000ull / LOOK_NS; i++) {
		if (!live_opener_waits(l->opener))
			return;
		nanosleep(&look, NULL);
	}
}

void late_samples_begin(struct late_samples *l, bool news)
{
	l->jobs = NULL;
	l->nr = l->cap = 0;
	l->bytes = 0;
	l->keeps &= news && now_ns() - l->since <= MAX_AGE_NS;
}

static void free_records(struct late_samples *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free((void *)(uintptr_t)l->jobs[i].rec.data);
	free(l->jobs);
}

void late_samples_end(struct late_samples *l, struct late_samples *done)
{
	l->keeps = done->keeps;
	if (l->nr)
		l->since = done->since;
	free_records(done);
}

void late_samples_fini(struct late_samples *l)
{
	for (size_t i = 0; i < l->nr; i++)
		mapset_put((struct mapset *)(uintptr_t)l->jobs[i].maps);
	free_records(l);
}
