/* SPDX-License-Identifier: MIT */
#include "unwind/cfi/unwind_expr.h"

#include <dwarf.h>

/* Expressions of real files take less than 20 steps and 4 stack entries. */
#define MAX_STEPS 512
#define MAX_STACK 32

struct expr_machine {
	struct cursor c;
	struct span expr;
	struct unwind_expr_env *env;
	u64 stack[MAX_STACK];
	unsigned int nr;
	enum unwind_expr_result bad; /* UNWIND_EXPR_OK until an error occurs */
};

static void expr_fail(struct expr_machine *m, enum unwind_expr_result why)
{
	if (!m->bad)
		m->bad = why;
}

static void push(struct expr_machine *m, u64 v)
{
	if (m->nr == MAX_STACK)
		expr_fail(m, UNWIND_EXPR_BAD);
	else
		m->stack[m->nr++] = m->env->word == 4 ? (u32)v : v;
}

static u64 pop(struct expr_machine *m)
{
	if (!m->nr) {
		expr_fail(m, UNWIND_EXPR_BAD);
		return 0;
	}
	return m->stack[--m->nr];
}

static s64 pop_signed(struct expr_machine *m)
{
	u64 v = pop(m);

	return m->env->word == 4 ? (s32)v : (s64)v;
}

static u64 pick(struct expr_machine *m, unsigned int depth)
{
	if (depth >= m->nr) {
		expr_fail(m, UNWIND_EXPR_BAD);
		return 0;
	}
	return m->stack[m->nr - 1 - depth];
}

static u64 uleb(struct expr_machine *m)
{
	u64 v = 0;
	u8 b;
	unsigned int shift = 0;

	do {
		b = cur_u8(&m->c);
		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		shift += 7;
	} while ((b & 0x80) && !m->c.bad);
	return v;
}

static s64 sleb(struct expr_machine *m)
{
	u64 v = 0;
	u8 b;
	unsigned int shift = 0;

	do {
		b = cur_u8(&m->c);
		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		shift += 7;
	} while ((b & 0x80) && !m->c.bad);
	if (shift < 64 && (b & 0x40))
		v |= ~0ull << shift;
	return (s64)v;
}

static void push_reg(struct expr_machine *m, u64 reg, u64 offset)
{
	if (reg >= m->env->nr_regs || !(m->env->known >> reg & 1))
		expr_fail(m, UNWIND_EXPR_NO_REG);
	else
		push(m, m->env->regs[reg] + offset);
}

static void deref(struct expr_machine *m, unsigned int size)
{
	u64 addr = pop(m), v = 0;

	if (!size || size > 8) {
		expr_fail(m, UNWIND_EXPR_BAD);
	} else if (!m->bad && !m->env->read(m->env->ctx, addr, size, &v)) {
		m->env->failed_addr = addr;
		expr_fail(m, UNWIND_EXPR_NO_MEM);
	}
	push(m, v);
}

