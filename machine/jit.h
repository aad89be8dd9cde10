/* SPDX-License-Identifier: MIT */
/*
 * Processes whose JIT compiler writes a jitdump. Such a process maps the dump executable, so that
 * the recording has an MMAP record of it. From then on, the functions in the dump name the code in
 * memory of the process that no file is mapped to.
 *
 * Maps of that memory are `timed`: their pgoff is the moment (symbols/jit/jit_code.h) for which the
 * code in them is looked up. When code is put over other code, the map around it is replaced by one
 * of a later moment, so that a map and an ip always name the same function.
 */
#ifndef MACHINE_JIT_H
#define MACHINE_JIT_H

#include "machine/machine.h"

struct machine_jits;

/* Forgets the processes. Dumps and code stay, because objects borrow them. j may be NULL. */
void machine_jits_reset(struct machine_jits *j);
/*
 * Frees j with all dumps and code. Call it after symbols_free(), because objects borrow the code. j
 * may be NULL.
 */
void machine_jits_free(struct machine_jits *j);

/*
 * Sets how timestamps of the CPU, which some dumps have, are converted to times: the values of the
 * TIME_CONV record.
 */
void machine_jit_time_conv(struct machine *mc, u64 shift, u64 mult, u64 zero);

/*
 * Tells that process p has mapped the file `name` executable, from its start. If the file is a
 * jitdump, its functions name the code of the process from now on; otherwise nothing happens.
 */
void machine_jit_mark(struct machine *mc, struct process *p, const struct map *m);

/* True if p has a jitdump and a map called `name` may have its code: it is a memfd or named
 * anonymous memory. */
bool machine_jit_is_code(const struct process *p, const char *name);

/* Makes *m, which is in no mapset yet, a map of the process's JIT code. */
void machine_jit_take(struct machine *mc, struct process *p, struct map *m);

/* Applies the changes of JIT code up to `time`, from mc->next_jit_time on. */
void machine_jit_advance(struct machine *mc, u64 time);

#endif
