/* SPDX-License-Identifier: MIT */
/* Where x86-64 instructions go on: with the next one, with another one, or with the caller. */
#ifndef RECORD_PROBE_X86_FLOW_H
#define RECORD_PROBE_X86_FLOW_H

#include "base/types.h"

enum x86_flow {
	FLOW_NEXT,     /* with the next one; a call comes back to it */
	FLOW_JUMP,     /* at a known place */
	FLOW_BRANCH,   /* at a known place, or with the next one */
	FLOW_INDIRECT, /* at a place that a register or memory has */
	FLOW_RET,
};

/* What the instruction of n bytes at p does, n as x86_insn_len() says. *ret_rel: how far from its
 * end it jumps, with FLOW_JUMP and FLOW_BRANCH. */
enum x86_flow x86_flow_of(const u8 *p, size_t n, s64 *ret_rel);

/* Returns how many bytes of prefixes an instruction of n bytes begins with. */
size_t x86_prefixes(const u8 *p, size_t n);

#endif
