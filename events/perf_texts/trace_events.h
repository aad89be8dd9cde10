/* SPDX-License-Identifier: MIT */
/* What the records of a recording say about system calls: they feed a struct trace_summary. */
#ifndef EVENTS_PERF_TEXTS_TRACE_EVENTS_H
#define EVENTS_PERF_TEXTS_TRACE_EVENTS_H

#include "events/losses.h"
#include "events/perf_texts/trace_summary.h"
#include "session/sample_sink.h"
#include "session/session.h"

struct trace_event;

struct trace_events {
	struct trace_summary *summary;
	struct session *s;
	struct trace_event *events; /* of the recording, by their idx; NULL: not known yet */
	size_t nr;
	bool has_ends;
	struct losses losses;
	/* names of calls asked for lately, by the low bits of their numbers */
	struct recent_name {
		bool is_known;
		u64 id;
		const char *name;
	} recent[128];
};

/* summary and s must outlive ev. */
void trace_events_init(struct trace_events *ev, struct trace_summary *summary, struct session *s);
void trace_events_fini(struct trace_events *ev);

/*
 * What a sample says, in words for trace_events_take(). Returns their number, at most 2; 0:
 * nothing.
 */
int trace_events_shorten(struct trace_events *ev, const struct pd_event *pe,
			 const struct pd_sample *s, u64 words[2]);
void trace_events_take(struct trace_events *ev, const struct pd_event *pe, u64 time,
		       const u64 words[2]);
/* Any other record. */
void trace_events_record(struct trace_events *ev, const struct replay_event *rec);

/* After the pass. Fails with PERR_NOTFOUND where the recording has no ends of system calls. */
int trace_events_check(struct trace_events *ev, struct perr *e) MUST_CHECK;

#endif
