/* SPDX-License-Identifier: MIT */
/*
 * Decides which samples of events on whole CPUs belong to the target: to the named processes or
 * threads, or to tasks that these have started since. FORK, MMAP and COMM records of an event that
 * is bound to the target's own threads show which tasks that are.
 *
 * A sample may be read before the record that shows its process to be the target's, if that record
 * lies in the ring of another CPU, which was read a moment earlier. Such a sample waits until the
 * end of the next sweep, when every record written before the sample has been read. It is newer
 * than the sweep before its own, so readers, which sort by rounds, still sort it correctly.
 */
#ifndef RECORD_RING_TARGET_FILTER_H
#define RECORD_RING_TARGET_FILTER_H

#include "base/hash.h"
#include "base/wbuf.h"
#include "record/ring/sample_layout.h"

/* Limit of the bytes of samples that wait; beyond it the oldest are given up. */
#define TARGET_FILTER_HOLD (16u << 20)

/* The state of the filter. Zero-initialised: no task belongs to the target. */
struct target_filter {
	bool by_process, by_thread; /* the target has processes; the target has threads */
	struct idmap pids, tids;    /* processes and threads of the target */
	/* the command's process, which belongs to the target from its exec on; 0: none */
	u32 command;
	bool command_runs;
	u64 command_since;
	struct wbuf held; /* waiting samples, oldest first */
	size_t gone;      /* bytes at the start of held that were given up */
	size_t seen;    /* bytes at the start of `held` that have waited for the end of a sweep over
			 * all rings */
	u64 nr_foreign; /* samples that turned out not to belong to the target */
	u64 nr_given_up; /* samples given up for lack of room */
};

/* Frees what the filter owns, not the struct. */
void target_filter_fini(struct target_filter *f);

/* Adds process pid to the target, or with tid != 0 only its thread tid. */
void target_filter_follow(struct target_filter *f, u32 pid, u32 tid);
/* Adds the forked process of the command to the target, from its exec on. */
void target_filter_follow_command(struct target_filter *f, u32 pid);

/*
 * Adds process pid and thread tid to the target from `time` on (ns; 0: unknown). Call it for the
 * new task of a FORK record and the task of an MMAP record or a COMM record of an exec. The event
 * of these records is bound to the target's own threads, so all tasks in them belong to the target,
 * and the parent need not be checked; its record may be in a ring that is read later. An id stays
 * in the target when its process has ended.
 */
void target_filter_note(struct target_filter *f, u32 pid, u32 tid, u64 time);

/*
 * target_filter_note() for the tasks that a FORK, MMAP, MMAP2 or COMM record names. l: the layout
 * of the record's event.
 */
void target_filter_note_record(struct target_filter *f, const struct sample_layout *l,
			       const struct ring_view *v, u32 type);

/* Returns true if a sample is known to belong to the target. time: ns; 0: the sample has none. */
bool target_filter_has(const struct target_filter *f, u32 pid, u32 tid, u64 time);

/*
 * Returns room for a waiting sample of `size` bytes, to be filled by the caller before the next
 * call.
 */
u8 *target_filter_hold(struct target_filter *f, u32 size);

/*
 * Ends a sweep: calls `judge` for each waiting sample, which returns true if it has taken it.
 * Samples not taken for the second time (all if `last` is true) are dropped and counted.
 */
void target_filter_settle(struct target_filter *f, bool last,
			  bool (*judge)(void *ctx, const u8 *record, u32 size), void *ctx);

#endif
