/* SPDX-License-Identifier: MIT */
/* Lengths of x86 instructions, from their encoding alone: no list of instructions is needed. */
#ifndef SYMBOLS_ELF_INSN_LEN_H
#define SYMBOLS_ELF_INSN_LEN_H

#include "base/types.h"

#define X86_INSN_MAX 15 /* longer ones fault */

/*
 * Length of the instruction that begins p, of which n bytes are there. 0 when it is longer than
 * that. Bytes that are no instruction of this mode have a length too: that of their opcode.
 */
unsigned int x86_insn_len(const u8 *p, size_t n, bool is_64);

/* Whether it is a branch that is always taken: jmp, call, ret, syscall, int. */
bool x86_insn_is_uncond_branch(const u8 *p, size_t n, bool is_64);

#endif
