/* SPDX-License-Identifier: MIT */
/* Finds the length of x86 instructions from prefixes, opcode and operand encoding, without a table
 * of all instructions. */
#ifndef SYMBOLS_ELF_INSN_LEN_H
#define SYMBOLS_ELF_INSN_LEN_H

#include "base/types.h"

#define X86_INSN_MAX 15 /* bytes; the CPU raises a fault for a longer instruction */

/*
 * Returns the length in bytes of the instruction at p, of which n bytes can be read; 0 if it is
 * longer than n. For bytes that are not a valid instruction in this mode it returns the length that
 * their opcode would have.
 */
unsigned int x86_insn_len(const u8 *p, size_t n, bool is_64);

/* True if the instruction at p always transfers control: jmp, call, ret, syscall, int. n bytes can
 * be read. */
bool x86_insn_is_uncond_branch(const u8 *p, size_t n, bool is_64);

#endif
