/* SPDX-License-Identifier: MIT */
/* The operands of x86 instructions as objdump prints them, in AT&T or Intel syntax. */
#include "report/disasm/disasm_x86.h"

static bool is_wide_vector(const struct x86_text *i)
{
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].vector)
			return true;
	return false;
}

static void print_signed(struct out *o, s64 v)
{
	if (v < 0)
		out_char(o, '-');
	out_str(o, "0x");
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
	if (op->size == 10 && i->name[0] == 'f')
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

/* log2 of the bytes that a string instruction moves at a time. */
static unsigned int string_width(const struct x86_text *i)
{
	if (!(i->opcode & 1))
		return 0;
	if (i->rex & 8)
		return 3;
	return i->x->prefix[2] ? 1 : 2;
}

/* String instructions name what they use, with the segments that always hold. */
static bool print_string_operands(struct x86_text *i)
{
	static const char registers[4][4] = { "al", "ax", "eax", "rax" };
	static const char pointers[4][8] = { "BYTE", "WORD", "DWORD", "QWORD" };
	bool long_mode = i->d->arch == DISASM_X86_64, intel = i->d->intel;
	unsigned int width = string_width(i);
	bool has_source = i->opcode <= 0xa7 || i->opcode == 0xac || i->opcode == 0xad;
	bool has_dest = i->opcode != 0xac && i->opcode != 0xad;
	/* in Intel's order the register or the source is first: lods, scas, cmps */
	bool dest_last = i->opcode == 0xa6 || i->opcode == 0xa7 || i->opcode >= 0xac;
	const struct operand *mem = disasm_x86_memory_of(i);
	const char *segment = "ds";

	if (!disasm_x86_is_string_insn(i) || i->opcode < 0xa4 ||
	    i->x->addr_size != (long_mode ? 8 : 4))
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

void disasm_x86_print_operands(struct x86_text *i, const struct disasm_insn *ret)
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
		if (!i->d->intel && disasm_x86_is_indirect(i))
			out_char(i->o, '*');
		print_operand(i, &i->ops[i->d->intel ? n : i->nr - 1 - n]);
	}
	if (i->d->intel && (i->opcode == 0xd0 || i->opcode == 0xd1))
		out_str(i->o, ",1");
}
