/* SPDX-License-Identifier: MIT */
/*
 * One way through x86-64 code: what its instructions do to the stack pointer and the frame pointer.
 * Other registers do not matter, and are not followed.
 */
#ifndef UNWIND_CODE_WAY_H
#define UNWIND_CODE_WAY_H

#include "unwind/unwind_module.h"

/* Code of one module: the part of its segment from start on. Begin with { .m = module }. */
struct code_text {
	const struct unwind_module *m;
	u64 start; /* vaddr */
	struct span bytes;
};

/*
 * The two registers, counted from what one of them was where the way began: from the stack pointer,
 * or once it was set from there, from the frame pointer (by_fp).
 */
struct code_way {
	u64 at; /* vaddr of the next instruction */
	bool by_fp, sp_known;
	s64 sp;
	enum {
		FP_KEPT,
		FP_SAVED, /* was read from fp */
		FP_IS,    /* is fp */
		FP_LOST,
	} fp_is;
	s64 fp;
	bool fp_pushed; /* as it was where the way began, to pushed */
	s64 pushed;
};

enum code_step {
	CODE_GOES_ON,
	CODE_BRANCHES, /* and may go on elsewhere, too */
	CODE_RETURNS,
	CODE_ENDS, /* does not come back, or goes where a register says; no code is there */
};

/* One instruction. *ret_to: of a branch, where it may go. */
enum code_step code_way_step(struct code_way *w, struct code_text *t, u64 *ret_to);

/* What lies here is not what came before, where that was a call: it does not return. */
bool code_is_behind_the_end(struct code_text *t, u64 at);

/*
 * Where a function of a JIT is entered whose code begins at `at`: HotSpot has a call and padding
 * there that nobody comes to, where it compiled a method for a loop that was running already.
 */
u64 code_entry(struct code_text *t, u64 at);

/* The rule of a frame whose way has come to its return; 0 when that cannot be said. */
u32 code_way_rule(const struct code_way *w);

/* The rule at w->at, of a way that began with its function. */
u32 code_way_rule_inside(const struct code_way *w);

#endif
