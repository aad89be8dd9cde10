/* SPDX-License-Identifier: MIT */
/*
 * Parses -I LIST and --user-regs=LIST, lists of this machine's registers, into attr.sample_regs_*.
 */
#ifndef RECORD_MODEL_REGS_OPTION_H
#define RECORD_MODEL_REGS_OPTION_H

#include <stdio.h>

#include "base/err.h"

/*
 * Returns the mask of all general registers, the default of -I, --user-regs and --call-graph dwarf;
 * with `wide`, of the vector registers as well.
 */
u64 regs_option_all(bool wide);

/*
 * Returns the mask of the stack pointer and the program counter, without which no stack can be
 * unwound.
 */
u64 regs_option_minimal(void);

/* The same with the frame pointer and the link register, which some readers cannot do without. */
u64 regs_option_frame(void);

/*
 * Parses a list such as "ax,IP,r8" into a mask. wide: accept the vector registers (XMM) too.
 * option: its name for the message. Fails with PERR_USAGE, naming the unknown register.
 */
int regs_option_parse(const char *text, bool wide, const char *option, u64 *ret,
		      struct perr *e) MUST_CHECK;

/*
 * Prints the names of the registers in one line to f, with `wide` those of the vector registers
 * too.
 */
void regs_option_list(bool wide, FILE *f);

/*
 * Returns true if this processor's PMU can sample vector registers. Tests it by opening an event,
 * which is closed at once.
 */
bool regs_option_can_wide(void);

#endif
