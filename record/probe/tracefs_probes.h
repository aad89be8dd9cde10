/* SPDX-License-Identifier: MIT */
/*
 * Probes of the kernel's uprobe_events, which stay until somebody removes them. A process of its
 * own removes these when prec ends, even if it is killed.
 */
#ifndef RECORD_PROBE_TRACEFS_PROBES_H
#define RECORD_PROBE_TRACEFS_PROBES_H

#include "base/err.h"

struct tracefs_probes;

/* root: the folder of tracefs, copied. */
struct tracefs_probes *tracefs_probes_new(const char *root);
/* Removes the probes. Their events must have been closed. NULL is permitted. */
void tracefs_probes_free(struct tracefs_probes *p);

/*
 * Makes the event group:name of a probe. what: "FILE:0xOFFSET arg1=%di:s32". Both names are
 * letters, digits and _. If there is such an event, `_1`, `_2` and so on is added to the name;
 * *ret_name, which is malloc'd, is what it is called. Fails with PERR_IO.
 */
int tracefs_probes_add(struct tracefs_probes *p, const char *group, const char *name,
		       const char *what, char **ret_name, bool *ret_is_new,
		       struct perr *e) MUST_CHECK;

#endif
