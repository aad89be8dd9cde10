/* SPDX-License-Identifier: MIT */
/*
 * Executes call frame instructions (DWARF 6.4.2, and extensions of GNU, ARM and MIPS). The state is
 * the set of rules at one location; each advance of the location ends a row. Time and memory are
 * linear in the bytes of the instructions, as constants limit the numbers of rules and remembered
 * states.
 */
#include "unwind/cfi/cfi_priv.h"

#include <elf.h>

#include "base/mem.h"

/* Signal frames have the most rules: those of powerpc save about 100 registers. */
#define MAX_RULES 128
/* Compilers nest remembered states once. */
#define MAX_REMEMBERED 64
#define ROOM_ON_STACK 128

enum {
	OP_ADVANCE = 0x40, /* the delta in the low six bits */
	OP_OFFSET = 0x80,  /* the register in the low six bits */
	OP_RESTORE = 0xc0,

	OP_NOP = 0x00,
	OP_SET_LOC = 0x01,
	OP_ADVANCE1 = 0x02,
	OP_ADVANCE2 = 0x03,
	OP_ADVANCE4 = 0x04,
	OP_OFFSET_EXTENDED = 0x05,
	OP_RESTORE_EXTENDED = 0x06,
	OP_UNDEFINED = 0x07,
	OP_SAME_VALUE = 0x08,
	OP_REGISTER = 0x09,
	OP_REMEMBER_STATE = 0x0a,
	OP_RESTORE_STATE = 0x0b,
	OP_DEF_CFA = 0x0c,
	OP_DEF_CFA_REGISTER = 0x0d,
	OP_DEF_CFA_OFFSET = 0x0e,
	OP_DEF_CFA_EXPRESSION = 0x0f,
	OP_EXPRESSION = 0x10,
	OP_OFFSET_EXTENDED_SF = 0x11,
	OP_DEF_CFA_SF = 0x12,
	OP_DEF_CFA_OFFSET_SF = 0x13,
	OP_VAL_OFFSET = 0x14,
	OP_VAL_OFFSET_SF = 0x15,
	OP_VAL_EXPRESSION = 0x16,
	OP_MIPS_ADVANCE8 = 0x1d,
	OP_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c,
	OP_WINDOW_SAVE = 0x2d, /* SPARC; aarch64: negate_ra_state */
	OP_GNU_ARGS_SIZE = 0x2e,
	OP_GNU_NEGATIVE_OFFSET = 0x2f,
};

struct remembered {
	struct cfi_rule cfa;
	s64 cfa_offset;
	bool ra_signed;
	u32 first, nr; /* its rules in `room` */
};

struct program {
	const struct cfi_section *s;
	const struct cfi_cie *cie;
	struct cursor c;
	bool (*each_row)(void *ctx, const struct cfi_row *row);
	void *ctx;
	u64 loc, end;
	bool in_cie, stopped;

	struct cfi_row row; /* the current row; its CFA rule is the current one */
	s64 cfa_offset; /* last offset of the CFA. It is kept while an expression defines the CFA,
			 * because the assembly of libgcrypt and OpenSSL relies on that */
	u32 nr, nr_initial, nr_remembered;
	u32 room_used, room_cap;
	struct cfi_reg_rule *room, *owned; /* rules of remembered states; owned: malloc'd */
	struct cfi_reg_rule rules[MAX_RULES], initial[MAX_RULES];
	struct cfi_reg_rule room_on_stack[ROOM_ON_STACK];
	struct remembered remembered[MAX_REMEMBERED];
};

static bool set_rule(struct program *p, u64 reg, struct cfi_rule rule)
{
	u32 i = p->nr;

	if (reg > UINT16_MAX)
		return false;
	p->row.has_same_regs = false;
	while (i && p->rules[i - 1].reg > reg)
		i--;
	if (i && p->rules[i - 1].reg == reg) {
		p->rules[i - 1].rule = rule;
		return true;
	}
	if (p->nr == MAX_RULES)
		return false;
	memmove(&p->rules[i + 1], &p->rules[i], (p->nr - i) * sizeof(p->rules[0]));
	p->rules[i] = (struct cfi_reg_rule){ (u16)reg, rule };
	p->nr++;
	return true;
}

