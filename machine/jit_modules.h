/* SPDX-License-Identifier: MIT */
/*
 * Code of JITs as what unwind/ knows: for each function of a jitdump that is asked for a module of
 * its own, with the code in the dump and, where the JIT told it, its call frame information.
 */
#ifndef MACHINE_JIT_MODULES_H
#define MACHINE_JIT_MODULES_H

#include "symbols/jit/jit_code.h"
#include "symbols/symbols.h"
#include "unwind/unwind.h"

struct jit_modules;

struct jit_modules *jit_modules_new(void);
/* Call it before the jitdumps are freed: the modules point into their code. */
void jit_modules_free(struct jit_modules *m);

/*
 * Fills *ret for ip, at a moment of the code (see jit_code.h). False: no dump has it. One caller at
 * a time; what is found stays until jit_modules_forget() for its owner, which has the code.
 */
bool jit_modules_find(struct jit_modules *m, const struct dso *owner, u64 ip, u64 moment,
		      struct unwind_place *ret);
/* Frees what was found for an owner. Returns true if there was anything. */
bool jit_modules_forget(struct jit_modules *m, const struct dso *owner);

#endif
