/* SPDX-License-Identifier: MIT */
#include "report/disasm/disasm_priv.h"

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

/*
 * Numbers of offsets within brackets are decimal, others hexadecimal. Of bits there are as many as
 * the register has: capstone shows those of all ones in front as a number below zero, or, behind
 * brackets, a number below zero as one with all ones in front.
 */
static void print_number(const struct disasm_code *d, struct out *o, const char **s, bool decimal)
{
	bool minus = **s == '-';
	char *end;
	u64 v;

	v = strtoull(*s + minus, &end, 0);
	*s = end;
	if (minus)
		v = 0 - v;
	if (decimal)
		out_printf(o, "%lld", is_64(d) ? (long long)v : (long long)(s32)v);
	else if (is_64(d))
		out_printf(o, "0x%llx", (unsigned long long)(*d->insn->op_str == 'w' ? (u32)v : v));
	else
		out_printf(o, "%s0x%llx", minus ? "-" : "",
			   (unsigned long long)(minus ? 0 - v : v));
}

/* "1.00000000": A64 only. */
static bool print_float(const struct disasm_code *d, struct out *o, const char **s)
{
	size_t n = strspn(*s, "-0123456789");
	double v;
	char *end;

	if (!is_64(d) || (*s)[n] != '.')
		return false;
	v = strtod(*s, &end);
	*s = end;
	out_printf(o, v != 0 ? "%.18e" : "%.1f", v);
	return true;
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

/* A64 instructions whose numbers are places or counts of bits, or elements: in decimal. */
static bool has_bit_numbers(const struct disasm_code *d)
{
	static const char *const names[] = { "lsl",    "lsr",    "asr",   "ror",   "tbz",  "tbnz",
					     "bfi",    "bfxil",  "ubfx",  "sbfx",  "extr", "ubfiz",
					     "sbfiz",  "bfc",    "ubfm",  "sbfm",  "shl",  "ushr",
					     "fcvtzs", "fcvtzu", "scvtf", "ucvtf", "sshr", "udf" };
	static const char *const vector_bits[] = { "movi", "mvni", "orr", "bic" };
	const char *name = d->insn->mnemonic, *ops = d->insn->op_str;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	if (*ops != 'v')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(vector_bits); i++)
		if (!strcmp(name, vector_bits[i]))
			return false;
	return true;
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
static void print_operands(const struct disasm_code *d, struct out *o, const char *s,
			   const char *stop)
{
	bool brackets = false, decimal = !is_64(d) || has_bit_numbers(d);

	while (*s && s != stop) {
		if (*s == '[')
			brackets = true;
		if (*s == '#' && is_number(s + 1)) {
			bool shift = o->len && o->buf[o->len - 1] == ' ' && o->len > 1 &&
				     o->buf[o->len - 2] != ',';

			out_char(o, *s++);
			if (!print_float(d, o, &s))
				print_number(d, o, &s, brackets || shift || decimal);
		} else if (is_name_char(*s)) {
			print_word(d, o, &s);
		} else {
			if (*s == ']' && strncmp(s, "], #", 4))
				brackets = false;
			out_char(o, *s++);
		}
	}
}

/*
 * Moves of numbers, whatever encodes them, are shown by their value: capstone 4 has "movz", "movn"
 * and "orr" for what capstone 5 calls "mov".
 */
static bool print_move(const struct disasm_code *d, struct out *o)
{
	const cs_arm64 *a = &d->insn->detail->arm64;
	const char *name = d->insn->mnemonic, *ops = d->insn->op_str;
	const cs_arm64_op *last;
	unsigned int shift;
	u64 v;

	if (!is_64(d) || a->op_count < 2 || a->op_count > 3)
		return false;
	last = &a->operands[a->op_count - 1];
	if (last->type != ARM64_OP_IMM || (*ops != 'w' && *ops != 'x' && *ops != 's'))
		return false;
	if (a->op_count == 3 ? strcmp(name, "orr") || (a->operands[1].reg != ARM64_REG_XZR &&
						       a->operands[1].reg != ARM64_REG_WZR)
			     : strcmp(name, "movn") && strcmp(name, "movz") && strcmp(name, "mov"))
		return false;
	shift = last->shift.type == ARM64_SFT_LSL ? last->shift.value : 0;
	v = (u64)last->imm << (shift & 63);
	if (!strcmp(name, "movn"))
		v = ~v;
	if (*ops == 'w')
		v = (u32)v;
	out_str(o, "mov\t");
	out_mem(o, ops, strcspn(ops, ","));
	out_printf(o, ", #0x%llx", (unsigned long long)v);
	return true;
}

/* Shifts by nothing that make elements wider have names of their own. */
static bool print_widening(const struct disasm_code *d, struct out *o)
{
	const char *name = d->insn->mnemonic, *ops = d->insn->op_str, *last = strrchr(ops, ',');

	if (!is_64(d) || (strncmp(name, "sshll", 5) && strncmp(name, "ushll", 5)) || !last ||
	    strcmp(last, ", #0"))
		return false;
	out_printf(o, "%cxtl%s\t", *name, name + 5);
	out_mem(o, ops, (size_t)(last - ops));
	return true;
}

/* Hints that capstone 4 knows by their numbers only. */
static bool print_hint(const struct disasm_code *d, struct out *o)
{
	static const char *const names[] = {
		[7] = "xpaclri",    [8] = "pacia1716", [10] = "pacib1716", [12] = "autia1716",
		[14] = "autib1716", [16] = "esb",      [20] = "csdb",      [24] = "paciaz",
		[25] = "paciasp",   [26] = "pacibz",   [27] = "pacibsp",   [28] = "autiaz",
		[29] = "autiasp",   [30] = "autibz",   [31] = "autibsp",   [32] = "bti",
		[34] = "bti\tc",    [36] = "bti\tj",   [38] = "bti\tjc",
	};
	u64 v;

	if (!is_64(d) || strcmp(d->insn->mnemonic, "hint") || !last_immediate(d, &v) ||
	    v >= ARRAY_SIZE(names) || !names[v])
		return false;
	out_str(o, names[v]);
	return true;
}

/* Conditions are "cs" and "cc"; what stores with write-back names the order. */
static void print_name(const struct disasm_code *d, struct out *o)
{
	const char *name = d->insn->mnemonic;
	size_t n = strlen(name);

	if (is_64(d) && !strcmp(name, "ins")) {
		out_str(o, "mov");
	} else if (is_64(d) ? !strcmp(name, "b.hs") || !strcmp(name, "b.lo")
			    : ends_with(name, n, "hs") || ends_with(name, n, "lo")) {
		out_mem(o, name, n - 2);
		out_str(o, name[n - 1] == 's' ? "cs" : "cc");
	} else if (!strcmp(name, "stm") && strchr(d->insn->op_str, '!')) {
		out_str(o, "stmia");
	} else {
		out_mem(o, name, n);
	}
}

/* "": always */
static bool is_condition(const char *s)
{
	static const char list[] = "eq ne hs lo mi pl vs vc hi ls ge lt gt le ";

	return !*s || (strlen(s) == 2 && strstr(list, s));
}

/* A32: one register that is pushed or popped is a list of one; pairs are shown by their first. */
static bool print_a32(const struct disasm_code *d, struct out *o)
{
	const char *name = d->insn->mnemonic, *ops = d->insn->op_str, *rest = strchr(ops, ',');
	bool store = !strncmp(name, "str", 3), load = !strncmp(name, "ldr", 3);

	if (d->arch != DISASM_ARM || strlen(name) < 3)
		return false;
	if (!strncmp(name, "svc", 3) && *ops == '#') {
		print_name(d, o);
		out_printf(o, "\t0x%08llx", strtoull(ops + 1, NULL, 0));
	} else if (!strcmp(name, "mov") && !strcmp(ops, "r0, r0")) {
		out_str(o, "nop");
	} else if (rest && is_condition(name + 3) &&
		   ((store && !strcmp(rest, ", [sp, #-4]!")) ||
		    (load && !strcmp(rest, ", [sp], #4")))) {
		out_str(o, store ? "push" : "pop");
		out_str(o, !strcmp(name + 3, "hs")   ? "cs"
			   : !strcmp(name + 3, "lo") ? "cc"
						     : name + 3);
		out_str(o, "\t{");
		print_word(d, o, &ops);
		out_char(o, '}');
	} else if (rest && (store || load) && name[3] == 'd' && is_condition(name + 4)) {
		print_name(d, o);
		out_char(o, '\t');
		print_operands(d, o, ops, rest);
		rest = strchr(rest + 1, ',');
		print_operands(d, o, rest ? rest : "", NULL);
	} else {
		return false;
	}
	return true;
}

void disasm_arm_print(const struct disasm_code *d, struct out *o, struct disasm_insn *ret)
{
	const char *ops = d->insn->op_str, *last;

	find_flow(d, ret);
	if (print_move(d, o) || print_widening(d, o) || print_hint(d, o) || print_a32(d, o))
		return;
	print_name(d, o);
	if (!*ops)
		return;
	out_char(o, '\t');
	if (ret->kind != DISASM_TARGET_AT_END) {
		print_operands(d, o, ops, NULL);
		return;
	}
	last = strrchr(ops, '#');
	print_operands(d, o, ops, last);
	out_hex(o, ret->target, 0);
}
