/* SPDX-License-Identifier: MIT */
#include "record/live/last_chains.h"

#include "base/hash.h"
#include "base/mem.h"

static size_t index_of(u64 task)
{
	return (size_t)hash_u64(task) % LAST_CHAINS;
}

void last_chains_fini(struct last_chains *l)
{
	for (size_t i = 0; i < LAST_CHAINS; i++) {
		free(l->chains[i].ips);
		free(l->chains[i].sps);
	}
	*l = (struct last_chains){ 0 };
}

const struct last_chain *last_chains_find(const struct last_chains *l, u64 task, u64 ip, u64 sp,
					  size_t *ret_callers)
{
	const struct last_chain *c = &l->chains[index_of(task)];

	if (c->task != task)
		return NULL;
	for (size_t i = 0; i < c->nr; i++) {
		if (c->ips[i] != ip || c->sps[i] != sp)
			continue;
		*ret_callers = i + 1;
		return c;
	}
	return NULL;
}

static void reserve(struct last_chain *c, size_t nr)
{
	if (nr <= c->cap)
		return;
	c->cap = nr + nr / 2;
	c->ips = xrealloc(c->ips, c->cap * sizeof(*c->ips));
	c->sps = xrealloc(c->sps, c->cap * sizeof(*c->sps));
}

void last_chains_put(struct last_chains *l, u64 task, const struct unwind_frames *f, size_t callers,
		     u8 end)
{
	struct last_chain *c = &l->chains[index_of(task)];
	size_t more = c->task == task && callers < c->nr ? c->nr - callers : 0;

	reserve(c, f->nr + more);
	if (more) {
		memmove(c->ips + f->nr, c->ips + callers, more * sizeof(*c->ips));
		memmove(c->sps + f->nr, c->sps + callers, more * sizeof(*c->sps));
	}
	if (f->nr) {
		memcpy(c->ips, f->ips, f->nr * sizeof(*c->ips));
		memcpy(c->sps, f->sps, f->nr * sizeof(*c->sps));
	}
	c->nr = f->nr + more;
	c->task = task;
	c->end = end;
}
