/* SPDX-License-Identifier: MIT */
/*
 * What `perf sched latency` counts: how long each thread could run but waited for a CPU, from its
 * waking, or from when it lost the CPU, until it ran. Given what the scheduler's events say, oldest
 * first, in ns of the recording's clock. It counts as perf 7.2 does, so that its text is perf's:
 * a thread that is seen first when it comes to a CPU counts with a wait of 0.
 */
#ifndef EVENTS_PERF_TEXTS_SCHED_LATENCY_H
#define EVENTS_PERF_TEXTS_SCHED_LATENCY_H

#include "base/out.h"
#include "events/task_ids.h"

enum latency_state { LATENCY_RAN, LATENCY_ASLEEP, LATENCY_WAITS };

struct latency_thread {
	bool seen;                 /* by an event of the scheduler; others are in no row */
	u8 state;                  /* enum latency_state */
	u64 since;                 /* it left the CPU, ns */
	u64 ready;                 /* LATENCY_WAITS: it could run, ns */
	u64 runtime, waited;       /* ns */
	u64 nr;                    /* waits that ended */
	u64 max, max_from, max_to; /* ns; the longest of them */
};

struct sched_latency {
	struct task_ids tasks;
	struct latency_thread *all; /* by their numbers in tasks */
	size_t nr, cap;
	u32 *current; /* by CPU: the thread id that came to it last, or NO_TID */
	size_t nr_cpus, cap_cpus;
	u64 nr_wakings, nr_unordered; /* of sleepers; of these, earlier than their sleep */
	u64 nr_wrong_switches;        /* from a thread that had not come to the CPU */
	u64 nr_lost, nr_losses;       /* records, and LOST records that count them */
};

void sched_latency_init(struct sched_latency *l);
void sched_latency_fini(struct sched_latency *l);

/* What a sample of sched_switch says. */
struct latency_switch {
	u32 cpu, prev, next; /* thread ids */
	u64 prev_state;      /* as recorded */
	u64 time;
};

void sched_latency_switch(struct sched_latency *l, const struct latency_switch *sw);
/* A thread ran for `ns` more, up to `time`. */
void sched_latency_runtime(struct sched_latency *l, u32 tid, u64 ns, u64 time);
void sched_latency_wake(struct sched_latency *l, u32 tid, u64 time);

enum latency_key {
	LATENCY_BY_AVG,
	LATENCY_BY_MAX,
	LATENCY_BY_SWITCH,
	LATENCY_BY_RUNTIME,
	LATENCY_BY_PID,
	NR_LATENCY_KEYS
};

struct latency_layout {
	enum latency_key keys[NR_LATENCY_KEYS];
	size_t nr_keys; /* 0: avg, max, switch, runtime */
	bool by_thread; /* else one row for all threads of a name */
	u64 nr_records; /* of the recording, samples as well */
};

/* Writes the table in perf's layout. */
void sched_latency_put(const struct sched_latency *l, const struct latency_layout *how,
		       struct out *o);

#endif
