/* SPDX-License-Identifier: MIT */
/*
 * Follows one path of execution through x86-64 code and tracks how its instructions change the
 * stack pointer and the frame pointer. Other registers are not tracked.
 */
#ifndef UNWIND_CODE_WAY_H
#define UNWIND_CODE_WAY_H

#include "unwind/unwind_module.h"

/* Code bytes of a module, loaded as needed. Initialise it with { .m = module }. */
struct code_text {
	const struct unwind_module *m;
	u64 start; /* vaddr of the first byte */
	struct span bytes;
};

/*
 * The state on a path. Offsets are in bytes, relative to the stack pointer at the path's start, or,
 * with by_fp (an instruction has set the stack pointer from the frame pointer), relative to the
 * frame pointer there.
 */
struct code_way {
	u64 at; /* vaddr of the next instruction */
	bool by_fp, sp_known;
	s64 sp; /* offset that the stack pointer has now, with sp_known */
	/* What the frame pointer holds now: */
	enum {
		FP_KEPT,  /* its value at the path's start */
		FP_SAVED, /* the word loaded from offset fp */
		FP_IS,    /* the address at offset fp */
		FP_LOST,  /* an unknown value */
	} fp_is;
	s64 fp;
	bool fp_pushed; /* its value at the path's start was pushed to offset `pushed` */
	s64 pushed;
};

enum code_step {
	CODE_GOES_ON,  /* execution continues with the next instruction */
	CODE_BRANCHES, /* execution continues there or at *ret_to */
	CODE_RETURNS,  /* the instruction returns from the function */
	CODE_ENDS,     /* execution does not come back, the target is in a register, or the
			* module has no code here */
};

/* Executes the instruction at w->at on *w and moves w->at on. *ret_to: the target of a branch. */
enum code_step code_way_step(struct code_way *w, struct code_text *t, u64 *ret_to);

/* True if the code at `at` seems to belong to another function than a call that ends there, which
 * then does not return. */
bool code_is_behind_the_end(struct code_text *t, u64 at);

/*
 * Returns the address at which a JIT-compiled function with code from `at` on is entered. In code
 * that HotSpot compiled for a loop that was already running, a call and padding come first, which
 * are never executed.
 */
u64 code_entry(struct code_text *t, u64 at);

/* Returns the unwind rule (unwind_rule.h) for the start of a path that has reached the function's
 * return; 0 if the path does not show it. */
u32 code_way_rule(const struct code_way *w);

/* Returns the unwind rule (unwind_rule.h) for w->at, on a path that began at its function's start.
 */
u32 code_way_rule_inside(const struct code_way *w);

#endif
