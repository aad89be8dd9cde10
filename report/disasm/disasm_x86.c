/* SPDX-License-Identifier: MIT */
/* x86 instructions in objdump's words. */
#include "report/disasm/disasm_x86.h"

static bool is_one_of(const char *name, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

#define IS_ONE_OF(name, list) is_one_of(name, list, ARRAY_SIZE(list))

/* --- prefixes ----------------------------------------------------------------------------------
 */

static bool is_branch(const struct x86_text *i)
{
	return i->name[0] == 'j' || !strcmp(i->name, "call") || !strcmp(i->name, "xbegin") ||
	       !strncmp(i->name, "ret", 3) || !strncmp(i->name, "loop", 4);
}

static const char *repeat_word(const struct x86_text *i, u8 b)
{
	bool compares =
		i->opcode == 0xa6 || i->opcode == 0xa7 || i->opcode == 0xae || i->opcode == 0xaf;

	if (disasm_x86_is_string_insn(i))
		return b == 0xf2 ? "repnz" : compares ? "repz" : "rep";
	if (is_branch(i))
		return b == 0xf2 ? "bnd" : "repz";
	if (i->opcode == 0x0f || i->opcode == 0x90)
		return NULL; /* part of the opcode */
	return b == 0xf2 ? "repnz" : "repz";
}

/* A prefix byte that objdump shows as a word; NULL for one that the rest of the text tells. */
static const char *segment_word(const struct x86_text *i, u8 b)
{
	const struct operand *mem = disasm_x86_memory_of(i);
	bool long_mode = i->d->arch == DISASM_X86_64;

	if (b == 0x3e && disasm_x86_is_indirect(i))
		return "notrack";
	if (b == 0x64 || b == 0x65 || (!long_mode && mem && !disasm_x86_is_string_insn(i)))
		return NULL;
	if (i->name[0] == 'j' && !disasm_x86_is_indirect(i))
		return NULL; /* a hint, behind the name */
	return b == 0x2e ? "cs" : b == 0x36 ? "ss" : b == 0x3e ? "ds" : "es";
}

static bool uses_operand_size(const struct x86_text *i)
{
	if (i->rex & 8 && i->opcode != 0x0f)
		return false;
	return !is_branch(i);
}

static bool uses_address_size(const struct x86_text *i)
{
	return disasm_x86_is_string_insn(i) ||
	       (disasm_x86_memory_of(i) &&
		i->x->addr_size != (i->d->arch == DISASM_X86_64 ? 8 : 4)) ||
	       !strcmp(i->name, "jecxz");
}

static void print_prefixes(struct x86_text *i)
{
	unsigned int n, last_size = i->nr_prefixes;

	for (n = 0; n < i->nr_prefixes; n++)
		if (i->p[n] == 0x66)
			last_size = n;
	for (n = 0; n < i->nr_prefixes; n++) {
		const char *word = NULL;
		u8 b = i->p[n];

		if (b == 0xf0)
			word = "lock";
		else if (b == 0xf2 || b == 0xf3)
			word = repeat_word(i, b);
		else if (b == 0x66)
			word = n != last_size || !uses_operand_size(i) ? "data16" : NULL;
		else if (b == 0x67)
			word = uses_address_size(i) ? NULL : "addr32";
		else
			word = segment_word(i, b);
		if (word) {
			out_str(i->o, word);
			out_char(i->o, ' ');
		}
	}
	if (i->rex & 8 && is_branch(i) && i->opcode != 0xff)
		out_str(i->o, "rex.W ");
}

/* --- names -------------------------------------------------------------------------------------
 */

static char size_suffix(unsigned int size)
{
	return size == 1 ? 'b' : size == 2 ? 'w' : size == 4 ? 'l' : size == 8 ? 'q' : 0;
}

static void add_suffix(struct x86_text *i, char c)
{
	size_t n = strlen(i->name);

	if (c && n + 1 < sizeof(i->name)) {
		i->name[n] = c;
		i->name[n + 1] = 0;
	}
}

/* "movzx eax, byte ptr [..]" is movzbl. */
static bool name_extension(struct x86_text *i)
{
	bool zero = !strcmp(i->name, "movzx");

	if (!strcmp(i->name, "movsxd")) {
		disasm_x86_set_name(i, i->nr && i->ops[0].size == 8 ? "movslq" : "movsxd");
		return true;
	}
	if ((!zero && strcmp(i->name, "movsx")) || i->nr != 2)
		return false;
	disasm_x86_set_name(i, zero ? "movz" : "movs");
	add_suffix(i, size_suffix(i->ops[1].size));
	add_suffix(i, size_suffix(i->ops[0].size));
	return true;
}

static bool name_x87(struct x86_text *i)
{
	static const char *const control[] = { "fldcw",   "fnstcw",   "fnstsw",    "fldenv",
					       "fnstenv", "frstor",   "fnsave",    "fxsave",
					       "fxrstor", "fxsave64", "fxrstor64", "fbld",
					       "fbstp" };
	const struct operand *mem = disasm_x86_memory_of(i);
	bool integer;

	if (i->name[0] != 'f' || !mem || IS_ONE_OF(i->name, control))
		return i->name[0] == 'f';
	integer = i->name[1] == 'i';
	if (mem->size == 10)
		add_suffix(i, 't');
	else if (integer && mem->size == 8)
		disasm_x86_set_name(i, !strcmp(i->name, "fild")     ? "fildll"
				       : !strcmp(i->name, "fisttp") ? "fisttpll"
								    : "fistpll");
	else if (integer)
		add_suffix(i, mem->size == 2 ? 's' : 'l');
	else
		add_suffix(i, mem->size == 4 ? 's' : 'l');
	return true;
}

/* AT&T names end with the operands' size where no register tells it. */
static void name_by_size(struct x86_text *i)
{
	static const char *const sized[] = {
		"add", "or",  "adc", "sbb", "and",  "sub", "xor",  "cmp", "test", "mov", "inc",
		"dec", "not", "neg", "mul", "imul", "div", "idiv", "shl", "sal",  "shr", "sar",
		"rol", "ror", "rcl", "rcr", "bt",   "bts", "btr",  "btc", "nop",
	};
	static const char *const converts[] = { "cvtsi2sd",  "cvtsi2ss",   "vcvtsi2sd",
						"vcvtsi2ss", "vcvtusi2sd", "vcvtusi2ss" };
	const struct operand *mem = disasm_x86_memory_of(i);

	if (!mem)
		return;
	if (IS_ONE_OF(i->name, converts)) {
		add_suffix(i, size_suffix(mem->size));
		return;
	}
	if (!IS_ONE_OF(i->name, sized))
		return;
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].kind == OP_REG &&
		    !(n && disasm_x86_starts_with(i->ops[n].text, i->ops[n].end, "cl") &&
		      (i->opcode == 0xd2 || i->opcode == 0xd3)))
			return;
	add_suffix(i, size_suffix(mem->size));
}

