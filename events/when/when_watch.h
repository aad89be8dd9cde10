/* SPDX-License-Identifier: MIT */
/*
 * When a condition holds, by CPU. Windows of time begin with the first event; a window in which
 * records were lost has at least what was seen, so that only conditions that stay fulfilled when
 * the value grows can be answered there.
 */
#ifndef EVENTS_WHEN_WHEN_WATCH_H
#define EVENTS_WHEN_WHEN_WATCH_H

#include "base/tuple_table.h"
#include "events/when/when_cond.h"

/* Words of a group of events in a window; the weight follows. */
enum when_group { WHEN_STACK, WHEN_COMM, WHEN_GROUP_WORDS };

struct when_hit {
	u32 cpu;
	u64 from, to; /* ns */
	u64 value;
	bool lost;     /* records were lost in between: the value is at least that */
	bool at_event; /* of a gap: it ended with the event that is being taken */
	const struct tuple_table *groups; /* of windows: what was there, with its weight */
};

struct when_cpu {
	bool is_seen;
	bool lost; /* in this window, or since the last event */
	u64 last;  /* time of the last event; 0: none yet */
	u64 sum;   /* in this window */
	struct tuple_table groups;
};

struct when_watch {
	const struct when_cond *cond;
	u64 window; /* ns */
	void (*found)(void *ctx, const struct when_hit *h);
	void *ctx;
	struct when_cpu *cpus;
	size_t nr_cpus, cap_cpus;
	u64 start; /* of the current window; 0: none yet */
	u64 nr_windows, nr_hits, nr_unknown;
};

/* One event that the condition is about, or any other one with is_about false. */
struct when_event {
	bool is_about;
	u32 cpu;
	u64 time;
	u64 weight; /* ns of WHEN_SHARE, else 1 */
	u64 stack, comm;
};

/* w: cond, window, found and ctx are set, the rest is zero. */
void when_watch_take(struct when_watch *w, const struct when_event *e);
/* Records of a CPU were lost; UINT32_MAX: of any. */
void when_watch_lost(struct when_watch *w, u32 cpu);
/* The recording ends. */
void when_watch_end(struct when_watch *w, u64 time);
void when_watch_fini(struct when_watch *w);

#endif
