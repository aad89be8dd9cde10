/* SPDX-License-Identifier: MIT */
/* Finds out which runtime compiled the code of a recorded process, for advice about that code. */
#ifndef PROFILE_VERDICT_VERDICT_RUNTIME_H
#define PROFILE_VERDICT_VERDICT_RUNTIME_H

#include "machine/machine.h"
#include "profile/verdict/verdict.h"

/*
 * The runtime of the process that d, a DSO_JIT, belongs to: by the files that the process mapped,
 * or, if the process is no longer known, by those of the whole recording, unless these are of
 * several runtimes.
 */
enum verdict_runtime verdict_runtime_of(const struct machine *mc, const struct dso *d);

/*
 * The path, as recorded, of the jitdump that this process mapped; NULL: none. Borrowed from the
 * machine.
 */
const char *verdict_jitdump_of(const struct machine *mc, const struct dso *d);

#endif
