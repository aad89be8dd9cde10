/* SPDX-License-Identifier: MIT */
/* --why OBJECT: where the files of recorded objects are looked for, and why they are not taken. */
#ifndef SESSION_WHY_H
#define SESSION_WHY_H

#include "base/out.h"
#include "session/session.h"

/*
 * Reads the recording and prints of each object whose name is pattern, or whose file name is, or,
 * where there is none, whose name has pattern in it: what the recording says of it, each place
 * tried with what became of it, and which file is used for symbols, code, debug information and
 * call frame information. With cfg's debuginfod it asks that, too. PERR_NOTFOUND when no object
 * matches; else the errors of replay_next, after what was read so far is printed.
 */
int why_print(struct out *o, struct perfdata *pd, const struct session_config *cfg,
	      struct diag *diag, const char *pattern, struct perr *e) MUST_CHECK;

#endif
