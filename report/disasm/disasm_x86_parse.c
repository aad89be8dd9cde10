/* SPDX-License-Identifier: MIT */
/* Capstone's text and bytes of an x86 instruction, taken apart and written as objdump does. */
#include "report/disasm/disasm_x86.h"

/* A register of SSE, AVX or MMX, or a mask. */
static bool is_vector(const char *s, size_t n)
{
	return n >= 2 && (s[1] == 'm' || (s[0] == 'k' && s[1] >= '0' && s[1] <= '7'));
}

/* Capstone's operand for the n'th one of a type, from 0; NULL: the instruction has fewer. */
static const cs_x86_op *detail_of(const cs_x86 *x, x86_op_type type, unsigned int n)
{
	for (u8 k = 0; k < x->op_count; k++)
		if (x->operands[k].type == type && !n--)
			return &x->operands[k];
	return NULL;
}

static void copy_register(const struct x86_text *i, char *to, size_t cap, x86_reg reg)
{
	const char *name = reg == X86_REG_INVALID ? NULL : cs_reg_name(i->d->handle, reg);

	if (name)
		disasm_x86_copy(to, cap, name, name + strlen(name));
}

static void read_address(const struct x86_text *i, struct operand *op, const x86_op_mem *mem)
{
	copy_register(i, op->base, sizeof(op->base), mem->base);
	copy_register(i, op->index, sizeof(op->index), mem->index);
	op->scale = (char)('0' + mem->scale);
	op->value = mem->disp;
	/* capstone leaves garbage above the displacement of a 16-bit address */
	if (i->x->addr_size == 2)
		op->value = op->base[0] || op->index[0] ? (int16_t)op->value : (u16)op->value;
}

/* Reads values and sizes of an operand. seen: by kind, the number of operands before it. */
static void read_detail(const struct x86_text *i, struct operand *op, unsigned int *seen)
{
	static const x86_op_type types[] = {
		[OP_REG] = X86_OP_REG, [OP_IMM] = X86_OP_IMM, [OP_MEM] = X86_OP_MEM
	};
	const cs_x86_op *d;

	if (op->kind == OP_OTHER)
		return;
	d = detail_of(i->x, types[op->kind], seen[op->kind]++);
	if (!d)
		return;
	if (op->kind == OP_IMM)
		op->value = d->imm;
	else if (!op->vector)
		op->size = d->size;
	if (op->kind == OP_MEM)
		read_address(i, op, &d->mem);
}

static const char *find_char(const char *s, const char *end, char c)
{
	while (s < end && *s != c)
		s++;
	return s < end ? s : NULL;
}

static void parse_operand(struct operand *op, const char *s, const char *end)
{
	const char *brace, *open;

	*op = (struct operand){ .text = s, .decor = end, .decor_end = end };
	brace = find_char(s, end, '{');
	if (brace) {
		op->decor = brace;
		end = brace;
	}
	while (end > s && end[-1] == ' ')
		end--;
	op->end = end;
	open = find_char(s, end, '[');
	if (open) {
		op->kind = OP_MEM;
		if (open - s >= 3 && open[-1] == ':')
			disasm_x86_copy(op->segment, sizeof(op->segment), open - 3, open - 1);
	} else if (s < end && ((*s >= '0' && *s <= '9') || *s == '-')) {
		op->kind = OP_IMM;
	} else if (s < end) {
		op->kind = OP_REG;
		op->vector = is_vector(s, (size_t)(end - s));
	} else {
		op->kind = OP_OTHER;
	}
}

static void set_register(struct operand *op, const char *name)
{
	*op = (struct operand){ .kind = OP_REG, .text = name, .end = name + strlen(name) };
	op->decor = op->decor_end = op->end;
}

/*
 * x87 instructions by their first byte from 0xd8 on. A bit for each group (bits 3 to 5 of the ModRM
 * byte) whose operands objdump names both: "st,st(i)", or "st(i),st". of_att: what AT&T's assembler
 * calls groups 4 to 7, whose names it once swapped and kept so.
 */
static const struct x87_form {
	u8 to_top, from_top;
	const char *of_att[4];
} x87_forms[8] = {
	[0] = { .to_top = 0xf3 },
	[2] = { .to_top = 0x0f },
	[3] = { .to_top = 0x6f },
	[4] = { .from_top = 0xf3, .of_att = { "fsub", "fsubr", "fdiv", "fdivr" } },
	[6] = { .from_top = 0xf3, .of_att = { "fsubp", "fsubrp", "fdivp", "fdivrp" } },
	[7] = { .to_top = 0x60 },
};

/* Writes an x87 instruction between registers as objdump does. Capstone omits the stack's top. */
static void rewrite_x87(struct x86_text *i)
{
	static const char *const stack[] = { "st(0)", "st(1)", "st(2)", "st(3)",
					     "st(4)", "st(5)", "st(6)", "st(7)" };
	const struct x87_form *f = &x87_forms[i->opcode - 0xd8];
	u8 modrm = i->x->modrm, group = modrm >> 3 & 7;
	bool to_top = f->to_top >> group & 1, from_top = f->from_top >> group & 1;

	if (!i->nr || modrm < 0xc0 || !strcmp(i->name, "fnstsw"))
		return;
	set_register(&i->ops[0], stack[modrm & 7]);
	i->nr = 1;
	if (!to_top && !from_top)
		return;
	i->ops[to_top] = i->ops[0];
	set_register(&i->ops[from_top], "st");
	i->nr = 2;
	if (from_top && group >= 4 && !i->d->intel)
		disasm_x86_set_name(i, f->of_att[group - 4]);
}

