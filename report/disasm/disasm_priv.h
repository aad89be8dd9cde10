/* SPDX-License-Identifier: MIT */
/* What the users of capstone share; nobody else includes this. */
#ifndef REPORT_DISASM_DISASM_PRIV_H
#define REPORT_DISASM_DISASM_PRIV_H

#include <capstone/capstone.h>

#include "report/disasm/disasm.h"

#define SISTER_MAX 17

/* A known instruction in the place of one that capstone does not know, see disasm_mask.c. */
struct disasm_sister {
	u8 code[SISTER_MAX];
	size_t len;
	char name[16]; /* its right name; "": capstone's but for the last character */
	char last;
	bool wide_registers; /* 32-bit registers stand for 64-bit ones */
};

/* Of the len bytes of an unknown instruction; false: there is none. */
bool disasm_sister(const u8 *p, size_t len, struct disasm_sister *ret);

struct disasm_code {
	enum disasm_arch arch;
	bool intel;
	csh handle;
	cs_insn *insn;
	bool has_sister; /* insn is that of sister */
	struct disasm_sister sister;
};

/*
 * Append d->insn, decoded from p, as objdump has it, and fill ret but for its len.
 */
void disasm_x86_print(const struct disasm_code *d, struct out *o, const u8 *p,
		      struct disasm_insn *ret);
void disasm_arm_print(const struct disasm_code *d, struct out *o, struct disasm_insn *ret);

#endif
