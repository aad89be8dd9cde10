/* SPDX-License-Identifier: MIT */
/* Encoding facts: Intel SDM volume 2. */
#include "unwind/code_way.h"

#include "symbols/elf/insn_len.h"

enum { RSP = 4, RBP = 5 };

/* The parts of a decoded instruction that code_way_step() needs. */
struct insn {
	const u8 *p; /* the opcode, after the prefixes */
	unsigned int len;
	u64 next; /* vaddr of the next instruction */
	bool rex_w, rex_r, rex_x, rex_b;
	bool has_f3;
};

static bool is_prefix(u8 b)
{
	return b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3 || b == 0x2e ||
	       b == 0x36 || b == 0x3e || b == 0x26 || b == 0x64 || b == 0x65;
}

/*
 * Returns the code bytes from vaddr `at` to the end of their segment; none if `at` is not in code.
 */
static struct span code_at(struct code_text *t, u64 at)
{
	if (at < t->start || at - t->start >= t->bytes.n) {
		t->start = at;
		t->bytes = unwind_module_bytes(t->m, at, SIZE_MAX);
		if (!t->bytes.n)
			return t->bytes;
	}
	return span_of(t->bytes.p + (at - t->start), t->bytes.n - (size_t)(at - t->start));
}

static bool read_insn(struct code_text *t, u64 at, struct insn *ret)
{
	struct span code = code_at(t, at);
	unsigned int len = code.n ? x86_insn_len(code.p, code.n, true) : 0, i = 0;

	*ret = (struct insn){ .next = at + len };
	if (!len)
		return false;
	for (; i + 1 < len && is_prefix(code.p[i]); i++)
		ret->has_f3 |= code.p[i] == 0xf3;
	if (i < len && (code.p[i] & 0xf0) == 0x40) {
		ret->rex_w = code.p[i] & 8;
		ret->rex_r = code.p[i] & 4;
		ret->rex_x = code.p[i] & 2;
		ret->rex_b = code.p[i] & 1;
		i++;
	}
	ret->p = code.p + i;
	ret->len = len - i;
	return ret->len > 0;
}

static s64 imm8(const u8 *p)
{
	return (s8)*p;
}

static s64 imm32(const u8 *p)
{
	return (s32)get_u32(p, false);
}

/*
 * mod_of(), reg_of() and rm_of() return the fields of ModRM, for instructions that have this byte.
 */
static u8 mod_of(const struct insn *i)
{
	return i->len > 1 ? i->p[1] >> 6 : 0;
}

static unsigned int reg_of(const struct insn *i)
{
	return (i->len > 1 ? i->p[1] >> 3 & 7 : 0) | (unsigned int)i->rex_r << 3;
}

static unsigned int rm_of(const struct insn *i)
{
	return (i->len > 1 ? i->p[1] & 7 : 0) | (unsigned int)i->rex_b << 3;
}

/*
 * Decodes a memory operand of the form [rsp + *ret] or [rbp + *ret]. Returns RSP or RBP, or -1 for
 * any other operand.
 */
static int stack_operand(const struct insn *i, s64 *ret)
{
	u8 mod = mod_of(i);
	unsigned int at = 2;

	if (mod == 3 || i->rex_b)
		return -1;
	if (rm_of(i) == RSP) {
		if (i->rex_x || i->len < 3 || i->p[2] != 0x24)
			return -1;
		at = 3;
	} else if (rm_of(i) != RBP || !mod) {
		return -1;
	}
	*ret = mod == 1 ? imm8(i->p + at) : mod == 2 ? imm32(i->p + at) : 0;
	return (int)rm_of(i);
}

static void set_sp_from_fp(struct code_way *w, s64 add)
{
	w->sp_known = w->fp_is == FP_KEPT || w->fp_is == FP_IS;
	w->sp = w->fp_is == FP_IS ? w->fp + add : add;
	if (w->fp_is != FP_KEPT)
		return;
	w->by_fp = true;
	w->fp_pushed = false;
}

static void push(struct code_way *w, bool fp)
{
	w->sp -= 8;
	if (fp && w->fp_is == FP_KEPT && w->sp_known) {
		w->fp_pushed = true;
		w->pushed = w->sp;
	}
}

static void load_fp(struct code_way *w, s64 from)
{
	if (!w->sp_known)
		w->fp_is = FP_LOST;
	else if (w->fp_pushed && w->pushed == from)
		w->fp_is = FP_KEPT;
	else
		w->fp_is = w->by_fp || from >= 0 ? FP_SAVED : FP_LOST;
	w->fp = from;
}

static void pop(struct code_way *w, unsigned int reg)
{
	if (reg == RBP)
		load_fp(w, w->sp);
	w->sp += 8;
	if (reg == RSP)
		w->sp_known = false;
}

