/* SPDX-License-Identifier: MIT */
/* -G NAME[,NAME...]: which event is counted in which cgroup. */
#ifndef RECORD_CGROUP_OPTION_H
#define RECORD_CGROUP_OPTION_H

#include "record/model/rec_event.h"

/*
 * Gives the names to the events so far, one after the other; *nr_given counts the names of all -G
 * of a command line. An only name is that of every event so far. An empty name leaves its event
 * without a cgroup. PERR_USAGE when there are more names than events.
 */
int cgroup_option_assign(struct rec_evlist *l, const char *text, size_t *nr_given,
			 struct perr *e) MUST_CHECK;

#endif
