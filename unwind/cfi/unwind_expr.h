/* SPDX-License-Identifier: MIT */
/* Evaluates the DWARF expressions that call frame information contains. */
#ifndef UNWIND_CFI_UNWIND_EXPR_H
#define UNWIND_CFI_UNWIND_EXPR_H

#include "base/bytes.h"

enum unwind_expr_result {
	UNWIND_EXPR_OK,
	UNWIND_EXPR_BAD,    /* an unknown operation, or too many values or steps */
	UNWIND_EXPR_NO_REG, /* the value of a register is unknown */
	UNWIND_EXPR_NO_MEM, /* memory at env->failed_addr cannot be read */
};

struct unwind_expr_env {
	const u64 *regs; /* by DWARF number */
	u64 known;       /* bit n: regs[n] is known */
	u8 nr_regs;      /* at most 64 */
	u8 word;         /* size of an address in bytes: 4 or 8 */
	bool swap;       /* byte order of the expression's constants */
	/* Reads `size` bytes (1 to 8) of the process's memory at addr as a number in its byte
	 * order. Returns false if they are not available. */
	bool (*read)(void *ctx, u64 addr, unsigned int size, u64 *ret);
	void *ctx;
	u64 failed_addr; /* set with UNWIND_EXPR_NO_MEM */
};

/* Evaluates expr and sets *ret to the value on top of its stack. *initial is on the stack at the
 * start unless initial is NULL. */
enum unwind_expr_result unwind_expr(struct span expr, struct unwind_expr_env *env,
				    const u64 *initial, u64 *ret);

#endif