static bool set_how(struct program *p, u64 reg, enum cfi_how how, s64 offset)
{
	return set_rule(p, reg, (struct cfi_rule){ .how = (u8)how, .offset = offset });
}

/* Multiplies n by the entry's data alignment. In damaged entries the product may wrap. */
static s64 scaled(const struct program *p, u64 n)
{
	return (s64)(n * (u64)p->cie->data_align);
}

/* Gives a register the rule that the CIE has for it, or none. */
static bool restore_rule(struct program *p, u64 reg)
{
	if (p->in_cie)
		return false;
	p->row.has_same_regs = false;
	for (u32 i = 0; i < p->nr_initial; i++)
		if (p->initial[i].reg == reg)
			return set_rule(p, reg, p->initial[i].rule);
	for (u32 i = 0; i < p->nr; i++) {
		if (p->rules[i].reg != reg)
			continue;
		p->nr--;
		memmove(&p->rules[i], &p->rules[i + 1], (p->nr - i) * sizeof(p->rules[0]));
		break;
	}
	return true;
}

static bool remember(struct program *p)
{
	if (p->nr_remembered == MAX_REMEMBERED)
		return false;
	if (p->room_used + p->nr > p->room_cap) {
		u32 cap = (p->room_used + p->nr) * 2;
		struct cfi_reg_rule *room = xmalloc(cap * sizeof(*room));

		memcpy(room, p->room, p->room_used * sizeof(*room));
		free(p->owned);
		p->room = p->owned = room;
		p->room_cap = cap;
	}
	memcpy(&p->room[p->room_used], p->rules, p->nr * sizeof(p->rules[0]));
	p->remembered[p->nr_remembered++] = (struct remembered){
		.cfa = p->row.cfa,
		.cfa_offset = p->cfa_offset,
		.ra_signed = p->row.ra_signed,
		.first = p->room_used,
		.nr = p->nr,
	};
	p->room_used += p->nr;
	return true;
}

/* Restores the last remembered state: all rules, that of the CFA too, but not the location. */
static bool recall(struct program *p)
{
	const struct remembered *r;

	if (!p->nr_remembered)
		return false;
	r = &p->remembered[--p->nr_remembered];
	p->row.cfa = r->cfa;
	p->row.ra_signed = r->ra_signed;
	p->row.has_same_regs = false;
	p->cfa_offset = r->cfa_offset;
	p->nr = r->nr;
	p->room_used = r->first;
	memcpy(p->rules, &p->room[r->first], r->nr * sizeof(p->rules[0]));
	return true;
}

/* Ends the row at `to`. */
static void advance_to(struct program *p, u64 to)
{
	if (to > p->end)
		to = p->end;
	if (to == p->loc)
		return;
	p->row.start = p->loc;
	p->row.end = to;
	p->row.nr_regs = p->nr;
	p->loc = to;
	p->stopped = !p->each_row(p->ctx, &p->row) || to == p->end;
	p->row.has_same_regs = true;
}

static bool advance_by(struct program *p, u64 n)
{
	u64 delta;

	if (p->in_cie)
		return false;
	if (__builtin_mul_overflow(n, p->cie->code_align, &delta) || delta > p->end - p->loc)
		delta = p->end - p->loc;
	advance_to(p, p->loc + delta);
	return true;
}

static bool set_location(struct program *p)
{
	u64 to;

	if (p->in_cie || !cfi_read_pointer(p->s, &p->c, p->cie->pointer_enc, p->cie->word, 0, &to))
		return false;
	if (to < p->loc)
		return false;
	advance_to(p, to);
	return true;
}

