/* SPDX-License-Identifier: MIT */
#include "report/disasm_priv.h"

#include <string.h>

static bool in_group(const struct disasm_code *d, u8 group)
{
	return cs_insn_group(d->handle, d->insn, group);
}

static bool is_64(const struct disasm_code *d)
{
	return d->arch == DISASM_ARM64;
}

/* The last operand as an address, where it is one. */
static bool last_immediate(const struct disasm_code *d, u64 *ret)
{
	const cs_detail *t = d->insn->detail;

	if (is_64(d)) {
		u8 n = t->arm64.op_count;

		if (!n || n > 8 || t->arm64.operands[n - 1].type != ARM64_OP_IMM)
			return false;
		*ret = (u64)t->arm64.operands[n - 1].imm;
	} else {
		u8 n = t->arm.op_count;

		if (!n || n > 36 || t->arm.operands[n - 1].type != ARM_OP_IMM)
			return false;
		*ret = (u32)t->arm.operands[n - 1].imm;
	}
	return true;
}

static bool is_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(s, word, n) && (!s[n] || s[n] == '.');
}

static void find_flow(const struct disasm_code *d, struct disasm_insn *ret)
{
	const char *name = d->insn->mnemonic;
	bool addresses = is_64(d) && (is_word(name, "adr") || is_word(name, "adrp"));
	bool call = !strncmp(name, "bl", 2) && (!name[2] || name[2] == 'r' || name[2] == 'x');

	if (call && (is_64(d) || name[2] != 'r'))
		ret->flow = DISASM_CALL;
	else if (is_word(name, "ret") ||
		 (!is_64(d) && !strcmp(name, "bx") && !strcmp(d->insn->op_str, "lr")))
		ret->flow = DISASM_RETURN;
	else if (in_group(d, CS_GRP_JUMP) || is_word(name, "b") || is_word(name, "br"))
		ret->flow = DISASM_JUMP;
	if ((ret->flow == DISASM_CALL || ret->flow == DISASM_JUMP || addresses) &&
	    last_immediate(d, &ret->target))
		ret->kind = DISASM_TARGET_AT_END;
}

/* Numbers of offsets within brackets are decimal, others hexadecimal. */
static void print_number(struct out *o, const char **s, bool decimal)
{
	bool minus = **s == '-';
	char *end;
	u64 v;

	v = strtoull(*s + minus, &end, 0);
	*s = end;
	if (decimal)
		out_printf(o, "%s%llu", minus ? "-" : "", (unsigned long long)v);
	else
		out_printf(o, "%s0x%llx", minus ? "-" : "", (unsigned long long)v);
}

static bool is_number(const char *s)
{
	s += *s == '-';
	return *s >= '0' && *s <= '9';
}

static bool ends_with(const char *s, size_t n, const char *end)
{
	size_t m = strlen(end);

	return n > m && !memcmp(s + n - m, end, m);
}

/* A64 instructions whose numbers are places of bits: in decimal. */
static bool has_bit_numbers(const char *name)
{
	static const char *const names[] = { "lsl",   "lsr",   "asr",   "ror",  "tbz",
					     "tbnz",  "bfi",   "bfxil", "ubfx", "sbfx",
					     "ubfiz", "sbfiz", "extr",  "bfc",  "ubfm",
					     "sbfm",  "shl",   "ushr",  "sshr" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* One word of the operands, in objdump's names of registers and conditions. */
static void print_word(const struct disasm_code *d, struct out *o, const char **s)
{
	const char *p = *s;
	size_t n = 0;

	while (is_name_char(p[n]))
		n++;
	*s += n;
	if (n == 2 && !memcmp(p, "sb", 2) && !is_64(d))
		p = "r9";
	else if (n == 2 && !memcmp(p, "hs", 2))
		p = "cs";
	else if (n == 2 && !memcmp(p, "lo", 2))
		p = "cc";
	out_mem(o, p, n);
}

/* objdump shows immediates of A64 in hexadecimal, those of A32 and all offsets in decimal. */
static void print_operands(const struct disasm_code *d, struct out *o, const char *stop)
{
	bool brackets = false, decimal = !is_64(d) || has_bit_numbers(d->insn->mnemonic);
	const char *s = d->insn->op_str;

	while (*s && s != stop) {
		if (*s == '[')
			brackets = true;
		if (*s == '#' && is_number(s + 1)) {
			bool shift = o->len && o->buf[o->len - 1] == ' ' && o->len > 1 &&
				     o->buf[o->len - 2] != ',';

			out_char(o, *s++);
			print_number(o, &s, brackets || shift || decimal);
		} else if (is_name_char(*s)) {
			print_word(d, o, &s);
		} else {
			if (*s == ']' && strncmp(s, "], #", 4))
				brackets = false;
			out_char(o, *s++);
		}
	}
}

/* Moves of what fits no immediate field are shown by their value. */
static bool print_move(const struct disasm_code *d, struct out *o)
{
	const cs_arm64 *a = &d->insn->detail->arm64;
	bool inverted = !strcmp(d->insn->mnemonic, "movn");
	unsigned int shift;
	u64 v;

	if (!is_64(d) || (!inverted && strcmp(d->insn->mnemonic, "movz")) || a->op_count != 2 ||
	    a->operands[1].type != ARM64_OP_IMM)
		return false;
	shift = a->operands[1].shift.type == ARM64_SFT_LSL ? a->operands[1].shift.value : 0;
	v = (u64)a->operands[1].imm << (shift & 63);
	if (inverted)
		v = ~v;
	if (*d->insn->op_str == 'w')
		v = (u32)v;
	out_printf(o, "mov\t%s, #0x%llx", cs_reg_name(d->handle, a->operands[0].reg),
		   (unsigned long long)v);
	return true;
}

/* Conditions are "cs" and "cc"; what stores with write-back names the order. */
static void print_name(const struct disasm_code *d, struct out *o)
{
	const char *name = d->insn->mnemonic;
	size_t n = strlen(name);

	if (ends_with(name, n, "hs") || ends_with(name, n, "lo")) {
		out_mem(o, name, n - 2);
		out_str(o, name[n - 1] == 's' ? "cs" : "cc");
	} else if (!strcmp(name, "stm") && strchr(d->insn->op_str, '!')) {
		out_str(o, "stmia");
	} else {
		out_mem(o, name, n);
	}
}

void disasm_arm_print(const struct disasm_code *d, struct out *o, struct disasm_insn *ret)
{
	const char *ops = d->insn->op_str, *last;

	find_flow(d, ret);
	if (print_move(d, o))
		return;
	print_name(d, o);
	if (!*ops)
		return;
	out_char(o, '\t');
	if (ret->kind != DISASM_TARGET_AT_END) {
		print_operands(d, o, NULL);
		return;
	}
	last = strrchr(ops, '#');
	print_operands(d, o, last);
	out_hex(o, ret->target, 0);
}
