/* SPDX-License-Identifier: MIT */
#include "events/sinks/around.h"

#include "base/mem.h"

#define MAX_CPUS 65536

static struct around_cpu *cpu_of(struct around *a, u32 cpu)
{
	const struct around_cpu fresh = { 0 };

	cpu = cpu < MAX_CPUS ? cpu : 0;
	while (a->nr <= cpu)
		vec_push(a->cpus, a->nr, a->cap, fresh);
	return &a->cpus[cpu];
}

void around_fini(struct around *a)
{
	for (size_t i = 0; i < a->nr; i++)
		event_ring_fini(&a->cpus[i].ring);
	free(a->cpus);
	*a = (struct around){ 0 };
}

void around_take(struct around *a, const struct sample_view *v)
{
	struct around_cpu *c = cpu_of(a, v->ev->sample.cpu);
	struct occurrence at;

	if (v->ev->sample.time == UINT64_MAX)
		return;
	if (v->ev->sample.time > c->until) {
		event_ring_add(&c->ring, v);
		return;
	}
	occurrence_init(&at, v, true);
	a->put(a->ctx, &at);
	occurrence_fini(&at);
}

/* Puts the events of a CPU from a time on. Returns false if older ones are not kept. */
static bool put_cpu(struct around *a, u32 cpu, u64 from, u64 to)
{
	struct around_cpu *c = cpu_of(a, cpu);
	bool all = !c->ring.dropped || c->ring.dropped < from;

	for (size_t i = 0; i < c->ring.nr; i++)
		if (event_ring_at(&c->ring, i)->time >= from)
			a->put(a->ctx, event_ring_at(&c->ring, i));
	event_ring_forget(&c->ring, UINT64_MAX);
	c->until = to + a->ns;
	return all;
}

bool around_pair(struct around *a, const struct occurrence *begin, const struct occurrence *end)
{
	u64 from = begin->time > a->ns ? begin->time - a->ns : 0;
	bool all = put_cpu(a, begin->cpu, from, end->time);

	if (end->cpu != begin->cpu)
		all &= put_cpu(a, end->cpu, from, end->time);
	return all;
}
