/* SPDX-License-Identifier: MIT */
/* Declarations for the files that use capstone. Only report/disasm includes this header. */
#ifndef REPORT_DISASM_DISASM_PRIV_H
#define REPORT_DISASM_DISASM_PRIV_H

#include <capstone/capstone.h>

#include "report/disasm/disasm.h"

/* Most bytes of a disasm_sister: an x86 instruction has up to 15, and one may be added. */
#define SISTER_MAX 17

/*
 * An instruction that capstone knows, to be disassembled in place of one with the same operands
 * that it does not know, see disasm_mask.c.
 */
struct disasm_sister {
	u8 code[SISTER_MAX];
	size_t len;
	char name[16]; /* mnemonic to print; "": the sister's, with `last` as its last character */
	char last;
	bool wide_registers; /* print 32-bit registers of the sister as 64-bit ones */
};

/* Makes the sister of the unknown instruction of len bytes at p; returns false if it has none. */
bool disasm_sister(const u8 *p, size_t len, struct disasm_sister *ret);

/* A disassembler of one architecture. */
struct disasm_code {
	enum disasm_arch arch;
	bool intel;
	csh handle;
	cs_insn *insn;
	bool has_sister; /* insn was decoded from sister.code */
	struct disasm_sister sister;
};

/* Appends the x86 instruction d->insn, decoded from p, as objdump does; fills ret except len. */
void disasm_x86_print(const struct disasm_code *d, struct out *o, const u8 *p,
		      struct disasm_insn *ret);
/* Appends the ARM or ARM64 instruction d->insn as objdump does; fills ret except len. */
void disasm_arm_print(const struct disasm_code *d, struct out *o, struct disasm_insn *ret);

#endif
