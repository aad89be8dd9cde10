/* SPDX-License-Identifier: MIT */
/* An x86 instruction taken apart; for disasm_x86*.c only. */
#ifndef REPORT_DISASM_DISASM_X86_H
#define REPORT_DISASM_DISASM_X86_H

#include <string.h>

#include "report/disasm/disasm_priv.h"

#define WORD_MAX 32
#define OPERANDS_MAX 5

enum operand_kind { OP_REG, OP_IMM, OP_MEM, OP_OTHER };

/* One operand of capstone's Intel text, taken apart. Spans are of that text. */
struct operand {
	enum operand_kind kind;
	const char *text, *end; /* without decorations */
	const char *decor;      /* "{k1} {z}", up to decor_end */
	const char *decor_end;
	unsigned int size; /* bytes; 0: not known */
	s64 value;         /* OP_IMM: the value; OP_MEM: the displacement */
	char segment[3];
	char base[8], index[8];
	char scale;
	bool vector; /* OP_REG of SSE, AVX, MMX or a mask */
};

struct x86_text {
	const struct disasm_code *d;
	const cs_insn *in;
	const cs_x86 *x;
	const u8 *p;
	struct out *o;
	size_t start;        /* of the text in o */
	char name[WORD_MAX]; /* mnemonic without prefixes */
	struct operand ops[OPERANDS_MAX];
	unsigned int nr;
	unsigned int nr_prefixes; /* legacy prefix bytes */
	u8 rex;
	u8 opcode; /* the first byte of it */
};

/* Fills i, of which d, in, p, o and start are set, by the bytes at p and capstone's Intel text. */
void disasm_x86_parse(struct x86_text *i);

/*
 * Prints the operands of i, whose mnemonic is settled, separated by commas. Of a branch whose
 * target ret has found it prints that address instead.
 */
void disasm_x86_print_operands(struct x86_text *i, const struct disasm_insn *ret);

static inline void disasm_x86_copy(char *to, size_t cap, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);

	if (n >= cap)
		n = cap - 1;
	memcpy(to, s, n);
	to[n] = 0;
}

static inline void disasm_x86_set_name(struct x86_text *i, const char *name)
{
	disasm_x86_copy(i->name, sizeof(i->name), name, name + strlen(name));
}

static inline bool disasm_x86_starts_with(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !memcmp(s, word, n);
}

static inline bool disasm_x86_is_string_insn(const struct x86_text *i)
{
	return (i->opcode >= 0xa4 && i->opcode <= 0xa7) ||
	       (i->opcode >= 0xaa && i->opcode <= 0xaf) || (i->opcode >= 0x6c && i->opcode <= 0x6f);
}

static inline const struct operand *disasm_x86_memory_of(const struct x86_text *i)
{
	for (unsigned int n = 0; n < i->nr; n++)
		if (i->ops[n].kind == OP_MEM)
			return &i->ops[n];
	return NULL;
}

static inline bool disasm_x86_is_indirect(const struct x86_text *i)
{
	return i->opcode == 0xff && i->nr && i->ops[0].kind != OP_IMM &&
	       (i->name[0] == 'j' || !strcmp(i->name, "call"));
}

#endif
