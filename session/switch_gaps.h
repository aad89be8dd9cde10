/* SPDX-License-Identifier: MIT */
/*
 * Switches that are missing although no record was reported lost: the thread that leaves a CPU is
 * the one that came to it last. Some kernels record no switch of the idle thread of some CPUs.
 */
#ifndef SESSION_SWITCH_GAPS_H
#define SESSION_SWITCH_GAPS_H

#include "base/out.h"

struct switch_gaps_cpu {
	u32 next; /* the thread that came last */
	bool known;
	u64 missing;
};

/* All zero: none yet. */
struct switch_gaps {
	struct switch_gaps_cpu *cpus;
	size_t nr, cap;
	/* a thread of the kernel was seen to leave a CPU: events are of all threads, not of chosen
	 * ones */
	bool all_threads;
};

/*
 * Thread `prev`, of this name (NULL: not known), leaves a CPU, and `next` comes to it. Switches are
 * taken in the order of time.
 */
void switch_gaps_take(struct switch_gaps *g, u32 cpu, u32 prev, const char *comm, u32 next);

/* As switch_gaps_take() of a thread of which only the number is known, in less time. */
static inline void switch_gaps_take_tids(struct switch_gaps *g, u32 cpu, u32 prev, u32 next)
{
	struct switch_gaps_cpu *c;

	if (cpu >= g->nr) {
		switch_gaps_take(g, cpu, prev, NULL, next);
		return;
	}
	c = &g->cpus[cpu];
	g->all_threads |= !prev;
	c->missing += c->known & (c->next != prev);
	c->next = next;
	c->known = true;
}

/* A thread of this name leaves a CPU, in any order: for g->all_threads alone. */
void switch_gaps_note(struct switch_gaps *g, u32 prev, const char *comm);
/* Records were lost: what follows needs no switch before it. */
void switch_gaps_lost(struct switch_gaps *g);
/* Begins a new count. */
void switch_gaps_restart(struct switch_gaps *g);
/* How many are missing; 0 where it is not known that all threads were recorded. */
u64 switch_gaps_missing(const struct switch_gaps *g);
/* Writes how many are missing and on which CPUs, without an end of line; nothing if none are. */
void switch_gaps_put_sentence(const struct switch_gaps *g, struct out *o);
/* The same as a line that begins with "# ". */
void switch_gaps_put(const struct switch_gaps *g, struct out *o);
void switch_gaps_fini(struct switch_gaps *g);

#endif
