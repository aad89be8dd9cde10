/* SPDX-License-Identifier: MIT */
/*
 * Derives the unwind rule for a pc from the machine code: it follows the instructions from the pc
 * to the function's return and tracks the stack pointer. For x86-64 code without call frame
 * information: assembly, and C libraries that are built without it.
 */
#ifndef UNWIND_UNWIND_CODE_H
#define UNWIND_UNWIND_CODE_H

#include "unwind/unwind_module.h"

/* Working memory of the analysis, for one thread. */
struct unwind_code;
struct unwind_code *unwind_code_new(void);
void unwind_code_free(struct unwind_code *c);

/*
 * Returns the unwind rule (unwind_rule.h) for a frame that continues at vaddr: RULE_SP or RULE_FP,
 * or RULE_GUESS if the code does not show it, because it never returns, jumps to an address in a
 * register, or loads the stack pointer from memory. called: vaddr is a return address, which may be
 * past the end of the function if the callee does not return.
 */
u32 unwind_code_rule(struct unwind_code *c, const struct unwind_module *m, u64 vaddr, bool called);

#endif
