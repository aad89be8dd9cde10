/* SPDX-License-Identifier: MIT */
#include "session/switch_gaps.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

#define MAX_CPUS 65536
#define NAMED_CPUS 4

/* Threads that run on every machine, and that nobody attaches a recording to. */
static bool is_of_kernel(u32 tid, const char *comm)
{
	return !tid ||
	       (comm && (!strncmp(comm, "kworker/", 8) || !strncmp(comm, "ksoftirqd/", 10)));
}

void switch_gaps_note(struct switch_gaps *g, u32 prev, const char *comm)
{
	g->all_threads = g->all_threads || is_of_kernel(prev, comm);
}

void switch_gaps_take(struct switch_gaps *g, u32 cpu, u32 prev, const char *comm, u32 next)
{
	const struct switch_gaps_cpu fresh = { 0 };
	struct switch_gaps_cpu *c;

	if (cpu >= MAX_CPUS)
		return;
	while (g->nr <= cpu)
		vec_push(g->cpus, g->nr, g->cap, fresh);
	c = &g->cpus[cpu];
	switch_gaps_note(g, prev, comm);
	c->missing += c->known && c->next != prev;
	c->next = next;
	c->known = true;
}

void switch_gaps_lost(struct switch_gaps *g)
{
	for (size_t i = 0; i < g->nr; i++)
		g->cpus[i].known = false;
}

void switch_gaps_restart(struct switch_gaps *g)
{
	for (size_t i = 0; i < g->nr; i++)
		g->cpus[i].missing = 0;
}

u64 switch_gaps_missing(const struct switch_gaps *g)
{
	u64 all = 0;

	for (size_t i = 0; i < g->nr && g->all_threads; i++)
		all += g->cpus[i].missing;
	return all;
}

void switch_gaps_put_sentence(const struct switch_gaps *g, struct out *o)
{
	u64 all = switch_gaps_missing(g);
	int named = 0;

	if (!all)
		return;
	out_printf(o, "switches that are missing although nothing was reported lost: %" PRIu64 " (",
		   all);
	for (size_t i = 0; i < g->nr; i++) {
		if (!g->cpus[i].missing || ++named > NAMED_CPUS)
			continue;
		out_printf(o, "%sCPU %zu: %" PRIu64, named > 1 ? ", " : "", i, g->cpus[i].missing);
	}
	out_str(o, named > NAMED_CPUS ? ", ...)" : ")");
}

void switch_gaps_put(const struct switch_gaps *g, struct out *o)
{
	if (!switch_gaps_missing(g))
		return;
	out_str(o, "# ");
	switch_gaps_put_sentence(g, o);
	out_char(o, '\n');
}

void switch_gaps_fini(struct switch_gaps *g)
{
	free(g->cpus);
	*g = (struct switch_gaps){ 0 };
}