static bool set_cfa(struct program *p, u64 reg, s64 offset)
{
	if (reg > UINT16_MAX)
		return false;
	p->row.cfa = (struct cfi_rule){ .how = CFI_REGISTER, .reg = (u16)reg, .offset = offset };
	p->cfa_offset = offset;
	return true;
}

/*
 * Sets the offset of the CFA. If an expression defines the CFA, the offset counts only when a
 * register is set again, as in libgcc.
 */
static bool set_cfa_offset(struct program *p, s64 offset)
{
	p->cfa_offset = offset;
	if (p->row.cfa.how == CFI_REGISTER)
		p->row.cfa.offset = offset;
	return true;
}

static bool set_expression(struct program *p, enum cfi_how how)
{
	u64 reg = cfi_uleb(&p->c);
	struct cfi_rule rule = { .how = (u8)how };

	rule.expr = cur_bytes(&p->c, cfi_uleb(&p->c));
	return set_rule(p, reg, rule);
}

/*
 * SPARC's register window: the callee's in-registers (24-31) are the caller's out-registers (8-15),
 * and the locals and ins (16-31) lie at the CFA.
 */
static bool save_window(struct program *p)
{
	bool ok = true;

	for (u16 r = 8; r < 16; r++)
		ok &= set_rule(p, r, (struct cfi_rule){ .how = CFI_REGISTER, .reg = r + 16 });
	for (u16 r = 16; r < 32; r++)
		ok &= set_how(p, r, CFI_OFFSET, (s64)(r - 16) * p->s->word);
	return ok;
}

static bool window_or_ra_state(struct program *p, u8 op)
{
	switch (p->s->machine) {
	case EM_AARCH64: p->row.ra_signed = !p->row.ra_signed; return true;
	case EM_SPARC:
	case EM_SPARC32PLUS:
	case EM_SPARCV9: return op == OP_WINDOW_SAVE && save_window(p);
	default: return false;
	}
}

/* Executes one instruction. Returns false if it is unknown or makes no sense. */
static bool program_step(struct program *p)
{
	struct cursor *c = &p->c;
	u8 op = cur_u8(c);
	u64 reg;

	switch (op & 0xc0) {
	case OP_ADVANCE: return advance_by(p, op & 0x3f);
	case OP_OFFSET: return set_how(p, op & 0x3f, CFI_OFFSET, scaled(p, cfi_uleb(c)));
	case OP_RESTORE: return restore_rule(p, op & 0x3f);
	}
	switch (op) {
	case OP_NOP: return true;
	case OP_SET_LOC: return set_location(p);
	case OP_ADVANCE1: return advance_by(p, cur_u8(c));
	case OP_ADVANCE2: return advance_by(p, cur_u16(c));
	case OP_ADVANCE4: return advance_by(p, cur_u32(c));
	case OP_MIPS_ADVANCE8: return advance_by(p, cur_u64(c));
	case OP_RESTORE_EXTENDED: return restore_rule(p, cfi_uleb(c));
	case OP_UNDEFINED: return set_how(p, cfi_uleb(c), CFI_UNDEFINED, 0);
	case OP_SAME_VALUE: return set_how(p, cfi_uleb(c), CFI_SAME, 0);
	case OP_REMEMBER_STATE: return remember(p);
	case OP_RESTORE_STATE: return recall(p);
	case OP_DEF_CFA_REGISTER: return set_cfa(p, cfi_uleb(c), p->cfa_offset);
	case OP_DEF_CFA_OFFSET: return set_cfa_offset(p, (s64)cfi_uleb(c));
	case OP_DEF_CFA_OFFSET_SF: return set_cfa_offset(p, scaled(p, (u64)cfi_sleb(c)));
	case OP_DEF_CFA_EXPRESSION:
		p->row.cfa = (struct cfi_rule){ .how = CFI_EXPR };
		p->row.cfa.expr = cur_bytes(c, cfi_uleb(c));
		return true;
	case OP_EXPRESSION: return set_expression(p, CFI_EXPR);
	case OP_VAL_EXPRESSION: return set_expression(p, CFI_VAL_EXPR);
	case OP_AARCH64_NEGATE_RA_STATE_WITH_PC:
	case OP_WINDOW_SAVE: return window_or_ra_state(p, op);
	case OP_GNU_ARGS_SIZE: cfi_uleb(c); return true;
	}
	/* All other instructions have a register and a number as operands. */
	reg = cfi_uleb(c);
	switch (op) {
	case OP_OFFSET_EXTENDED: return set_how(p, reg, CFI_OFFSET, scaled(p, cfi_uleb(c)));
	case OP_OFFSET_EXTENDED_SF: return set_how(p, reg, CFI_OFFSET, scaled(p, (u64)cfi_sleb(c)));
	case OP_GNU_NEGATIVE_OFFSET: return set_how(p, reg, CFI_OFFSET, scaled(p, -cfi_uleb(c)));
	case OP_VAL_OFFSET: return set_how(p, reg, CFI_VAL_OFFSET, scaled(p, cfi_uleb(c)));
	case OP_VAL_OFFSET_SF: return set_how(p, reg, CFI_VAL_OFFSET, scaled(p, (u64)cfi_sleb(c)));
	case OP_DEF_CFA: return set_cfa(p, reg, (s64)cfi_uleb(c));
	case OP_DEF_CFA_SF: return set_cfa(p, reg, scaled(p, (u64)cfi_sleb(c)));
	case OP_REGISTER: {
		u64 from = cfi_uleb(c);

		return from <= UINT16_MAX &&
		       set_rule(p, reg, (struct cfi_rule){ .how = CFI_REGISTER, .reg = (u16)from });
	}
	default: return false;
	}
}

