/* SPDX-License-Identifier: MIT */
/* An x86 instruction split into mnemonic, prefixes and operands. For disasm_x86*.c only. */
#ifndef REPORT_DISASM_DISASM_X86_H
#define REPORT_DISASM_DISASM_X86_H

#include <string.h>

#include "report/disasm/disasm_priv.h"

/* Bytes of a mnemonic with its NUL. */
#define WORD_MAX 32
/* Most operands of an instruction. */
#define OPERANDS_MAX 5

/* What an operand is; OP_OTHER is printed as capstone has it. */
enum operand_kind { OP_REG, OP_IMM, OP_MEM, OP_OTHER };

/* One operand of an instruction, parsed from capstone's Intel text; pointers are into it. */
struct operand {
	enum operand_kind kind;
	const char *text, *end;        /* the operand without masks */
	const char *decor, *decor_end; /* AVX-512 masks: "{k1} {z}" */
	unsigned int size;             /* bytes; 0: not known */
	s64 value;                     /* OP_IMM: the value; OP_MEM: the displacement */
	char segment[3];
	char base[8], index[8];
	char scale;
	bool vector; /* OP_REG of SSE, AVX, MMX or a mask */
};

/* The instruction that is being printed. */
struct x86_text {
	const struct disasm_code *d;
	const cs_insn *in;
	const cs_x86 *x;
	const u8 *p;
	struct out *o;
	size_t start;        /* offset in o of the instruction's text */
	char name[WORD_MAX]; /* mnemonic without prefixes */
	struct operand ops[OPERANDS_MAX];
	unsigned int nr;
	unsigned int nr_prefixes; /* number of legacy prefix bytes */
	u8 rex;                   /* the REX prefix, 0 without one */
	u8 opcode;                /* the first opcode byte */
};

/*
 * Fills in the rest of i from the bytes at i->p and capstone's Intel text. The caller has set d,
 * in, p, o and start.
 */
void disasm_x86_parse(struct x86_text *i);

/*
 * Appends the operands of i, separated by commas, when i->name is final. For a direct branch
 * (ret->kind is set) it appends ret->target instead.
 */
void disasm_x86_print_operands(struct x86_text *i, const struct disasm_insn *ret);

/* Copies the text from s to end into to, which has cap bytes, with a NUL; longer texts are cut. */
static inline void disasm_x86_copy(char *to, size_t cap, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);

	if (n >= cap)
		n = cap - 1;
	memcpy(to, s, n);
	to[n] = 0;
}

/* Sets the mnemonic. */
static inline void disasm_x86_set_name(struct x86_text *i, const char *name)
{
	disasm_x86_copy(i->name, sizeof(i->name), name, name + strlen(name));
}

/* Returns true if the text from s to end begins with word. */
static inline bool disasm_x86_starts_with(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !memcmp(s, word, n);
}

/* Returns true for movs, cmps, stos, lods, scas, ins and outs. */
static inline bool disasm_x86_is_string_insn(const struct x86_text *i)
{
	return (i->opcode >= 0xa4 && i->opcode <= 0xa7) ||
	       (i->opcode >= 0xaa && i->opcode <= 0xaf) || (i->opcode >= 0x6c && i->opcode <= 0x6f);
}

/* Returns the first operand in memory, NULL if the instruction has none. */
static inline const struct operand *disasm_x86_memory_of(const struct x86_text *i)
{
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].kind == OP_MEM)
			return &i->ops[n];
	return NULL;
}

/* Returns true for a jump or call whose target is in a register or in memory. */
static inline bool disasm_x86_is_indirect(const struct x86_text *i)
{
	return i->opcode == 0xff && i->nr && i->ops[0].kind != OP_IMM &&
	       (i->name[0] == 'j' || !strcmp(i->name, "call"));
}

#endif
