/* SPDX-License-Identifier: MIT */
/*
 * The samples of a part of a recording, and the tasks that they belong to. Most of the work about a
 * part needs nothing of the parts before it and is done by several threads at once; only what
 * changes the machine is done in the order of the parts, and it takes little: one look at a thread
 * serves all of its samples up to the next record that changes anything.
 */
#ifndef SESSION_PART_SAMPLES_H
#define SESSION_PART_SAMPLES_H

#include "session/parts/parts.h"
#include "session/replay.h"

/* The task of a sample whose event is not wanted. */
#define PART_NO_TASK UINT32_MAX

struct part_sample {
	const u8 *data; /* the record */
	u32 event;      /* pd_event.idx */
	u32 task;       /* number, within the part */
};

/* A task that some samples belong to. */
struct part_task {
	u32 pid, tid;   /* as the samples have them */
	bool in_kernel; /* one of them was taken in the kernel */
};

/* A record that is no sample to be counted. */
struct part_change {
	const u8 *data;
	u32 event;
	u32 nr_tasks, nr_samples; /* before it in this part */
	size_t at;                /* in the part's records */
};

/* Of the part at hand, of one thread. All zero to begin with. */
struct part_samples {
	struct part_sample *v;
	size_t nr, cap;
	struct part_task *tasks;
	size_t nr_tasks, cap_tasks;
	struct part_change *changes;
	size_t nr_changes, cap_changes;
	u64 nr_unknown_id;
	u64 last_time; /* of the part's records, ns */
	/* The task of a thread that was seen lately. */
	struct {
		u32 pid, tid, task;
		u64 round; /* valid if it is that of struct part_samples */
	} recent[64];
	u64 round;
};

void part_samples_fini(struct part_samples *ps);

/*
 * Finds the samples of a part and what else matters in it. wanted_events: by pd_event.idx; NULL:
 * all. The events' samples are neither joined with other records nor taken apart (replay_is_plain).
 */
void part_samples_find(struct part_samples *ps, const struct perfdata *pd,
		       const bool *wanted_events, const struct part *p);

/* What the turn of a part needs. */
struct part_turn {
	struct session *s;
	struct replay_stats *stats;
	bool merge_deferred;
	/* The thread of the next task: tasks are numbered in the order of these calls. */
	void (*on_task)(void *ctx, const struct thread *th, bool in_kernel);
	void *ctx;
};

/*
 * In the part's turn: the machine becomes as of the end of the part, and on_task() is called for
 * each task, with the machine as of its samples.
 */
void part_samples_replay(struct part_samples *ps, const struct part_turn *t, const struct part *p);

#endif
