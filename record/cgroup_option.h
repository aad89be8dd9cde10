/* SPDX-License-Identifier: MIT */
/* Parses -G NAME[,NAME...], which assigns cgroups to the events of the command line. */
#ifndef RECORD_CGROUP_OPTION_H
#define RECORD_CGROUP_OPTION_H

#include "record/model/rec_event.h"

/*
 * Assigns the comma-separated cgroup names in `text` to the events of l, one name per event in
 * order. *nr_given counts the names of all -G options so far; the caller starts it at 0 and passes
 * it to every call. If all -G options together name one cgroup, every event of l gets it. An empty
 * name leaves its event without a cgroup. Names are copied. Fails with PERR_USAGE if l has no
 * events or fewer events than names.
 */
int cgroup_option_assign(struct rec_evlist *l, const char *text, size_t *nr_given,
			 struct perr *e) MUST_CHECK;

#endif
