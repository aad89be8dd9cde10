/* SPDX-License-Identifier: MIT */
/* Parses --call-graph MODE[,SIZE] and the event term call-graph=MODE. */
#ifndef RECORD_MODEL_CALLGRAPH_OPTION_H
#define RECORD_MODEL_CALLGRAPH_OPTION_H

#include "record/model/rec_opts.h"

struct callgraph_option {
	enum rec_callgraph mode; /* one of REC_CG_FP, _DWARF, _LBR, _UNWIND */
	u32 stack_size;          /* bytes, rounded up to a multiple of 8; 0: not given */
	u16 max_stack;           /* frames, from "fp,N"; 0: not given */
};

/*
 * Parses MODE[,SIZE]. Fails with PERR_USAGE if the mode is unknown, or if the size is not a number,
 * 0, or above REC_STACK_MAX.
 */
int callgraph_option_parse(const char *text, struct callgraph_option *ret,
			   struct perr *e) MUST_CHECK;

/*
 * Parses the size of a stack copy in bytes, such as the value of the event term stack-size, and
 * rounds it up to a multiple of 8. Errors are those of callgraph_option_parse.
 */
int stack_size_parse(const char *text, u32 *ret, struct perr *e) MUST_CHECK;

#endif
