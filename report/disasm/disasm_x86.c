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

static bool is_string_insn(const struct x86_text *i)
{
	return (i->opcode >= 0xa4 && i->opcode <= 0xa7) ||
	       (i->opcode >= 0xaa && i->opcode <= 0xaf) || (i->opcode >= 0x6c && i->opcode <= 0x6f);
}

static const char *repeat_word(const struct x86_text *i, u8 b)
{
	bool compares =
		i->opcode == 0xa6 || i->opcode == 0xa7 || i->opcode == 0xae || i->opcode == 0xaf;

	if (is_string_insn(i))
		return b == 0xf2 ? "repnz" : compares ? "repz" : "rep";
	if (is_branch(i))
		return b == 0xf2 ? "bnd" : "repz";
	if (i->opcode == 0x0f || i->opcode == 0x90)
		return NULL; /* part of the opcode */
	return b == 0xf2 ? "repnz" : "repz";
}

static const struct operand *memory_of(const struct x86_text *i)
{
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].kind == OP_MEM)
			return &i->ops[n];
	return NULL;
}

static bool is_wide_vector(const struct x86_text *i)
{
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].vector)
			return true;
	return false;
}

static bool is_indirect(const struct x86_text *i)
{
	return i->opcode == 0xff && i->nr && i->ops[0].kind != OP_IMM &&
	       (i->name[0] == 'j' || !strcmp(i->name, "call"));
}

