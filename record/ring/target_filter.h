/* SPDX-License-Identifier: MIT */
/*
 * Which of the samples that events of whole CPUs took belong to the target: those of the processes
 * or threads that were named, and of what they started since. Who started whom is known from the
 * FORK, MMAP and COMM records of an event that is bound to the target's own threads.
 *
 * A sample of an unknown process may come before the record that makes it known, since that lies in
 * the ring of another CPU, which was read a moment earlier. It waits until the end of the next
 * sweep: all that was written before the sample was is read by then. Samples that had to wait are
 * newer than the sweep before theirs, so that readers, who sort by rounds, still sort them right.
 */
#ifndef RECORD_RING_TARGET_FILTER_H
#define RECORD_RING_TARGET_FILTER_H

#include "base/hash.h"
#include "base/wbuf.h"

/* Bytes of samples that wait at once; beyond, the oldest are given up. */
#define TARGET_FILTER_HOLD (16u << 20)

/* Zero-initialised follows nobody. */
struct target_filter {
	bool by_process, by_thread; /* what is followed */
	struct idmap pids, tids;    /* those of the target */
	u32 command;                /* a process that belongs to it from its exec on; 0: none */
	bool command_runs;
	u64 command_since;
	struct wbuf held; /* samples that wait, oldest first */
	size_t gone;      /* bytes of held, at its start, that were given up */
	size_t seen;      /* bytes of held that have waited for the end of one sweep */
	u64 nr_foreign;   /* samples that turned out not to be the target's */
	u64 nr_given_up;  /* samples for which there was no more room */
};

void target_filter_fini(struct target_filter *f);

/* The target's process pid, or with tid != 0 its thread tid alone. */
void target_filter_follow(struct target_filter *f, u32 pid, u32 tid);
/* A process that executes the target's command soon; what it does before is not the target's. */
void target_filter_follow_command(struct target_filter *f, u32 pid);

/*
 * Takes in a process and a thread of it that run for the target at `time` (0: not known): the new
 * ones of a FORK record, or who a COMM record of an exec or an MMAP record names. The tracking
 * event is bound to the target's own threads, so that nobody else is in its records; who the parent
 * is does not matter, and its record may lie in a ring that is read later. A number stays the
 * target's, also when its process has ended.
 */
void target_filter_note(struct target_filter *f, u32 pid, u32 tid, u64 time);

/* Whether a sample is known to be the target's. time: 0 when it has none. */
bool target_filter_has(const struct target_filter *f, u32 pid, u32 tid, u64 time);

/* Room for a whole sample of `size` bytes that has to wait. Valid until the next call. */
u8 *target_filter_hold(struct target_filter *f, u32 size);

/*
 * The end of a sweep: each sample that waits is shown to `judge`, which takes it (true) or not.
 * Those not taken that wait for the second time, with `last` all, are dropped.
 */
void target_filter_settle(struct target_filter *f, bool last,
			  bool (*judge)(void *ctx, const u8 *record, u32 size), void *ctx);

#endif
