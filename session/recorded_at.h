/* SPDX-License-Identifier: MIT */
/* Where and when a recording was made, for files that are no part of it. */
#ifndef SESSION_RECORDED_AT_H
#define SESSION_RECORDED_AT_H

#include "session/session.h"
#include "symbols/live_process.h"

/* What the recording knows of p, to tell whether it still runs. */
struct recorded_process recorded_process(const struct session *s, const struct process *p);

/* Path of a file beside the recording, malloc'd; NULL when that is no file. */
char *recorded_beside(const struct session *s, const char *name);

#endif