/* Executes an operation with two operands. The left one is below the top of the stack. */
static void binary(struct expr_machine *m, u8 op)
{
	u64 b = pop(m), a = pop(m);
	s64 sa = m->env->word == 4 ? (s32)a : (s64)a, sb = m->env->word == 4 ? (s32)b : (s64)b;

	switch (op) {
	case DW_OP_and: push(m, a & b); break;
	case DW_OP_or: push(m, a | b); break;
	case DW_OP_xor: push(m, a ^ b); break;
	case DW_OP_plus: push(m, a + b); break;
	case DW_OP_minus: push(m, a - b); break;
	case DW_OP_mul: push(m, a * b); break;
	case DW_OP_div:
		if (!sb)
			expr_fail(m, UNWIND_EXPR_BAD);
		push(m, !sb ? 0 : sb == -1 ? 0 - a : (u64)(sa / sb));
		break;
	case DW_OP_mod:
		if (!b)
			expr_fail(m, UNWIND_EXPR_BAD);
		push(m, b ? a % b : 0);
		break;
	case DW_OP_shl: push(m, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push(m, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push(m, (u64)(sa >> (b < 63 ? b : 63))); break;
	case DW_OP_eq: push(m, a == b); break;
	case DW_OP_ne: push(m, a != b); break;
	case DW_OP_lt: push(m, sa < sb); break;
	case DW_OP_le: push(m, sa <= sb); break;
	case DW_OP_gt: push(m, sa > sb); break;
	case DW_OP_ge: push(m, sa >= sb); break;
	default: expr_fail(m, UNWIND_EXPR_BAD);
	}
}

static void unary(struct expr_machine *m, u8 op)
{
	s64 v = pop_signed(m);

	if (op == DW_OP_neg)
		v = (s64)(0 - (u64)v);
	else if (op == DW_OP_not)
		v = ~v;
	else if (v < 0) /* abs */
		v = (s64)(0 - (u64)v);
	push(m, (u64)v);
}

static void jump(struct expr_machine *m, s64 by)
{
	s64 to = m->c.p - m->expr.p + by;

	if (to < 0 || (u64)to > m->expr.n)
		expr_fail(m, UNWIND_EXPR_BAD);
	else
		m->c.p = m->expr.p + to;
}

static void stack_op(struct expr_machine *m, u8 op)
{
	u64 a, b, c;

	switch (op) {
	case DW_OP_dup: push(m, pick(m, 0)); break;
	case DW_OP_over: push(m, pick(m, 1)); break;
	case DW_OP_pick: push(m, pick(m, cur_u8(&m->c))); break;
	case DW_OP_drop: pop(m); break;
	case DW_OP_swap:
		a = pop(m);
		b = pop(m);
		push(m, a);
		push(m, b);
		break;
	default: /* rot */
		a = pop(m);
		b = pop(m);
		c = pop(m);
		push(m, a);
		push(m, c);
		push(m, b);
	}
}

static bool constant(struct expr_machine *m, u8 op)
{
	switch (op) {
	case DW_OP_addr: push(m, m->env->word == 4 ? cur_u32(&m->c) : cur_u64(&m->c)); break;
	case DW_OP_const1u: push(m, cur_u8(&m->c)); break;
	case DW_OP_const1s: push(m, (u64)(s8)cur_u8(&m->c)); break;
	case DW_OP_const2u: push(m, cur_u16(&m->c)); break;
	case DW_OP_const2s: push(m, (u64)(int16_t)cur_u16(&m->c)); break;
	case DW_OP_const4u: push(m, cur_u32(&m->c)); break;
	case DW_OP_const4s: push(m, (u64)(s32)cur_u32(&m->c)); break;
	case DW_OP_const8u:
	case DW_OP_const8s: push(m, cur_u64(&m->c)); break;
	case DW_OP_constu: push(m, uleb(m)); break;
	case DW_OP_consts: push(m, (u64)sleb(m)); break;
	default: return false;
	}
	return true;
}

static void expr_step(struct expr_machine *m, u8 op)
{
	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - DW_OP_lit0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_reg(m, op - DW_OP_breg0, (u64)sleb(m));
	} else if (!constant(m, op)) {
		switch (op) {
		case DW_OP_bregx: {
			u64 reg = uleb(m);

			push_reg(m, reg, (u64)sleb(m));
			break;
		}
		case DW_OP_deref: deref(m, m->env->word); break;
		case DW_OP_deref_size: deref(m, cur_u8(&m->c)); break;
		case DW_OP_plus_uconst: push(m, pop(m) + uleb(m)); break;
		case DW_OP_skip: jump(m, (int16_t)cur_u16(&m->c)); break;
		case DW_OP_bra: {
			int16_t by = (int16_t)cur_u16(&m->c);

			if (pop(m))
				jump(m, by);
			break;
		}
		case DW_OP_nop: break;
		case DW_OP_neg:
		case DW_OP_not:
		case DW_OP_abs: unary(m, op); break;
		case DW_OP_dup:
		case DW_OP_over:
		case DW_OP_pick:
		case DW_OP_drop:
		case DW_OP_swap:
		case DW_OP_rot: stack_op(m, op); break;
		default: binary(m, op);
		}
	}
}

enum unwind_expr_result unwind_expr(struct span expr, struct unwind_expr_env *env,
				    const u64 *initial, u64 *ret)
{
	struct expr_machine m = { .c = cursor_of(expr, env->swap), .expr = expr, .env = env };

	if (initial)
		push(&m, *initial);
	for (unsigned int steps = 0; cur_left(&m.c) && !m.bad && !m.c.bad; steps++) {
		if (steps == MAX_STEPS)
			return UNWIND_EXPR_BAD;
		expr_step(&m, cur_u8(&m.c));
	}
	*ret = pop(&m);
	return m.c.bad ? UNWIND_EXPR_BAD : m.bad;
}
