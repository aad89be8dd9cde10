/* SPDX-License-Identifier: MIT */
/* The target of a recording: threads, CPUs or both, like perf's thread and CPU maps. */
#ifndef RECORD_OPEN_TARGET_H
#define RECORD_OPEN_TARGET_H

#include "record/model/rec_opts.h"

enum rec_target_kind {
	REC_TARGET_WORKLOAD, /* the command: one thread, which has not executed yet */
	REC_TARGET_PIDS,     /* -p, -u: all threads of processes */
	REC_TARGET_TIDS,     /* -t: single threads */
	REC_TARGET_SYSTEM,   /* -a, -C: the whole system */
};

struct rec_thread {
	s32 pid, tid; /* both -1 in the only entry of a system-wide target */
	char comm[16];
	bool gone; /* it ended, or was refused, before its events were open */
};

struct rec_target {
	enum rec_target_kind kind;
	struct rec_thread *threads;
	size_t nr_threads, cap_threads;
	/* CPUs on which events are opened: all online ones, or those of -C */
	struct cpu_list cpus;
	bool any_cpu;    /* --per-thread: events are opened with cpu -1, and cpus is empty */
	bool cpus_given; /* -C was given */
};

/*
 * Determines the target from o, and warns in o->diag about options without effect. The thread of a
 * command is added by target_set_workload after fork. The caller ends with target_fini. Fails with
 * PERR_NOTFOUND if a process, thread or user does not exist; with PERR_USAGE if options exclude
 * each other, a list is malformed or a CPU is not online; PERR_IO: sysfs does not list the online
 * CPUs.
 */
int target_init(struct rec_target *t, const struct rec_opts *o, struct perr *e) MUST_CHECK;
/* Adds the thread pid of the command, if the target is a command without a thread so far. */
void target_set_workload(struct rec_target *t, s32 pid);
void target_fini(struct rec_target *t);

/*
 * With -C, records the side-band on every CPU and the other events on the given CPUs: a process
 * that forks or maps files on other CPUs may run on these later. Call it after event_config.
 */
void target_spread_side_band(struct rec_target *t, struct rec_evlist *l, const struct rec_opts *o);

/*
 * Appends to t->threads the threads that have started in the target's processes (with -u, the
 * user's processes) since target_init. Returns how many.
 */
size_t target_rescan(struct rec_target *t, const struct rec_opts *o);

/*
 * Puts " on thread 12 (comm)" or, with pid 0 or less, " on CPU 3" into buf, for messages. Empty
 * text for any CPU, cpu -1.
 */
void target_place_text(const struct rec_target *t, s32 pid, s32 cpu, char *buf, size_t size);

#endif
