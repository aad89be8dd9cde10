/* SPDX-License-Identifier: MIT */
/* --off-cpu: the events that it adds, chosen by what the user may record. */
#ifndef RECORD_OFFCPU_OFFCPU_EVENTS_H
#define RECORD_OFFCPU_OFFCPU_EVENTS_H

#include "record/open/event_open.h"

/*
 * Adds the switch event, if there is one, and offcpu-time; does nothing without --off-cpu. Events
 * are tried by opening them for this process. Notes in o->diag what a better way would add. Call it
 * before event_config(). PERR_KERNEL, PERR_USAGE: the way that the user asks for cannot be taken.
 */
int offcpu_add_events(struct rec_evlist *l, struct rec_opts *o, const struct rec_sys *sys,
		      struct perr *e) MUST_CHECK;

/* Parser of --off-cpu[=HOW] for OPT_CALL_OPT; ctx is an s8 of enum rec_off_cpu. */
int offcpu_parse_how(const char *arg, s8 *ret);

/* Parser of --off-cpu-min for OPT_PARSE: "1ms" becomes a u64 of ns. */
int offcpu_parse_min(void *ns, const char *arg, struct perr *e);

#endif
