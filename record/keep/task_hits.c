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

void task_hits_add_other(struct task_hits *h, s32 pid)
{
	u32 i = idmap_get(&h->by_pid, (u32)pid, 0);

	if (i == IDMAP_NONE) {
		i = (u32)h->nr;
		idmap_put(&h->by_pid, (u32)pid, 0, i);
		vec_push(h->items, h->nr, h->cap, ((struct task_hit){ .pid = pid }));
	}
	h->items[i].samples++;
	h->last = i;
}
