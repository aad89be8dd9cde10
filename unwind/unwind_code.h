/* SPDX-License-Identifier: MIT */
/*
 * Where a frame ends, told by its code: what is done to the stack pointer from a pc on until the
 * function returns. For x86-64 code that no call frame information describes: assembly, and C
 * libraries that are built without it.
 */
#ifndef UNWIND_UNWIND_CODE_H
#define UNWIND_UNWIND_CODE_H

#include "unwind/unwind_module.h"

/* Room to look at code, for one thread. */
struct unwind_code;
struct unwind_code *unwind_code_new(void);
void unwind_code_free(struct unwind_code *c);

/*
 * The rule of the frame that goes on at vaddr: RULE_SP or RULE_FP. RULE_GUESS when the code does
 * not tell: it never returns, goes where a register says, or takes its stack pointer from memory.
 * called: vaddr is where a call returns to, which may be behind the end of the function.
 */
u32 unwind_code_rule(struct unwind_code *c, const struct unwind_module *m, u64 vaddr, bool called);

#endif