static bool is_accumulator(const struct operand *op)
{
	size_t n = (size_t)(op->end - op->text);

	return op->kind == OP_REG && n >= 2 && n <= 3 && !memcmp(op->end - 2, "ax", 2);
}

/* Where capstone's text is not what the code says. */
static void fit_operands(struct x86_text *i)
{
	static const char names[16][4] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
					   "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };
	const u8 *evex = i->p + i->nr_prefixes;
	struct operand swapped;

	if (i->opcode >= 0xd8 && i->opcode <= 0xdf)
		rewrite_x87(i);
	/* the accumulator is the second: capstone 4 has it first */
	if (i->opcode >= 0x90 && i->opcode <= 0x97 && i->nr == 2 && is_accumulator(&i->ops[0])) {
		swapped = i->ops[0];
		i->ops[0] = i->ops[1];
		i->ops[1] = swapped;
	}
	/* without a base, the one register is an index: its scale of 1 is shown */
	if (i->x->encoding.modrm_offset && i->x->modrm < 0x40 && (i->x->modrm & 7) == 4 &&
	    (i->x->sib & 7) == 5)
		for (unsigned int n = 0; n < i->nr; n++)
			if (i->ops[n].kind == OP_MEM && i->ops[n].base[0] && !i->ops[n].index[0]) {
				memcpy(i->ops[n].index, i->ops[n].base, sizeof(i->ops[n].index));
				i->ops[n].base[0] = 0;
			}
	/* an index is a vector in gathers and scatters only */
	if (i->d->arch != DISASM_X86_64 || i->opcode != 0x62 || strstr(i->name, "gather") ||
	    strstr(i->name, "scatter"))
		return;
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].kind == OP_MEM && i->ops[n].index[0] && i->ops[n].index[1] == 'm')
			memcpy(i->ops[n].index,
			       names[(i->x->sib >> 3 & 7) | (evex[1] & 0x40 ? 0 : 8)], 4);
}

static void parse_operands(struct x86_text *i)
{
	const char *s = i->in->op_str, *end;
	unsigned int seen[OP_OTHER] = { 0 };

	if (i->in->size == i->nr_prefixes + 1 + (i->rex != 0) && i->opcode == 0x90 &&
	    i->x->prefix[2]) {
		disasm_x86_set_name(i, "xchg"); /* of ax with itself */
		s = "ax, ax";
	}
	while (*s && i->nr < OPERANDS_MAX) {
		end = strstr(s, ", ");
		if (!end)
			end = s + strlen(s);
		parse_operand(&i->ops[i->nr], s, end);
		read_detail(i, &i->ops[i->nr], seen);
		i->nr++;
		if (!*end)
			break;
		s = end + 2;
	}
	fit_operands(i);
	/* shifts by one have a code of their own, without the 1 */
	if ((i->opcode == 0xd0 || i->opcode == 0xd1) && i->nr == 2)
		i->nr--;
}

/* The last word: before it are prefixes, which are told from the bytes instead. */
static void parse_name(struct x86_text *i)
{
	const char *blank = strrchr(i->in->mnemonic, ' ');
	const char *s = blank ? blank + 1 : i->in->mnemonic;

	disasm_x86_copy(i->name, sizeof(i->name), s, s + strlen(s));
}

static bool is_prefix(u8 b)
{
	return b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3 || b == 0x2e ||
	       b == 0x36 || b == 0x3e || b == 0x26 || b == 0x64 || b == 0x65;
}

static void parse_prefixes(struct x86_text *i)
{
	unsigned int n = 0;

	while (n + 1 < i->in->size && is_prefix(i->p[n]))
		n++;
	i->nr_prefixes = n;
	if (i->d->arch == DISASM_X86_64 && (i->p[n] & 0xf0) == 0x40 && n + 1u < i->in->size)
		i->rex = i->p[n++];
	i->opcode = i->p[n];
}

/* The right name, and the registers that go with it. */
static void undo_sister(struct x86_text *i)
{
	static const char names[16][2][5] = {
		{ "eax", "rax" },  { "ecx", "rcx" },  { "edx", "rdx" },  { "ebx", "rbx" },
		{ "esp", "rsp" },  { "ebp", "rbp" },  { "esi", "rsi" },  { "edi", "rdi" },
		{ "r8d", "r8" },   { "r9d", "r9" },   { "r10d", "r10" }, { "r11d", "r11" },
		{ "r12d", "r12" }, { "r13d", "r13" }, { "r14d", "r14" }, { "r15d", "r15" },
	};
	const struct disasm_sister *s = &i->d->sister;
	size_t n = strlen(i->name);

	if (*s->name)
		disasm_x86_set_name(i, s->name);
	else if (n)
		i->name[n - 1] = s->last;
	for (unsigned int op = 0; op < i->nr && s->wide_registers; op++)
		for (size_t r = 0; r < ARRAY_SIZE(names); r++)
			if (i->ops[op].kind == OP_REG &&
			    strlen(names[r][0]) == (size_t)(i->ops[op].end - i->ops[op].text) &&
			    disasm_x86_starts_with(i->ops[op].text, i->ops[op].end, names[r][0])) {
				set_register(&i->ops[op], names[r][1]);
				break;
			}
}

void disasm_x86_parse(struct x86_text *i)
{
	i->x = &i->in->detail->x86;
	parse_prefixes(i);
	parse_name(i);
	parse_operands(i);
	if (i->d->has_sister)
		undo_sister(i);
}