static int program_run(struct program *p, struct span code, struct perr *e)
{
	p->c = cursor_of(code, p->s->swap);
	while (cur_left(&p->c) && !p->stopped) {
		const u8 *at = p->c.p;

		if (!program_step(p) || p->c.bad)
			return perr_at(e, PERR_FORMAT, (u64)(at - p->s->bytes.p),
				       "%s: call frame instruction 0x%02x cannot be used",
				       p->s->debug_frame ? ".debug_frame" : ".eh_frame", *at);
	}
	return 0;
}

int cfi_rows(const struct cfi *c, const struct cfi_fde *fde,
	     bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx, struct perr *e)
{
	const struct cfi_section *s = fde->debug_frame ? &c->df : &c->eh;
	struct cfi_function f;
	struct program p;
	int err = cfi_read_function(s, fde->offset, &f, e);

	if (err)
		return err;
	/*
	 * The members are set one by one, since clearing all of p would touch room that most
	 * functions never use.
	 */
	p.s = s;
	p.cie = &f.cie;
	p.each_row = each_row;
	p.ctx = ctx;
	p.loc = f.start;
	p.end = f.end;
	p.in_cie = true;
	p.stopped = false;
	p.row = (struct cfi_row){
		.cfa = { .how = CFI_UNSPECIFIED },
		.regs = p.rules,
		.ra_reg = f.cie.ra_reg,
		.signal_frame = f.cie.signal_frame,
	};
	p.cfa_offset = 0;
	p.nr = p.nr_initial = p.nr_remembered = 0;
	p.room = p.room_on_stack;
	p.owned = NULL;
	p.room_cap = ROOM_ON_STACK;
	p.room_used = 0;

	err = program_run(&p, f.cie.code, e);
	if (!err) {
		memcpy(p.initial, p.rules, p.nr * sizeof(p.rules[0]));
		p.nr_initial = p.nr;
		p.nr_remembered = p.room_used = 0;
		p.in_cie = false;
		err = program_run(&p, f.code, e);
	}
	if (!err && !p.stopped)
		advance_to(&p, p.end);
	free(p.owned);
	return err;
}
