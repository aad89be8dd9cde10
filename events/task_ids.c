/* SPDX-License-Identifier: MIT */
#include "events/task_ids.h"

#include <stdlib.h>

#include "base/mem.h"

void task_ids_init(struct task_ids *t)
{
	*t = (struct task_ids){ 0 };
	intern_init(&t->strings);
	task_ids_comm(t, 0, span_of("swapper", 7));
}

void task_ids_fini(struct task_ids *t)
{
	free(t->all);
	idmap_fini(&t->by_tid);
	intern_fini(&t->strings);
	*t = (struct task_ids){ 0 };
}

static u32 new_task(struct task_ids *t, u32 tid, const char *comm)
{
	u32 i = (u32)t->nr;

	vec_push(t->all, t->nr, t->cap, ((struct task_id){ .tid = tid, .comm = comm }));
	idmap_put(&t->by_tid, tid, 0, i);
	t->recent[tid % ARRAY_SIZE(t->recent)] = (struct recent_task){ tid, i + 1 };
	return i;
}

u32 task_ids_search(struct task_ids *t, u32 tid)
{
	u32 i = idmap_get(&t->by_tid, tid, 0);

	if (i == IDMAP_NONE)
		return new_task(t, tid, NULL);
	t->recent[tid % ARRAY_SIZE(t->recent)] = (struct recent_task){ tid, i + 1 };
	return i;
}

u32 task_ids_find(const struct task_ids *t, u32 tid)
{
	return idmap_get(&t->by_tid, tid, 0);
}

void task_ids_comm(struct task_ids *t, u32 tid, struct span comm)
{
	u32 text = intern_n(&t->strings, (const char *)comm.p, comm.n);
	u32 i = task_ids_of(t, tid);

	t->all[i].comm = intern_text(&t->strings, text);
}

void task_ids_fork(struct task_ids *t, u32 tid, u32 parent)
{
	u32 i = task_ids_of(t, parent);

	new_task(t, tid, t->all[i].comm);
}

void task_ids_record(struct task_ids *t, const struct replay_event *ev, bool swap)
{
	struct pd_comm comm;
	struct pd_task task;
	struct perr ignored;
	u32 i;

	if (ev->rec.type == PD_RECORD_COMM && !pd_read_comm(&ev->rec, swap, &comm, &ignored))
		task_ids_comm(t, comm.tid, comm.comm);
	else if (ev->rec.type == PD_RECORD_FORK && !pd_read_task(&ev->rec, swap, &task, &ignored))
		task_ids_fork(t, task.tid, task.ptid);
	else if (ev->rec.type == PD_RECORD_EXIT && !pd_read_task(&ev->rec, swap, &task, &ignored) &&
		 (i = task_ids_find(t, task.tid)) != IDMAP_NONE)
		t->all[i].exited = true;
}
