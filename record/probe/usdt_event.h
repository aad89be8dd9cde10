/* SPDX-License-Identifier: MIT */
/*
 * Makes events for usdt:FILE:PROVIDER:NAME, static probes that programs are built with.
 */
#ifndef RECORD_PROBE_USDT_EVENT_H
#define RECORD_PROBE_USDT_EVENT_H

#include "record/model/rec_opts.h"

/*
 * Appends an event for each probe that provider and name, both perhaps globs, select in the file at
 * path or in the library of that bare name. They are called "sdt_PROVIDER:NAME", as perf calls
 * them; characters that tracepoints cannot have are _. A probe that the compiler has put at several
 * places has an event for all of them, unless its arguments have other types there: then there are
 * NAME_1 and so on. Samples have the fields arg1, arg2 and so on, where the kernel can read them.
 *
 * A probe with arguments or with several places becomes a tracepoint of the kernel, which is
 * removed when l is freed or prec ends; another one only exists as long as it is open. Either
 * counts itself in where a program looks whether the probe is wanted (semaphore).
 *
 * Warns in o->diag of arguments that are left out. On failure l is unchanged. PERR_NOTFOUND: no
 * such file or probe; help (help_size bytes) then has the nearest names, else "". PERR_IO,
 * PERR_FORMAT, PERR_UNSUPPORTED: the file or tracefs cannot be used, or it is for another machine.
 * PERR_LIMIT: too many places.
 */
int usdt_event_add(struct rec_evlist *l, const struct rec_opts *o, const char *path,
		   const char *provider, const char *name, char *help, size_t help_size,
		   struct perr *e) MUST_CHECK;

#endif
