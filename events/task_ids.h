/* SPDX-License-Identifier: MIT */
/*
 * Threads of a recording, numbered from 0, with the names that they had last. A thread id that a
 * fork gives to another thread gets another number. A struct that is all zero is not valid.
 */
#ifndef EVENTS_TASK_IDS_H
#define EVENTS_TASK_IDS_H

#include "base/hash.h"
#include "base/intern.h"
#include "session/replay.h"

struct task_id {
	u32 tid;
	const char *comm; /* NULL: not known */
	bool exited;
};

struct task_ids {
	struct task_id *all;
	size_t nr, cap;
	struct idmap by_tid; /* the thread that has the id now */
	/* ids asked for lately, by their low bits; nr + 1; 0: free */
	struct recent_task {
		u32 tid, nr_plus_1;
	} recent[256];
	struct intern strings;
};

/* The first thread is 0, "swapper". */
void task_ids_init(struct task_ids *t);
void task_ids_fini(struct task_ids *t);

/* As task_ids_of(), of one that was not asked for lately. */
u32 task_ids_search(struct task_ids *t, u32 tid);

/* The number of the thread that has this id; it gets one if it has none. */
static inline u32 task_ids_of(struct task_ids *t, u32 tid)
{
	const struct recent_task *recent = &t->recent[tid % ARRAY_SIZE(t->recent)];

	if (recent->nr_plus_1 && recent->tid == tid)
		return recent->nr_plus_1 - 1;
	return task_ids_search(t, tid);
}

/* The same, or IDMAP_NONE. */
u32 task_ids_find(const struct task_ids *t, u32 tid);
/* The name of a thread is known. */
void task_ids_comm(struct task_ids *t, u32 tid, struct span comm);
/* A thread begins, with the name of its parent. */
void task_ids_fork(struct task_ids *t, u32 tid, u32 parent);
/* What a COMM, FORK or EXIT record says; nothing of others. swap: struct perfdata's. */
void task_ids_record(struct task_ids *t, const struct replay_event *ev, bool swap);

#endif
