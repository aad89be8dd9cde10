/* SPDX-License-Identifier: MIT */
/* -I LIST and --user-regs=LIST: names of this machine's registers to attr.sample_regs_*. */
#ifndef RECORD_MODEL_REGS_OPTION_H
#define RECORD_MODEL_REGS_OPTION_H

#include <stdio.h>

#include "base/err.h"

/*
 * All general registers: what -I, --user-regs and --call-graph dwarf take when none is named; with
 * wide the vector registers, too.
 */
u64 regs_option_all(bool wide);

/* Stack pointer and program counter: without them no stack can be unwound. */
u64 regs_option_minimal(void);

/*
 * "ax,IP,r8" to the mask. wide: the vector registers (XMM) are names too. PERR_USAGE names the
 * register that is unknown, and how to list them with `option`.
 */
int regs_option_parse(const char *text, bool wide, const char *option, u64 *ret,
		      struct perr *e) MUST_CHECK;

/* The names in one line. */
void regs_option_list(bool wide, FILE *f);

/* True when this processor's PMU can sample vector registers: one open that is closed at once. */
bool regs_option_can_wide(void);

#endif