static const struct {
	const char *intel, *att;
} att_names[] = {
	{ "cbw", "cbtw" },          { "cwde", "cwtl" },    { "cdqe", "cltq" },
	{ "cwd", "cwtd" },          { "cdq", "cltd" },     { "cqo", "cqto" },
	{ "int1", "int1" },         { "iretq", "iretq" },  { "iretd", "iret" },
	{ "sysexitq", "sysexitq" }, { "retf", "lret" },    { "retfq", "lretq" },
	{ "popfq", "popf" },        { "pushfq", "pushf" }, { "popfd", "popf" },
	{ "pushfd", "pushf" },      { "leave", "leave" },  { "ljmp", "ljmp" },
	{ "pushal", "pusha" },      { "popal", "popa" },
};

/* Of both syntaxes: where capstone's word is not objdump's. */
static const struct {
	const char *capstone, *gnu;
} gnu_names[] = {
	{ "popfq", "popf" },      { "pushfq", "pushf" },  { "popfd", "popf" },
	{ "pushfd", "pushf" },    { "wait", "fwait" },    { "xlatb", "xlat" },
	{ "pushal", "pusha" },    { "popal", "popa" },    { "sal", "shl" },
	{ "fstpnce", "fstp1" },   { "int1", "int1" },     { "icebp", "int1" },
	{ "sysretq", "sysretq" }, { "fcompi", "fcomip" }, { "fucompi", "fucomip" },
};

