/* SPDX-License-Identifier: MIT */
/*
 * Processes whose JIT writes a jitdump. The process maps the file executable, which is the mark by
 * which a recording tells of it; the functions in it name the code in the process's memory without
 * a file from then on.
 *
 * Maps of that memory are `timed`: their pgoff is the moment (symbols/jit_code.h) as of which the
 * code in them is to be looked up. Where code is put over other code, the map around it is replaced
 * by one of a later moment, so that a map and an ip name one function for good.
 */
#ifndef SESSION_JIT_H
#define SESSION_JIT_H

#include "session/session.h"

struct session_jits;

/* To be called after symbols_free: objects borrow what is freed here. NULL will do. */
void session_jits_free(struct session_jits *j);

/* TIME_CONV: how the CPU's time stamps, which some dumps have, become times. */
void session_jit_time_conv(struct session *s, u64 shift, u64 mult, u64 zero);

/* A new executable map from the start of a file; does nothing unless that is a jitdump. */
void session_jit_mark(struct session *s, struct process *p, const char *name);

/* Memory that a process's jitdumps speak of: a file's name by which the kernel calls it. */
bool session_jit_is_code(const struct process *p, const char *name);

/* Makes *m, not yet in a set, a map of that process's JIT code. */
void session_jit_take(struct session *s, struct process *p, struct map *m);

/* What lay at s->next_jit_time and up to `time` has happened. */
void session_jit_advance(struct session *s, u64 time);

#endif
