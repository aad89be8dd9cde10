/* SPDX-License-Identifier: MIT */
/* What the records of a recording say about waits for a CPU: they feed a struct sched_latency. */
#ifndef EVENTS_PERF_TEXTS_SCHED_EVENTS_H
#define EVENTS_PERF_TEXTS_SCHED_EVENTS_H

#include "events/perf_texts/sched_latency.h"
#include "session/sample_sink.h"
#include "session/session.h"

struct sched_event;

struct sched_events {
	struct sched_latency *latency;
	struct session *s;
	struct sched_event *events; /* of the recording, by their idx; NULL: not known yet */
	size_t nr;
	bool has_switches;
};

/* latency and s must outlive ev. */
void sched_events_init(struct sched_events *ev, struct sched_latency *latency, struct session *s);
void sched_events_fini(struct sched_events *ev);

/*
 * What a sample says, in words for sched_events_take(). Returns their number, at most 3; 0:
 * nothing.
 */
int sched_events_shorten(struct sched_events *ev, const struct pd_event *pe,
			 const struct pd_sample *s, u64 words[3]);
void sched_events_take(struct sched_events *ev, const struct pd_event *pe, u64 time,
		       const u64 words[3]);
/* Any other record. */
void sched_events_record(struct sched_events *ev, const struct replay_event *rec);

/* After the pass. Fails with PERR_NOTFOUND where the recording has no switches with their fields.
 */
int sched_events_check(struct sched_events *ev, struct perr *e) MUST_CHECK;

#endif
