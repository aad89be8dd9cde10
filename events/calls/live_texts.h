/* SPDX-License-Identifier: MIT */
/*
 * What the pointers among the arguments of a system call point to, read from the memory of the
 * process while it still runs. That is after the call has begun, by as much as a stream of records
 * is late: the memory may hold something else by then.
 */
#ifndef EVENTS_CALLS_LIVE_TEXTS_H
#define EVENTS_CALLS_LIVE_TEXTS_H

#include "events/calls/call_values.h"

/*
 * Reads what thread tid passed to a call that begins: names of files, and the first bytes of what
 * it writes. texts: a copy of each text that v->texts has, owned by the caller; those found are
 * added to both.
 */
void live_texts_enter(u32 tid, struct call_values *v, char **texts);
/* The same for what the call wrote, when it has ended with this result. */
void live_texts_leave(u32 tid, struct call_values *v, char **texts, s64 result);

#endif