/* Executes opcodes 81 and 83, arithmetic with an immediate, if the operand is the stack pointer. */
static void add_to_sp(struct code_way *w, const struct insn *i)
{
	s64 imm = 0;

	if (mod_of(i) != 3 || rm_of(i) != RSP)
		return;
	if (i->p[0] == 0x83)
		imm = imm8(i->p + 2);
	else if (i->rex_w)
		imm = imm32(i->p + 2);
	switch (reg_of(i) & 7) {
	case 0: w->sp += imm; break;
	case 5: w->sp -= imm; break;
	case 7: return; /* cmp */
	default: w->sp_known = false;
	}
	if (!i->rex_w)
		w->sp_known = false;
}

/*
 * Executes lea (8d) and mov (89: from register reg, 8b: to it) if the target is one of the two
 * registers.
 */
static void move(struct code_way *w, const struct insn *i)
{
	unsigned int to = i->p[0] == 0x89 ? rm_of(i) : reg_of(i);
	unsigned int from = i->p[0] == 0x89 ? reg_of(i) : rm_of(i);
	bool in_memory = mod_of(i) != 3;
	int base = -1;
	s64 off = 0;

	if ((i->p[0] == 0x89 && in_memory) || (to != RSP && to != RBP))
		return;
	if (in_memory)
		base = stack_operand(i, &off);
	if (i->p[0] == 0x8d || !in_memory) {
		/*
		 * the new value of `to` is followed if it is computed from the stack or frame
		 * pointer
		 */
		if (!in_memory)
			base = from == RSP || from == RBP ? (int)from : -1;
		if (!i->rex_w)
			base = -1;
		if (to == RSP && base == RSP)
			w->sp += off;
		else if (to == RSP && base == RBP)
			set_sp_from_fp(w, off);
		else if (to == RSP)
			w->sp_known = false;
		else if (base == RSP && w->sp_known) {
			w->fp_is = FP_IS;
			w->fp = w->sp + off;
		} else if (base != RBP || off) {
			w->fp_is = FP_LOST;
		}
		return;
	}
	if (to == RSP)
		w->sp_known = false;
	else if (base == RSP && i->rex_w)
		load_fp(w, w->sp + off);
	else if (base == RBP && i->rex_w && w->fp_is == FP_IS)
		load_fp(w, w->fp + off);
	else
		w->fp_is = FP_LOST;
}

/* True if the instruction writes to the stack pointer in a way that this file does not follow. */
static bool loses_sp(const struct insn *i)
{
	switch (i->p[0]) {
	case 0x01:
	case 0x09:
	case 0x11:
	case 0x19:
	case 0x21:
	case 0x29:
	case 0x31:
	case 0xc1:
	case 0xc7:
	case 0xd1:
	case 0xd3: return mod_of(i) == 3 && rm_of(i) == RSP;
	case 0x03:
	case 0x0b:
	case 0x13:
	case 0x1b:
	case 0x23:
	case 0x2b:
	case 0x33:
	case 0x63:
	case 0x69:
	case 0x6b: return reg_of(i) == RSP;
	case 0x87: return reg_of(i) == RSP || (mod_of(i) == 3 && rm_of(i) == RSP);
	case 0x94: return !i->rex_b;
	case 0xbc: return !i->rex_b;
	default: return false;
	}
}

static bool is_padding(const struct insn *i)
{
	return (i->p[0] == 0x90 && !i->has_f3) || i->p[0] == 0xcc ||
	       (i->p[0] == 0x0f && i->len > 1 && i->p[1] == 0x1f);
}

bool code_is_behind_the_end(struct code_text *t, u64 at)
{
	struct insn i;

	/*
	 * HotSpot writes a nop after each call, so padding shows no end there; bytes that a JIT
	 * compiler reported end with the function
	 */
	if (unwind_module_is_made(t->m))
		return !read_insn(t, at, &i) || i.p[0] == 0xcc;
	return !read_insn(t, at, &i) || is_padding(&i) ||
	       (i.has_f3 && i.len == 3 && i.p[0] == 0x0f && i.p[1] == 0x1e && i.p[2] == 0xfa);
}

u64 code_entry(struct code_text *t, u64 at)
{
	struct insn i;

	if (!read_insn(t, at, &i) || i.p[0] != 0xe8)
		return at;
	while (read_insn(t, i.next, &i) && is_padding(&i))
		at = i.next;
	return at;
}

static enum code_step step_call(struct code_text *t, const struct insn *i)
{
	return code_is_behind_the_end(t, i->next) ? CODE_ENDS : CODE_GOES_ON;
}

/* Executes an instruction with opcode 0f xx. Only ud2 and conditional jumps matter here. */
static enum code_step step_two_byte(const struct insn *i, u64 *ret_to)
{
	u8 op = i->len > 1 ? i->p[1] : 0x0b;

