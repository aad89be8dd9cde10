/* SPDX-License-Identifier: MIT */
/* Tracepoints as tracefs shows them. */
#ifndef RECORD_HOST_TRACEFS_H
#define RECORD_HOST_TRACEFS_H

#include "record/host/host_file.h"
#include "base/nearest_name.h"
#include "record/model/rec_opts.h"

/*
 * The folder of tracefs: host->tracefs, else the usual mount points, else what the mounts say.
 * *ret is malloc'd and the caller's. PERR_NOTFOUND: it is not mounted; PERR_IO: it is, and its
 * events cannot be read. Both texts name a command that helps.
 */
int tracefs_find(const struct rec_host *host, char **ret, struct perr *e) MUST_CHECK;

/* Names of the systems that have events, sorted; and of the events of a system. PERR_IO. */
int tracefs_systems(const char *root, struct name_list *ret, struct perr *e) MUST_CHECK;
int tracefs_events(const char *root, const char *system, struct name_list *ret,
		   struct perr *e) MUST_CHECK;

/* The number for attr.config. PERR_IO: no such event or no right; PERR_FORMAT: odd content. */
int tracefs_event_id(const char *root, const char *system, const char *name, u64 *ret,
		     struct perr *e) MUST_CHECK;

/*
 * Offers "system:name" of all events there are. A system that is not there itself is compared
 * first, so that a large tracefs is not read whole.
 */
void tracefs_offer(const char *root, const char *system, const char *name, struct nearest_name *n);

#endif
