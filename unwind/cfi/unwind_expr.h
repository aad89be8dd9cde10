/* SPDX-License-Identifier: MIT */
/* DWARF expressions of call frame information, over registers and memory. */
#ifndef UNWIND_CFI_UNWIND_EXPR_H
#define UNWIND_CFI_UNWIND_EXPR_H

#include "base/bytes.h"

enum unwind_expr_result {
	UNWIND_EXPR_OK,
	UNWIND_EXPR_BAD,    /* unknown operation, or stack or steps out of bounds */
	UNWIND_EXPR_NO_REG, /* a register that is not known */
	UNWIND_EXPR_NO_MEM, /* memory that is not at hand; env->failed_addr */
};

struct unwind_expr_env {
	const u64 *regs; /* by DWARF number */
	u64 known;       /* bit n: regs[n] is known */
	u8 nr_regs;      /* at most 64 */
	u8 word;         /* bytes of an address */
	bool swap;       /* byte order of the expression's constants */
	/* size is 1 to 8 bytes, in the order of the process. False when they are not at hand. */
	bool (*read)(void *ctx, u64 addr, unsigned int size, u64 *ret);
	void *ctx;
	u64 failed_addr;
};

/* initial is pushed first (NULL: nothing is). The top of the stack is the result. */
enum unwind_expr_result unwind_expr(struct span expr, struct unwind_expr_env *env,
				    const u64 *initial, u64 *ret);

#endif
