/* SPDX-License-Identifier: MIT */
/*
 * Reads the jitdumps of running processes while these write them, in a thread of its own: a file
 * system may take its time. A dump is opened as the process has it mapped, else by its path in the
 * process's root directory, and only if it is the very file that the process mapped.
 */
#ifndef RECORD_LIVE_LIVE_JITS_H
#define RECORD_LIVE_LIVE_JITS_H

#include "machine/jit.h"

struct live_jits;

/* procfs: "/proc", borrowed. */
struct live_jits *live_jits_new(const char *procfs);
/*
 * What was taken by way of the source is not used any more. A thread that waits for a file system
 * is left behind, with what it uses. NULL allowed.
 */
void live_jits_free(struct live_jits *j);

/* What machine_config.jit_source is to be; valid as long as j. */
const struct jit_source *live_jits_source(const struct live_jits *j);

/*
 * Waits until all that the dumps have now was read, which includes the code that ran so far, if its
 * JIT has written it. It waits for a slow file system once, and not at all without dumps.
 */
void live_jits_read(struct live_jits *j);
/* True if a dump was opened that was not read since. */
bool live_jits_has_new(const struct live_jits *j);

#endif
