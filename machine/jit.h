/* SPDX-License-Identifier: MIT */
/*
 * Processes whose JIT writes a jitdump. The process maps the file executable, which is the mark by
 * which a recording tells of it; the functions in it name the code in the process's memory without
 * a file from then on.
 *
 * Maps of that memory are `timed`: their pgoff is the moment (symbols/jit/jit_code.h) as of which
 * the code in them is to be looked up. Where code is put over other code, the map around it is
 * replaced by one of a later moment, so that a map and an ip name one function for good.
 */
#ifndef MACHINE_JIT_H
#define MACHINE_JIT_H

#include "machine/machine.h"

struct machine_jits;

/* Forgets the processes; dumps and code stay for the objects that borrow them. NULL allowed. */
void machine_jits_reset(struct machine_jits *j);
/* Call it after symbols_free(): objects borrow the code that is freed here. NULL allowed. */
void machine_jits_free(struct machine_jits *j);

/* TIME_CONV: how the CPU's time stamps, which some dumps have, become times. */
void machine_jit_time_conv(struct machine *mc, u64 shift, u64 mult, u64 zero);

/* A new executable map from the start of a file; does nothing unless that is a jitdump. */
void machine_jit_mark(struct machine *mc, struct process *p, const char *name);

/* Memory that a process's jitdumps speak of: a file's name by which the kernel calls it. */
bool machine_jit_is_code(const struct process *p, const char *name);

/* Makes *m, not yet in a set, a map of that process's JIT code. */
void machine_jit_take(struct machine *mc, struct process *p, struct map *m);

/* What lay at s->next_jit_time and up to `time` has happened. */
void machine_jit_advance(struct machine *mc, u64 time);

#endif