/* A prefix byte that objdump shows as a word; NULL for one that the rest of the text tells. */
static const char *segment_word(const struct x86_text *i, u8 b)
{
	const struct operand *mem = memory_of(i);
	bool long_mode = i->d->arch == DISASM_X86_64;

	if (b == 0x3e && is_indirect(i))
		return "notrack";
	if (b == 0x64 || b == 0x65 || (!long_mode && mem && !is_string_insn(i)))
		return NULL;
	if (i->name[0] == 'j' && !is_indirect(i))
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
	return is_string_insn(i) ||
	       (memory_of(i) && i->x->addr_size != (i->d->arch == DISASM_X86_64 ? 8 : 4)) ||
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
	const struct operand *mem = memory_of(i);
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
	const struct operand *mem = memory_of(i);

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

	if (is_string_insn(i) && i->nr <= 2) {
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

/* --- operands ----------------------------------------------------------------------------------
 */

static void print_signed(struct out *o, s64 v)
{
	if (v < 0)
		out_char(o, '-');
	out_mem(o, "0x", 2);
	out_hex(o, v < 0 ? 0 - (u64)v : (u64)v, 0);
}

/* Immediates are shown as wide as what they are used with. */
static u64 immediate(const struct x86_text *i, const struct operand *op)
{
	unsigned int size = i->d->arch == DISASM_X86_64 ? 8 : 4;
	u64 v = (u64)op->value;

	if (is_wide_vector(i) || !strcmp(i->name, "xabort"))
		return v & 0xff;
	for (unsigned int n = 0; n < i->nr; n++)
		if (&i->ops[n] != op && i->ops[n].kind != OP_IMM && i->ops[n].size) {
			size = i->ops[n].size;
			break;
		}
	return size < 8 ? v & (((u64)1 << size * 8) - 1) : v;
}

/* Whether the address has a displacement in the code, though it may be 0. */
static bool has_displacement(const struct x86_text *i, const struct operand *op)
{
	return op->value || i->x->encoding.disp_size;
}

/* An index field that says "none" where none was needed. */
static const char *idle_index(const struct x86_text *i, char *ret_scale)
{
	u8 modrm = i->x->modrm, sib = i->x->sib;

	if (!i->x->encoding.modrm_offset || modrm >= 0xc0 || (modrm & 7) != 4 ||
	    (sib >> 3 & 7) != 4 || (i->rex & 2) || i->x->addr_size < 4)
		return NULL;
	if ((sib & 7) == 4 && !(sib >> 6))
		return NULL; /* the only way to have rsp as base */
	if ((sib & 7) == 5 && modrm < 0x40)
		return NULL; /* an absolute address */
	*ret_scale = (char)('0' + (1 << (sib >> 6)));
	return i->x->addr_size == 8 ? "riz" : "eiz";
}

/* 64-bit code has two segments; the prefixes of the others are words. */
static bool shows_segment(const struct x86_text *i, const struct operand *op)
{
	return op->segment[0] &&
	       (i->d->arch != DISASM_X86_64 || op->segment[0] == 'f' || op->segment[0] == 'g');
}

static void print_att_memory(struct x86_text *i, const struct operand *op)
{
	const char *index = op->index, *idle;
	char scale = op->scale;
	struct out *o = i->o;

	if (shows_segment(i, op))
		out_printf(o, "%%%s:", op->segment);
	idle = op->index[0] && strcmp(op->index + 1, "iz") ? NULL : idle_index(i, &scale);
	if (idle)
		index = idle;
	if (!op->base[0] && !index[0]) {
		out_printf(o, "0x%llx",
			   (unsigned long long)(i->x->addr_size == 4 ? (u32)op->value
								     : (u64)op->value));
		return;
	}
	if (has_displacement(i, op))
		print_signed(o, op->value);
	out_char(o, '(');
	if (op->base[0])
		out_printf(o, "%%%s", op->base);
	if (index[0])
		out_printf(o, ",%%%s,%c", index, scale);
	out_char(o, ')');
}

static void print_intel_memory(struct x86_text *i, const struct operand *op)
{
	const char *end = memchr(op->text, '[', (size_t)(op->end - op->text)), *c;
	const char *index = op->index, *idle;
	char scale = op->scale;
	struct out *o = i->o;

	if (op->segment[0])
		end -= 3;
	if (op->size == 10)
		out_str(o, "TBYTE PTR ");
	else if (strstr(i->name, "comis")) /* of the vector only the first element is read */
		out_str(o, i->name[strlen(i->name) - 1] == 'd' ? "QWORD PTR " : "DWORD PTR ");
	else if (i->opcode != 0x8d && (i->opcode < 0xa0 || i->opcode > 0xa3))
		for (c = op->text; c < end; c++)
			out_char(o, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
	if (shows_segment(i, op))
		out_printf(o, "%s:", op->segment);
	idle = op->index[0] && strcmp(op->index + 1, "iz") ? NULL : idle_index(i, &scale);
	if (idle)
		index = idle;
	if (!op->base[0] && !index[0]) {
		out_printf(o, "%s0x%llx", shows_segment(i, op) ? "" : "ds:",
			   (unsigned long long)(i->x->addr_size == 4 ? (u32)op->value
								     : (u64)op->value));
		return;
	}
	out_char(o, '[');
	out_str(o, op->base);
	if (index[0])
		out_printf(o, "%s%s*%c", op->base[0] ? "+" : "", index, scale);
	if (has_displacement(i, op)) {
		if (op->value >= 0 || !strcmp(op->base, "rip"))
			out_char(o, '+');
		if (!strcmp(op->base, "rip"))
			out_printf(o, "0x%llx", (unsigned long long)op->value);
		else
			print_signed(o, op->value);
	}
	out_char(o, ']');
}

/* "{k1} {z}" closed up; masks are registers and so have a % in AT&T syntax. */
static void print_decoration(struct x86_text *i, const struct operand *op)
{
	for (const char *c = op->decor; c < op->decor_end; c++) {
		if (*c == ' ')
			continue;
		out_char(i->o, *c);
		if (*c == '{' && !i->d->intel && c + 1 < op->decor_end && c[1] == 'k')
			out_char(i->o, '%');
	}
}

static void print_register(struct x86_text *i, const struct operand *op)
{
	/* in and out: a port is a place */
	bool port = !i->d->intel && i->opcode >= 0xec && i->opcode <= 0xef &&
		    disasm_x86_starts_with(op->text, op->end, "dx");

	out_str(i->o, port ? "(%" : i->d->intel ? "" : "%");
	out_mem(i->o, op->text, (size_t)(op->end - op->text));
	if (port)
		out_char(i->o, ')');
}

static void print_operand(struct x86_text *i, const struct operand *op)
{
	switch (op->kind) {
	case OP_REG: print_register(i, op); break;
	case OP_IMM:
		out_printf(i->o, "%s0x%llx", i->d->intel ? "" : "$",
			   (unsigned long long)immediate(i, op));
		break;
	case OP_MEM:
		if (i->d->intel)
			print_intel_memory(i, op);
		else
			print_att_memory(i, op);
		break;
	case OP_OTHER: break;
	}
	print_decoration(i, op);
}

/* "%es:(%rdi)" or "QWORD PTR es:[rdi]" */
static void print_string_place(struct x86_text *i, const char *pointer, const char *segment,
			       const char *reg)
{
	if (i->d->intel)
		out_printf(i->o, "%s PTR %s:[%s]", pointer, segment, reg);
	else
		out_printf(i->o, "%%%s:(%%%s)", segment, reg);
}

/* String instructions name what they use, with the segments that always hold. */
static bool print_string_operands(struct x86_text *i)
{
	static const char registers[4][4] = { "al", "ax", "eax", "rax" };
	static const char pointers[4][8] = { "BYTE", "WORD", "DWORD", "QWORD" };
	bool long_mode = i->d->arch == DISASM_X86_64, intel = i->d->intel;
	unsigned int width = !(i->opcode & 1) ? 0 : i->rex & 8 ? 3 : i->x->prefix[2] ? 1 : 2;
	bool has_source = i->opcode <= 0xa7 || i->opcode == 0xac || i->opcode == 0xad;
	bool has_dest = i->opcode != 0xac && i->opcode != 0xad;
	/* in Intel's order the register or the source is first: lods, scas, cmps */
	bool dest_last = i->opcode == 0xa6 || i->opcode == 0xa7 || i->opcode >= 0xac;
	const struct operand *mem = memory_of(i);
	const char *segment = "ds";

	if (!is_string_insn(i) || i->opcode < 0xa4 || i->x->addr_size != (long_mode ? 8 : 4))
		return false;
	if (mem && (mem->segment[0] == 'f' || mem->segment[0] == 'g'))
		segment = mem->segment;
	for (unsigned int n = 0; n < 2; n++) {
		bool second = intel ? n : !n;
		bool dest = has_dest && second == dest_last;

		if (n)
			out_char(i->o, ',');
		if (dest)
			print_string_place(i, pointers[width], "es", long_mode ? "rdi" : "edi");
		else if (has_source && (has_dest || second))
			print_string_place(i, pointers[width], segment, long_mode ? "rsi" : "esi");
		else
			out_printf(i->o, "%s%s", intel ? "" : "%", registers[width]);
	}
	return true;
}

static void print_operands(struct x86_text *i, struct disasm_insn *ret)
{
	unsigned int n;

	if (print_string_operands(i))
		return;
	if (ret->kind == DISASM_TARGET_AT_END) {
		out_hex(i->o, ret->target, 0);
		return;
	}
	for (n = 0; n < i->nr; n++) {
		if (n)
			out_char(i->o, ',');
		if (!i->d->intel && is_indirect(i))
			out_char(i->o, '*');
		print_operand(i, &i->ops[i->d->intel ? n : i->nr - 1 - n]);
	}
	if (i->d->intel && (i->opcode == 0xd0 || i->opcode == 0xd1))
		out_str(i->o, ",1");
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
	print_operands(&i, ret);
}
