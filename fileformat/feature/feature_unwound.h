/* SPDX-License-Identifier: MIT */
/*
 * The UNWOUND section, which is prec's own: events whose samples had copies of user stacks, which
 * prec has unwound, so that the call chains are whole. Bits of the samples' misc say how each stack
 * ended (PD_MISC_STACK_END_MASK). Layout: {u32 version 1, u32 nr}, nr times {u32 index of the
 * event, u32 copy_size, u64 stacks, frames, guessed, joined}. feature.h describes arguments and
 * errors.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_UNWOUND_H
#define FILEFORMAT_FEATURE_FEATURE_UNWOUND_H

#include "fileformat/feature/feature.h"

struct pd_unwound {
	u32 event;     /* its position among the file's events */
	u32 copy_size; /* attr.sample_stack_user as it was, bytes */
	u64 stacks;    /* that were unwound */
	u64 frames;    /* of these stacks, in user space */
	u64 guessed;   /* of the frames: found without call frame information */
	u64 joined;    /* of the stacks: truncated, with callers from memory or other samples */
};

int pd_unwound_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e) MUST_CHECK;
int pd_unwound_next(struct pd_list *l, struct pd_unwound *ret, struct perr *e) MUST_CHECK;

#endif
