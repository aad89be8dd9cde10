/* SPDX-License-Identifier: MIT */
/* Reads lists and ids of tracepoints from tracefs. */
#ifndef RECORD_HOST_TRACEFS_H
#define RECORD_HOST_TRACEFS_H

#include "record/host/host_file.h"
#include "base/nearest_name.h"
#include "record/model/rec_opts.h"

/*
 * Finds the folder of tracefs: host->tracefs if set, else the usual mount points below /sys, else a
 * mount listed in /proc/mounts. *ret is malloc'd and the caller's. Fails with PERR_NOTFOUND if
 * tracefs is not mounted, with PERR_IO if its events cannot be read; both texts name a command that
 * helps.
 */
int tracefs_find(const struct rec_host *host, char **ret, struct perr *e) MUST_CHECK;

/* Adds to e how this user, by the group, gets to read the tracefs mounted at root. */
void tracefs_advise(const char *root, struct perr *e);

/*
 * List the systems that have tracepoints, and the tracepoints of one system, sorted by name. root:
 * from tracefs_find. The caller frees *ret with name_list_fini. Fail with PERR_IO.
 */
int tracefs_systems(const char *root, struct name_list *ret, struct perr *e) MUST_CHECK;
int tracefs_events(const char *root, const char *system, struct name_list *ret,
		   struct perr *e) MUST_CHECK;

/*
 * Reads the number of a tracepoint for attr.config. Fails with PERR_IO if there is no such
 * tracepoint or it cannot be read, with PERR_FORMAT if its id file does not hold a number.
 */
int tracefs_event_id(const char *root, const char *system, const char *name, u64 *ret,
		     struct perr *e) MUST_CHECK;

/*
 * Offers tracepoints as "system:name" to n, to suggest those nearest to a mistyped name. If
 * `system` does not exist, only events of the systems with the nearest names are read, because a
 * whole tracefs is large.
 */
void tracefs_offer(const char *root, const char *system, const char *name, struct nearest_name *n);

#endif
