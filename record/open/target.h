/* SPDX-License-Identifier: MIT */
/* What is recorded: threads, CPUs, or both; as perf's thread and CPU maps. */
#ifndef RECORD_OPEN_TARGET_H
#define RECORD_OPEN_TARGET_H

#include "record/model/rec_opts.h"

enum rec_target_kind {
	REC_TARGET_WORKLOAD, /* a command: one thread, not yet running */
	REC_TARGET_PIDS,     /* -p, and -u: every thread of processes */
	REC_TARGET_TIDS,     /* -t */
	REC_TARGET_SYSTEM,   /* -a, -C */
};

struct rec_thread {
	s32 pid, tid; /* -1, -1 of a system-wide target's one entry */
	char comm[16];
	bool gone; /* it ended before its events were open */
};

struct rec_target {
	enum rec_target_kind kind;
	struct rec_thread *threads;
	size_t nr_threads, cap_threads;
	struct cpu_list cpus; /* CPUs on which events are opened: online ones, or those of -C */
	bool any_cpu;         /* --per-thread: one event per thread, cpu -1; cpus is empty */
	bool cpus_given;      /* -C */
};

/*
 * Works out the target of o. A workload's thread is added by target_set_workload when it has been
 * forked. PERR_NOTFOUND: a PID, TID or user is not there (the text names which); PERR_USAGE: the
 * options exclude each other, a list is malformed, a CPU is not online.
 */
int target_init(struct rec_target *t, const struct rec_opts *o, struct perr *e) MUST_CHECK;
void target_set_workload(struct rec_target *t, s32 pid);
void target_fini(struct rec_target *t);

/*
 * -C: the side-band is recorded on every CPU, the other events on those that were given, since what
 * forks, execs and maps on one CPU runs on another. To be called when the events are configured.
 */
void target_spread_side_band(struct rec_target *t, struct rec_evlist *l, const struct rec_opts *o);

/*
 * Threads that started in the target's processes since it was worked out are appended to
 * t->threads. Returns how many.
 */
size_t target_rescan(struct rec_target *t, const struct rec_opts *o);

#endif
