/* SPDX-License-Identifier: MIT */
/* --call-graph MODE[,SIZE] and the event term call-graph=MODE. */
#ifndef RECORD_MODEL_CALLGRAPH_OPTION_H
#define RECORD_MODEL_CALLGRAPH_OPTION_H

#include "record/model/rec_opts.h"

struct callgraph_option {
	enum rec_callgraph mode; /* REC_CG_FP, REC_CG_DWARF or REC_CG_LBR */
	u32 stack_size;          /* bytes, rounded up to 8; 0: not given */
	u16 max_stack;           /* frames, of "fp,N"; 0: not given */
};

/* PERR_USAGE for an unknown mode, a size that is no number, 0, or above REC_STACK_MAX. */
int callgraph_option_parse(const char *text, struct callgraph_option *ret,
			   struct perr *e) MUST_CHECK;

/* A stack copy's size alone (term stack-size=), rounded up to 8. Errors as above. */
int stack_size_parse(const char *text, u32 *ret, struct perr *e) MUST_CHECK;

#endif
