/* SPDX-License-Identifier: MIT */
#include "record/keep/task_hits.h"

#include <stdlib.h>

#include "base/mem.h"

void task_hits_fini(struct task_hits *h)
{
	idmap_fini(&h->by_pid);
	free(h->items);
	*h = (struct task_hits){ 0 };
}

static void task_hits_add_many(struct task_hits *h, s32 pid, u64 samples)
{
	u32 i = idmap_get(&h->by_pid, (u32)pid, 0);

	if (i == IDMAP_NONE) {
		i = (u32)h->nr;
		idmap_put(&h->by_pid, (u32)pid, 0, i);
		vec_push(h->items, h->nr, h->cap, ((struct task_hit){ .pid = pid }));
	}
	h->items[i].samples += samples;
	h->last = i;
}

void task_hits_add_other(struct task_hits *h, s32 pid)
{
	task_hits_add_many(h, pid, 1);
}

void task_hits_add_all(struct task_hits *h, const struct task_hits *from)
{
	for (size_t i = 0; i < from->nr; i++)
		task_hits_add_many(h, from->items[i].pid, from->items[i].samples);
}
