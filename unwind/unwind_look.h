/* SPDX-License-Identifier: MIT */
/*
 * What is at a program counter: no map, no file, code with or without a row of call frame
 * information, a signal trampoline. Every kind of walk asks here and shares the cache of answers.
 */
#ifndef UNWIND_UNWIND_LOOK_H
#define UNWIND_UNWIND_LOOK_H

#include "unwind/pc_cache.h"
#include "unwind/stack_copy.h"

struct unwinder {
	struct unwinder_config cfg;
	size_t max_frames;
	struct pc_cache cache;
	u32 prefetch; /* bytes of a stack to fetch ahead: a mean of what recent stacks used */
	struct unwind_code *code; /* made by the first pc that needs a rule from its instructions */
};

struct walk_tell {
	void (*tell)(void *ctx, const char *line);
	void *ctx;
};

struct walk {
	struct unwinder *u;
	const struct unwind_job *job;
	const struct unwind_arch_info *a;
	struct stack_copy stack;
	u32 space;
	const struct walk_tell *tell; /* gets a line about each step; NULL: no lines */
};

/* Prepares the walk of a job; u and job are borrowed until it ends. w->tell is NULL. */
void walk_start(struct walk *w, struct unwinder *u, const struct unwind_job *job);

/* The facts about a pc, from the cache or looked up now. Borrowed until the next call. */
const struct pc_info *walk_info(const struct walk *w, u64 pc);

/* No code is mapped at the pc of info. */
static inline bool pc_is_in_no_code(const struct pc_info *info)
{
	return rule_kind(info->rule) == RULE_OUT && info->end == UNWIND_NO_MAP;
}

/* Whether code is mapped at pc. */
bool walk_is_code(const struct walk *w, u64 pc);

/* aarch64: without the pointer authentication code; arm: without the thumb bit. */
u64 walk_clean_pc(const struct walk *w, u64 ra);

#endif
