/* SPDX-License-Identifier: MIT */
/* How each side-band record changes the session's state; see FORMAT.md 2.12 for the rules. */
#ifndef SESSION_SIDEBAND_H
#define SESSION_SIDEBAND_H

#include "session/session.h"

/* A new map of the session, to be put into a mapset. */
struct map *session_new_map(struct session *s, u64 start, u64 end, u64 pgoff, struct dso *dso,
			    const char *dso_name);

/* MMAP and MMAP2 of a process (cpumode user). */
void sideband_user_mmap(struct session *s, const struct pd_mmap *m);
/* The object of memory without a file: names are in the process's /tmp/perf-PID.map. */
struct dso *sideband_jit_map(struct session *s, struct process *p);
/* MMAP and MMAP2 of the kernel and its modules (cpumode kernel). */
void sideband_kernel_mmap(struct session *s, const struct pd_mmap *m);
void sideband_ksymbol(struct session *s, const struct pd_ksymbol *k);

#endif
