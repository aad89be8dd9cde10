/* SPDX-License-Identifier: MIT */
/* Counts samples by process. Adding one takes a comparison while a process keeps running. */
#ifndef RECORD_KEEP_TASK_HITS_H
#define RECORD_KEEP_TASK_HITS_H

#include "base/hash.h"

struct task_hit {
	s32 pid;
	u64 samples;
};

/* All zero is valid: no sample was added. */
struct task_hits {
	struct idmap by_pid; /* index in items */
	struct task_hit *items;
	size_t nr, cap;
	size_t last; /* index in items of the process that was added last */
};

void task_hits_fini(struct task_hits *h);

/* As task_hits_add, for a process that is not the last one. */
void task_hits_add_other(struct task_hits *h, s32 pid);

/* Adds the samples of all processes in `from`. */
void task_hits_add_all(struct task_hits *h, const struct task_hits *from);

/* Adds a sample of process pid. */
static inline void task_hits_add(struct task_hits *h, s32 pid)
{
	if (h->last < h->nr && h->items[h->last].pid == pid)
		h->items[h->last].samples++;
	else
		task_hits_add_other(h, pid);
}

#endif
