/* SPDX-License-Identifier: MIT */
/*
 * How many cycles code took up to its branches, by the branch stacks of samples whose entries have
 * cycles since the entry before.
 */
#ifndef REPORT_ANNOTATE_BRANCH_CYCLES_H
#define REPORT_ANNOTATE_BRANCH_CYCLES_H

#include "report/annotate/annotate_code.h"
#include "session/sample_sink.h"

struct branch_cycles;

/* The code up to a branch. All is 0 for instructions that are no branches. */
struct insn_cycles {
	double ipc; /* instructions per cycle; 0: not known where the code began */
	u64 avg, min, max;
};

/* The cycles of one function. */
struct code_cycles {
	struct insn_cycles *of; /* by index in annot_code.insns */
	double ipc;             /* of all code with a known begin; 0: there is none */
	double coverage;        /* percentage of the instructions that are in such code */
	double with_ipc;        /* percentage of those that have an ipc in `of` */
};

/*
 * Reads the recording of s once, in a pass of its own, and collects the branches with cycles of the
 * samples that pass the filter. Returns NULL for recordings whose branches have no cycles, and for
 * streams, which can be read once only. Damage of the recording ends the collection.
 * branch_cycles_free() frees it; it takes NULL.
 */
struct branch_cycles *branch_cycles_new(struct session *s, const struct filter *filter);
void branch_cycles_free(struct branch_cycles *b);

/*
 * Makes the cycles of a function, as perf counts them: those of a branch are of the longest code
 * before it, without branches, that lies in the function. False: no branch of it has any; then
 * there is nothing to free. b may be NULL.
 */
bool code_cycles_init(struct code_cycles *c, struct branch_cycles *b,
		      const struct annot_code *code);
void code_cycles_fini(struct code_cycles *c);

#endif
