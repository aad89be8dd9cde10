/* SPDX-License-Identifier: MIT */
/* The program of an expression: operations on a stack of values, in the order in which they run. */
#ifndef EVENTS_EXPR_EXPR_PRIV_H
#define EVENTS_EXPR_EXPR_PRIV_H

#include "events/expr/expr.h"

#define EXPR_MAX_OPS 256
#define EXPR_MAX_STACK 32

enum expr_op {
	/* push a value */
	OP_NUMBER, /* arg */
	OP_TEXT,   /* text */
	OP_FIELD,  /* the integer `field` */
	OP_FIELD_TEXT,
	OP_OWN, /* arg: enum sample_own */
	OP_OWN_COMM,
	OP_FIELD_AND_NUMBER, /* `then` of the integer `field` and arg: three steps in one */
	/* change the top value */
	OP_ELEM, /* into that element of `field` */
	OP_NEGATE,
	OP_NOT,
	OP_COMPLEMENT,
	OP_SHOW, /* arg: enum expr_show; changes nothing */
	/* two values into one */
	OP_MUL,
	OP_DIV,
	OP_DIV_UNSIGNED,
	OP_MOD,
	OP_MOD_UNSIGNED,
	OP_ADD,
	OP_SUB,
	OP_SHL,
	OP_SHR,
	OP_SHR_UNSIGNED,
	OP_LT,
	OP_LT_UNSIGNED,
	OP_GT,
	OP_GT_UNSIGNED,
	OP_LE,
	OP_LE_UNSIGNED,
	OP_GE,
	OP_GE_UNSIGNED,
	OP_EQ,
	OP_NE,
	OP_TEXT_ORDER, /* arg: OP_EQ, OP_NE, OP_LT, OP_GT, OP_LE or OP_GE, of two texts */
	OP_GLOB,
	OP_NO_GLOB,
	OP_BIT_AND,
	OP_XOR,
	OP_BIT_OR,
	OP_AND,
	OP_OR,
	/* three values into one */
	OP_SELECT,
};

/* In place of a step: the condition is known. */
#define CONDITION_FALSE (UINT32_MAX - 1)
#define CONDITION_TRUE UINT32_MAX

struct expr_step {
	enum expr_op op, then;
	/*
	 * The result of this step is the left side of && or ||, which is step `skip_to`: it is
	 * known without the right side where this result is false (SKIP_IF_FALSE) or true.
	 */
	enum { SKIP_NEVER, SKIP_IF_FALSE, SKIP_IF_TRUE } skip;
	u32 skip_to;
	/* of an expression that is_condition: the step after a field, by whether it is true there
	 */
	u32 next[2];
	u64 arg;
	struct span text;
	const struct pd_trace_field *field;
};

struct expr {
	char *source; /* what texts of steps point into */
	struct expr_step *steps;
	size_t nr, cap;
	bool is_text, is_unsigned;
	bool numbers_only; /* no step has to do with texts */
	/* comparisons of fields joined by &&, || and !: expr_is_true() goes from one to the next */
	bool is_condition;
	struct expr_tests *tests; /* where all comparisons can be such ones; NULL: they cannot */
	enum expr_show show;
};

/* To be called when all steps are there: sets numbers_only, and makes such an expression shorter.
 */
void expr_finish(struct expr *x);

#endif
