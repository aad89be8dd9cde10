/* SPDX-License-Identifier: MIT */
/*
 * Instructions as assembler text: the only door to the capstone library, which is optional.
 * disasm_none.c stands in where it is not installed.
 */
#ifndef REPORT_DISASM_DISASM_H
#define REPORT_DISASM_DISASM_H

#include "base/out.h"
#include "base/types.h"

struct disasm;

/* Whether this build can disassemble. */
bool disasm_is_available(void);

/* NULL where it cannot. x86 code, in AT&T syntax. */
struct disasm *disasm_new(void);
void disasm_free(struct disasm *d);

/* Name of the place that a branch goes to, as "symbol+0xoff"; false when it has none. */
typedef bool (*disasm_symbol_fn)(void *ctx, struct out *o, u64 addr);

/*
 * Appends the instruction of n bytes at p, which runs at ip. symbol (NULL allowed) names the
 * targets of branches. d may be NULL. False, and nothing appended, when it cannot be told.
 */
bool disasm_text(struct disasm *d, struct out *o, const u8 *p, size_t n, u64 ip, bool is_64,
		 disasm_symbol_fn symbol, void *ctx);

/* --- whole functions, in the words of objdump --------------------------------------------------
 */

enum disasm_arch { DISASM_X86_64, DISASM_I386, DISASM_ARM64, DISASM_ARM, DISASM_THUMB };

enum disasm_flow {
	DISASM_PLAIN,
	DISASM_JUMP, /* conditional or not */
	DISASM_CALL,
	DISASM_RETURN,
};

/* What an instruction's text is to be followed by. */
enum disasm_target {
	DISASM_NO_TARGET,
	DISASM_TARGET_AT_END,  /* the text ends with the address: its name follows */
	DISASM_TARGET_COMMENT, /* the text does not have it: a comment with address and name */
};

struct disasm_insn {
	unsigned int len; /* bytes, > 0 */
	enum disasm_flow flow;
	enum disasm_target kind;
	u64 target; /* with kind: where it jumps, or what it speaks of */
};

/* A disassembler of one architecture. NULL where this build has none. Free with disasm_code_free.
 */
struct disasm_code;
struct disasm_code *disasm_code_new(enum disasm_arch arch, bool intel);
void disasm_code_free(struct disasm_code *d);

/*
 * Appends the instruction that begins at p, of which at most n > 0 bytes are there, as objdump
 * prints it but for the names of places; ip: its address there. What is no instruction is appended
 * as objdump's directives for bytes: ret->len is always between 1 and n.
 */
void disasm_code_next(struct disasm_code *d, struct out *o, const u8 *p, size_t n, u64 ip,
		      struct disasm_insn *ret);

#endif
