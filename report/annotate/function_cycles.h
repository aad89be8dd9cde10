/* SPDX-License-Identifier: MIT */
/* The cycles of functions that branches lead to, for tables that have a column of them. */
#ifndef REPORT_ANNOTATE_FUNCTION_CYCLES_H
#define REPORT_ANNOTATE_FUNCTION_CYCLES_H

#include "count/counts.h"
#include "report/annotate/annotate_code.h"
#include "session/sample_sink.h"

/* By frame of the counts; 0 where no branch leads to, or the code or its cycles are not known. */
struct function_cycles {
	double *ipc;      /* instructions per cycle */
	double *coverage; /* code_cycles.with_ipc, which perf 7.2 calls coverage in its tables */
};

/*
 * Reads the recording of s once more, and the code of each function that a branch of c leads to. c
 * must have COUNT_BRANCH_TO. Both members of *ret are NULL if the branches have no cycles, and of a
 * stream. function_cycles_fini() frees them.
 */
void function_cycles_init(struct function_cycles *ret, struct session *s, const struct counts *c,
			  const struct filter *filter, const struct annot_code_config *cfg);
void function_cycles_fini(struct function_cycles *f);

#endif
