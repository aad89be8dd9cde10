/* SPDX-License-Identifier: MIT */
/*
 * Which events of a recording an output is about: one event, where weights are added up, or the
 * events that one table shows side by side.
 */
#ifndef PROFILE_EVENT_CHOICE_H
#define PROFILE_EVENT_CHOICE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/out.h"

struct counts;
struct perfdata;

/*
 * The part of an event's name that is the same on all kinds of CPUs of a hybrid machine: "cycles/u"
 * of "cpu_core/cycles/u". The whole name for other events. Points into name.
 */
struct span event_base_name(const char *name);

/*
 * Chooses one event. Counts of different events do not add up, except for the two halves of an
 * event on a hybrid machine (cpu_core/cycles/ and cpu_atom/cycles/), which count as one.
 *
 * want: the event's name as pevlist prints it, or the base name of the two halves ("cycles"); NULL:
 * the only event that has samples. Sets ret_wanted[0..c->nr_events). PERR_USAGE when several events
 * have samples and want is NULL, or when no event has that name: *ret_choices then lists the events
 * with samples, one a line, malloc'd and the caller's.
 */
int event_choose_one(const struct perfdata *pd, const struct counts *c, const char *want,
		     bool *ret_wanted, char **ret_choices, struct perr *e) MUST_CHECK;

/*
 * Chooses what makes up wall clock time in ns (--wall): the times off the CPU, and those on it,
 * which cpu-clock and task-clock count. Of two clocks the first one with samples counts. Sets
 * ret_wanted as event_choose_one(). PERR_USAGE: the recording lacks one of the two.
 */
int event_choose_wall(const struct perfdata *pd, const struct counts *c, bool *ret_wanted,
		      struct perr *e) MUST_CHECK;

/* True if the recording has a group of events. */
bool events_have_groups(const struct perfdata *pd);

/* Which events share a table. */
struct event_tables {
	const struct perfdata *pd;
	bool group;       /* the members of a recorded group share a table */
	bool force_group; /* all events of a recording without groups share one table */
	bool skip_empty;  /* events without samples are left out */
	bool keep_leader; /* but the first event of a table stays if another one has samples */
	size_t nr_events; /* only events below this pd_event.idx are shown */
	/* Whether an event has no samples; arg: the member below. */
	bool (*is_empty)(const void *arg, u32 event);
	const void *arg;
};

/*
 * The events of the table that begins with event i, by pd_event.idx, to ret, which has room for
 * nr_events of them. Returns how many; 0: event i is in another event's table, or is left out.
 */
size_t event_table(const struct event_tables *t, size_t i, u32 *ret);

/*
 * Appends the names of a table's events: "cycles", "a, b", and of a recorded group, where groups
 * share a table, "anon group { a, b }".
 */
void event_table_put_name(const struct event_tables *t, const u32 *events, size_t nr,
			  struct out *o);

#endif
