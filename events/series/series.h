/* SPDX-License-Identifier: MIT */
/*
 * Several events in a row: a series A, B, C has the legs A -> B and B -> C, each of which is
 * measured as pairs are, and the whole, from A to C. A series goes on while each of its events
 * finds the one before it under the same key; an event that finds none begins a leg, but no series.
 * A single pair, and events that are only counted, are a series of one leg.
 */
#ifndef EVENTS_SERIES_SERIES_H
#define EVENTS_SERIES_SERIES_H

#include "events/pairs.h"

#define SERIES_MAX_LEGS 16

struct series_leg {
	struct pairs pairs;
	char *name; /* "sched_waking -> sched_switch" */
	char *key;  /* --key of its two events; NULL: none was given */
	const char **begins, **ends;
	size_t nr_begins, nr_ends;
};

struct series {
	struct series_leg *legs;
	size_t nr_legs;
	/* of more than one leg: the whole; its rows, longest pairs and numbers as those of a leg */
	struct series_leg whole;
	/* by leg: the first event of each series that has come so far, by key */
	struct open_begins *carried;
};

/*
 * cfg: what is measured; each of texts.ends is one event of the series (or several, of which any
 * will do), in their order, where there are begins; else they are counted. cycle: the first event
 * follows the last one. The texts are borrowed until series_fini(). keep_samples, than and
 * nr_longest are about the whole. PERR_USAGE: too many events, or --key and --by do not fit them.
 */
int series_init(struct series *c, const struct pairs_config *cfg, bool cycle,
		struct perr *e) MUST_CHECK;
void series_fini(struct series *c);

/* As pairs_start(), of all legs. */
int series_start(struct series *c, const struct perfdata *pd, struct perr *e) MUST_CHECK;
static inline bool series_ready(const struct series *c)
{
	return c->nr_legs && c->legs[0].pairs.ready;
}

/* What is measured from the first event to the last one. */
static inline struct pairs *series_whole(struct series *c)
{
	return c->nr_legs > 1 ? &c->whole.pairs : &c->legs[0].pairs;
}

/* As those of pairs. */
bool series_need_tasks(const struct series *c);
int series_take(struct series *c, const struct sample_view *v, struct perr *e) MUST_CHECK;
void series_take_record(struct series *c, const struct replay_event *ev, bool swap);
void series_restart(struct series *c);

/* By pd_event.idx: the events that have a role; for free(). After series_start(). */
bool *series_events(const struct series *c);

#endif
