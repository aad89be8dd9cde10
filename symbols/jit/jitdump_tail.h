/* SPDX-License-Identifier: MIT */
/*
 * A jitdump that its process still writes: reads again and again what was appended. Keeps what
 * unwinding needs of each function: its addresses, its code and its call frame information. The
 * file is read, not mapped, since its owner may cut it.
 */
#ifndef SYMBOLS_JIT_JITDUMP_TAIL_H
#define SYMBOLS_JIT_JITDUMP_TAIL_H

#include "symbols/jit/jitdump.h"

struct jitdump_tail;

/* fd is taken. pid: whose dump it has to be. */
struct jitdump_tail *jitdump_tail_new(int fd, u32 pid);
/* NULL allowed. */
void jitdump_tail_free(struct jitdump_tail *t);

#define JITDUMP_FUNCS 200000u

/*
 * Reads what was appended since the last call, at most some MiB. Keeps JITDUMP_FUNCS functions, and
 * `room` bytes more than before: what comes behind them is never read. Returns true if there are
 * more functions than before. A file that is no jitdump of the process has none.
 */
bool jitdump_tail_read(struct jitdump_tail *t, size_t room);
/* Bytes that are kept. */
size_t jitdump_tail_bytes(const struct jitdump_tail *t);

/*
 * The dump as it is now, to be freed with jitdump_copy_free(); its spans are borrowed from t, which
 * may be read further meanwhile. Names are empty, and there are no lines.
 */
struct jitdump *jitdump_tail_copy(const struct jitdump_tail *t);
/* NULL allowed. */
void jitdump_copy_free(struct jitdump *d);

#endif
