/* SPDX-License-Identifier: MIT */
/*
 * Instructions as assembler text: the only door to the capstone library, which is optional.
 * disasm_none.c stands in where it is not installed.
 */
#ifndef REPORT_DISASM_H
#define REPORT_DISASM_H

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

#endif
