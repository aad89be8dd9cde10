/* SPDX-License-Identifier: MIT */
/* Arguments of static probes as the kernel's probe events take them. */
#ifndef RECORD_PROBE_USDT_ARGS_H
#define RECORD_PROBE_USDT_ARGS_H

#include "base/types.h"

/*
 * Translates the arguments of a note, such as "-4@%edi 8@-16(%rbp) 4@$7" or "-4@w1 8@[sp, 16]", for
 * a file of this machine (ELF's EM_*). Returns " arg1=%di:s32 arg2=-16(%bp):u64 arg3=\7:u32",
 * malloc'd. What is no register, constant, or memory at a register with a displacement is left out,
 * and so are numbers in floating point; *ret_left_out: how many.
 */
char *usdt_args_text(const char *args, u16 machine, unsigned int *ret_left_out);

#endif