static void string_name(struct x86_text *i)
{
	static const char *const names[] = { [0xa4 - 0xa4] = "movs", "movs", "cmps", "cmps" };
	size_t n = strlen(i->name);

	if (i->opcode >= 0xa4 && i->opcode <= 0xa7) {
		char size = i->name[n ? n - 1 : 0];

		disasm_x86_set_name(i, names[i->opcode - 0xa4]);
		if (!i->d->intel)
			add_suffix(i, size == 'd' ? 'l' : size);
		return;
	}
	disasm_x86_set_name(i, i->opcode == 0x6c || i->opcode == 0x6d   ? "ins"
			       : i->opcode == 0x6e || i->opcode == 0x6f ? "outs"
			       : i->opcode <= 0xab                      ? "stos"
			       : i->opcode <= 0xad                      ? "lods"
									: "scas");
	if (i->opcode == 0x6c || i->opcode == 0x6d || i->opcode == 0x6e || i->opcode == 0x6f)
		add_suffix(i, !i->d->intel ? (i->opcode & 1 ? 'l' : 'b') : 0);
}

static void settle_name(struct x86_text *i)
{
	size_t n;

	if (disasm_x86_is_string_insn(i) && i->nr <= 2) {
		string_name(i);
		return;
	}
	for (n = 0; n < ARRAY_SIZE(gnu_names); n++)
		if (!strcmp(i->name, gnu_names[n].capstone)) {
			disasm_x86_set_name(i, gnu_names[n].gnu);
			break;
		}
	if (i->d->intel)
		return;
	for (n = 0; n < ARRAY_SIZE(att_names); n++)
		if (!strcmp(i->name, att_names[n].intel)) {
			disasm_x86_set_name(i, att_names[n].att);
			return;
		}
	if (name_extension(i) || name_x87(i))
		return;
	name_by_size(i);
}

static void find_target(struct x86_text *i, struct disasm_insn *ret)
{
	bool branch = is_branch(i);

	ret->flow = !branch                       ? DISASM_PLAIN
		    : !strcmp(i->name, "call")    ? DISASM_CALL
		    : !strncmp(i->name, "ret", 3) ? DISASM_RETURN
						  : DISASM_JUMP;
	if (branch && ret->flow != DISASM_RETURN && i->nr && i->ops[0].kind == OP_IMM) {
		ret->kind = DISASM_TARGET_AT_END;
		ret->target = (u64)i->ops[0].value;
		return;
	}
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].kind == OP_MEM && !strcmp(i->ops[n].base, "rip")) {
			ret->kind = DISASM_TARGET_COMMENT;
			ret->target = i->in->address + i->in->size + (u64)i->ops[n].value;
		}
}

void disasm_x86_print(const struct disasm_code *d, struct out *o, const u8 *p,
		      struct disasm_insn *ret)
{
	struct x86_text i = { .d = d, .in = d->insn, .p = p, .o = o, .start = o->len };
	size_t width;

	disasm_x86_parse(&i);
	find_target(&i, ret);
	print_prefixes(&i);
	settle_name(&i);
	out_str(o, i.name);
	if (!i.nr)
		return;
	width = o->len - i.start;
	out_fill(o, ' ', width < 6 ? 7 - width : 1);
	disasm_x86_print_operands(&i, ret);
}
