/* SPDX-License-Identifier: MIT */
/*
 * Machine code as assembler text, by the capstone library. Only report/disasm uses capstone; builds
 * without it have disasm_none.c instead.
 */
#ifndef REPORT_DISASM_DISASM_H
#define REPORT_DISASM_DISASM_H

#include "base/out.h"
#include "base/types.h"

struct disasm;

/* Returns true if this build has capstone. */
bool disasm_is_available(void);

/*
 * Makes a disassembler of x86 code in AT&T syntax, for single instructions. Returns NULL in a build
 * without capstone.
 */
struct disasm *disasm_new(void);
void disasm_free(struct disasm *d);

/* Appends the name of a branch target, as "symbol+0xoff"; returns false if it has no name. */
typedef bool (*disasm_symbol_fn)(void *ctx, struct out *o, u64 addr);

/*
 * Appends the instruction of n bytes at p, whose run-time address is ip. symbol is called with ctx
 * to name the target of a branch; NULL: targets are shown as addresses. Returns false and appends
 * nothing if d is NULL or the bytes are not a known instruction.
 */
bool disasm_text(struct disasm *d, struct out *o, const u8 *p, size_t n, u64 ip, bool is_64,
		 disasm_symbol_fn symbol, void *ctx);

/* Architectures whose functions can be disassembled by disasm_code_next(). */
enum disasm_arch { DISASM_X86_64, DISASM_I386, DISASM_ARM64, DISASM_ARM, DISASM_THUMB };

/* What an instruction does to the flow of control. */
enum disasm_flow {
	DISASM_PLAIN, /* the next instruction follows */
	DISASM_JUMP,  /* conditional or not */
	DISASM_CALL,
	DISASM_RETURN,
};

/* What objdump prints after an instruction's text. */
enum disasm_target {
	DISASM_NO_TARGET,
	DISASM_TARGET_AT_END,  /* the name of the address that the text ends with */
	DISASM_TARGET_COMMENT, /* a comment with an address that the text lacks, and its name */
};

/* An instruction, as disasm_code_next() found it. */
struct disasm_insn {
	unsigned int len; /* bytes, > 0 */
	enum disasm_flow flow;
	enum disasm_target kind;
	u64 target; /* the address that it jumps to or refers to, unless DISASM_NO_TARGET */
};

struct disasm_code;
/*
 * Makes a disassembler of one architecture that prints code as objdump -d does; intel: in Intel
 * syntax, x86 only. Returns NULL if this build cannot disassemble arch. Free with
 * disasm_code_free().
 */
struct disasm_code *disasm_code_new(enum disasm_arch arch, bool intel);
/* Frees the disassembler. NULL is allowed. */
void disasm_code_free(struct disasm_code *d);

/*
 * Appends the instruction at p in objdump's words, without the names of addresses. n > 0 bytes may
 * be read; ip is the address of p. Bytes that are not an instruction are appended as a directive
 * such as ".byte", or as "(bad)". ret->len is between 1 and n in any case.
 */
void disasm_code_next(struct disasm_code *d, struct out *o, const u8 *p, size_t n, u64 ip,
		      struct disasm_insn *ret);

#endif