	if (op == 0x0b) /* ud2 */
		return CODE_ENDS;
	if ((op & 0xf0) != 0x80 || i->len != 6)
		return CODE_GOES_ON;
	*ret_to = i->next + (u64)imm32(i->p + 2);
	return CODE_BRANCHES;
}

/* Executes an instruction with opcode ff: inc, dec, call, jmp or push. */
static enum code_step step_group_5(struct code_way *w, struct code_text *t, const struct insn *i)
{
	switch (reg_of(i) & 7) {
	case 2: return step_call(t, i);
	case 4:
		/*
		 * a tail call through a slot of the GOT: its target returns to this function's
		 * caller
		 */
		if (mod_of(i) == 0 && rm_of(i) == RBP)
			return CODE_RETURNS;
		/* in an interpreter this jumps to the code of the next bytecode */
		if (unwind_module_is_made(t->m))
			return CODE_ENDS;
		/* a jump table: its first target mostly follows the jump */
		return code_is_behind_the_end(t, i->next) ? CODE_ENDS : CODE_GOES_ON;
	case 5: return CODE_ENDS;
	case 6: push(w, false); return CODE_GOES_ON;
	default:
		if (mod_of(i) == 3 && rm_of(i) == RSP)
			w->sp_known = false;
		return CODE_GOES_ON;
	}
}

/*
 * Executes an instruction that neither jumps nor calls: follows what it does to the stack and frame
 * pointer.
 */
static void step_plain(struct code_way *w, const struct insn *i)
{
	unsigned int low = (i->p[0] & 7u) | (unsigned int)i->rex_b << 3;

	switch (i->p[0]) {
	case 0x50 ... 0x57: push(w, low == RBP); break;
	case 0x58 ... 0x5f: pop(w, low); break;
	case 0x68:
	case 0x6a:
	case 0x9c: push(w, false); break;
	case 0x8f:
		if (reg_of(i) % 8 == 0) /* otherwise it is an XOP instruction */
			pop(w, mod_of(i) == 3 ? rm_of(i) : 0);
		break;
	case 0x9d: w->sp += 8; break;
	case 0x81:
	case 0x83: add_to_sp(w, i); break;
	case 0x89:
	case 0x8b:
	case 0x8d: move(w, i); break;
	case 0xc9:
		set_sp_from_fp(w, 0);
		pop(w, RBP);
		break;
	default:
		if (loses_sp(i))
			w->sp_known = false;
	}
}

enum code_step code_way_step(struct code_way *w, struct code_text *t, u64 *ret_to)
{
	struct insn i;

	if (!read_insn(t, w->at, &i))
		return CODE_ENDS;
	w->at = i.next;
	switch (i.p[0]) {
	case 0x0f: return step_two_byte(&i, ret_to);
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3: *ret_to = i.next + (u64)imm8(i.p + 1); return CODE_BRANCHES;
	case 0xc2:
	case 0xc3: return CODE_RETURNS;
	case 0xc8:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcf:
	case 0xf4: return CODE_ENDS;
	case 0xe8: return step_call(t, &i);
	case 0xe9: w->at += (u64)imm32(i.p + 1); return CODE_GOES_ON;
	case 0xeb: w->at += (u64)imm8(i.p + 1); return CODE_GOES_ON;
	case 0xff: return step_group_5(w, t, &i);
	default: step_plain(w, &i); return CODE_GOES_ON;
	}
}

/*
 * Returns an unwind rule (unwind_rule.h), 0 if it does not fit into one. cfa: bytes from the stack
 * pointer, or from the frame pointer with by_fp. slot: bytes from the CFA to the saved frame
 * pointer, if it is saved.
 */
static u32 make_rule(bool by_fp, s64 cfa, bool saved, s64 slot)
{
	if (cfa <= 0 || cfa % 8 || cfa / 8 > 0x7fff)
		return 0;
	if (saved && (slot % 8 || slot >= 0 || slot / 8 < -0x1000))
		return 0;
	return RULE_MAKE(by_fp ? RULE_FP : RULE_SP, cfa / 8, saved ? slot / 8 : 0);
}

u32 code_way_rule_inside(const struct code_way *w)
{
	/* at the path's start, the return address is the word at the stack pointer */
	s64 cfa = 8 - (w->sp_known ? w->sp : w->fp);
	bool saved = w->fp_pushed && (!w->sp_known || w->pushed >= w->sp);

	if (w->by_fp || (!w->sp_known && w->fp_is != FP_IS) || (!saved && w->fp_is != FP_KEPT))
		return 0;
	return make_rule(!w->sp_known, cfa, saved, w->pushed - 8);
}

u32 code_way_rule(const struct code_way *w)
{
	s64 cfa = w->sp + 8;

	if (!w->sp_known || (w->fp_is != FP_KEPT && w->fp_is != FP_SAVED))
		return 0;
	return make_rule(w->by_fp, cfa, w->fp_is == FP_SAVED, w->fp - cfa);
}
