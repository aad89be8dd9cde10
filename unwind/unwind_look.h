/* SPDX-License-Identifier: MIT */
/*
 * Finds out what is at a pc: no map, a map without a file, code with or without call frame
 * information, or a signal trampoline. All ways of unwinding use this lookup and its cache.
 */
#ifndef UNWIND_UNWIND_LOOK_H
#define UNWIND_UNWIND_LOOK_H

#include "unwind/pc_cache.h"
#include "unwind/stack_copy.h"

struct unwinder {
	struct unwinder_config cfg;
	size_t max_frames;
	struct pc_cache cache;
	u32 prefetch; /* bytes of a stack copy to prefetch: the mean that recent stacks used */
	struct unwind_code *code; /* made when the first rule is derived from instructions */
};

/* Receives the lines of unwind_explain(). */
struct walk_tell {
	void (*tell)(void *ctx, const char *line);
	void *ctx;
};

struct walk {
	struct unwinder *u;
	const struct unwind_job *job;
	const struct unwind_arch_info *a;
	struct stack_copy stack;
	u64 leaf_sp; /* the stack pointer where the leaf's pc is right: see walk_start() */
	u32 space;
	const struct walk_tell *tell; /* receives a line about each step; NULL for none */
};

/*
 * Prepares unwinding the stack of a job. u and job are borrowed as long as w is used. Sets w->tell
 * to NULL. Precise events give the address of the counted instruction with the registers after it:
 * if that is a call of x86, w->leaf_sp is the stack pointer before the call.
 */
void walk_start(struct walk *w, struct unwinder *u, const struct unwind_job *job);

/* Returns the facts about a pc, from the cache or looked up now. They are valid until the next
 * call.
 */
const struct pc_info *walk_info(const struct walk *w, u64 pc);

/* True if no code is mapped at the pc of info. */
static inline bool pc_is_in_no_code(const struct pc_info *info)
{
	return rule_kind(info->rule) == RULE_OUT && info->end == UNWIND_NO_MAP;
}

/* True if code is mapped at pc. */
bool walk_is_code(const struct walk *w, u64 pc);

/* Returns the address in return address ra, without aarch64's pointer authentication code or arm's
 * thumb bit. */
u64 walk_clean_pc(const struct walk *w, u64 ra);

#endif
