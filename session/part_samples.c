/* SPDX-License-Identifier: MIT */
#include "session/part_samples.h"

#include "base/mem.h"
#include "machine/jit.h"

void part_samples_fini(struct part_samples *ps)
{
	free(ps->v);
	free(ps->tasks);
	free(ps->changes);
	*ps = (struct part_samples){ 0 };
}

static void add_change(struct part_samples *ps, const struct part_record *r, size_t at)
{
	vec_push(ps->changes, ps->nr_changes, ps->cap_changes,
		 ((struct part_change){ .data = r->data,
					.event = r->event,
					.nr_tasks = (u32)ps->nr_tasks,
					.nr_samples = (u32)ps->nr,
					.at = at }));
	/* any thread may be another one from here on */
	ps->round++;
}

/* The number of a thread's task; a new one where the thread was not seen since the last change. */
static u32 task_of(struct part_samples *ps, u32 pid, u32 tid)
{
	size_t i = (tid * 0x9e3779b1u >> 16) % ARRAY_SIZE(ps->recent);

	if (ps->recent[i].round != ps->round || ps->recent[i].tid != tid ||
	    ps->recent[i].pid != pid) {
		ps->recent[i].round = ps->round;
		ps->recent[i].pid = pid;
		ps->recent[i].tid = tid;
		ps->recent[i].task = (u32)ps->nr_tasks;
		vec_push(ps->tasks, ps->nr_tasks, ps->cap_tasks,
			 ((struct part_task){ .pid = pid, .tid = tid }));
	}
	return ps->recent[i].task;
}

static void read_tid(const struct pd_event *ev, const u8 *data, bool swap, u32 *ret_pid,
		     u32 *ret_tid)
{
	const u8 *p = data + ev->layout.tid_sample;

	*ret_pid = *ret_tid = UINT32_MAX;
	if (!ev->layout.tid_sample)
		return;
	*ret_pid = get_u32(p, swap);
	*ret_tid = get_u32(p + 4, swap);
}

/* True if the fields of fixed size are there; the record is then a sample. */
static bool is_whole(const struct pd_event *ev, const u8 *data, bool swap)
{
	return get_u16(data + 6, swap) >= 8u + ev->layout.sample_fixed;
}

static bool is_in_kernel(const u8 *data, bool swap)
{
	return (get_u16(data + 4, swap) & PD_MISC_CPUMODE_MASK) == PD_CPUMODE_KERNEL;
}

static void find_sample(struct part_samples *ps, const struct perfdata *pd, const bool *wanted,
			const struct part_record *r, size_t at)
{
	struct part_sample s = { .data = r->data, .event = r->event, .task = PART_NO_TASK };
	const struct pd_event *ev;
	u32 pid, tid;

	if (r->event == PART_NO_EVENT) {
		ps->nr_unknown_id++;
		return;
	}
	ev = pd->events[r->event];
	if (!is_whole(ev, r->data, pd->swap)) {
		add_change(ps, r, at);
		return;
	}
	if (!wanted || wanted[r->event]) {
		read_tid(ev, r->data, pd->swap, &pid, &tid);
		s.task = task_of(ps, pid, tid);
		ps->tasks[s.task].in_kernel |= is_in_kernel(r->data, pd->swap);
	}
	vec_push(ps->v, ps->nr, ps->cap, s);
}

/* Records that neither change a machine nor say anything of losses may be left out. */
static bool matters(u32 type)
{
	switch (type) {
	case PD_RECORD_UNTHROTTLE:
	case PD_RECORD_READ:
	case PD_RECORD_AUX:
	case PD_RECORD_ITRACE_START:
	case PD_RECORD_SWITCH:
	case PD_RECORD_SWITCH_CPU_WIDE:
	case PD_RECORD_FINISHED_ROUND:
	case PD_RECORD_COMPRESSED:
	case PD_RECORD_COMPRESSED2: return false;
	default: return true;
	}
}

static void find_other(struct part_samples *ps, const struct perfdata *pd, const struct part *p,
		       size_t at)
{
	const struct part_record *r = &p->records[at];
	struct pd_sample trailer;
	struct pd_record rec;
	struct perr e;

	if (matters(get_u32(r->data, pd->swap))) {
		add_change(ps, r, at);
		return;
	}
	if (r->event == PART_NO_EVENT)
		return;
	rec = pd_record_in_run(pd, &part_piece_of(p, r->data)->run, r->data);
	if (pd_read_sample_id(pd->events[r->event], &rec, pd->swap, &trailer, &e))
		add_change(ps, r, at);
}

void part_samples_find(struct part_samples *ps, const struct perfdata *pd,
		       const bool *wanted_events, const struct part *p)
{
	ps->nr = ps->nr_tasks = ps->nr_changes = 0;
	ps->nr_unknown_id = ps->last_time = 0;
	ps->round++;
	for (size_t i = 0; i < p->nr; i++) {
		const struct part_record *r = &p->records[i];

		if (r->time > ps->last_time && r->time != UINT64_MAX)
			ps->last_time = r->time;
		if (get_u32(r->data, pd->swap) == PD_RECORD_SAMPLE)
			find_sample(ps, pd, wanted_events, r, i);
		else
			find_other(ps, pd, p, i);
	}
}

static void give_task(const struct part_turn *t, const struct part_task *task)
{
	t->on_task(t->ctx, machine_thread(t->s->machine, task->pid, task->tid), task->in_kernel);
}

/* As replay_next() treats a record that is no sample, or one that is damaged. */
static void apply_change(const struct part_turn *t, const struct part *p, const u8 *data, u32 event)
{
	const struct perfdata *pd = t->s->pd;
	const struct pd_event *ev = event == PART_NO_EVENT ? NULL : pd->events[event];
	struct pd_callchain_deferred deferred;
	struct pd_sample head;
	struct pd_record rec;
	struct perr e;

	rec = pd_record_in_run(pd, &part_piece_of(p, data)->run, data);
	if (rec.type == PD_RECORD_SAMPLE) {
		if (pd_read_sample_head(ev, &rec, pd->swap, &head, &e)) {
			t->stats->nr_broken_samples++;
			replay_warn_skipped(t->s, &rec, &e);
		}
		return;
	}
	if (ev && pd_read_sample_id(ev, &rec, pd->swap, &head, &e))
		replay_warn_skipped(t->s, &rec, &e);
	replay_stats_note(t->stats, &rec, pd->swap);
	if (rec.type == PD_RECORD_CALLCHAIN_DEFERRED && t->merge_deferred) {
		/* no sample waits for it */
		if (pd_read_callchain_deferred(&rec, pd->swap, &deferred, &e))
			replay_warn_skipped(t->s, &rec, &e);
		return;
	}
	machine_apply(t->s->machine, &rec);
}

/*
 * The rest of a part in which code of a JIT changes: from record `at` and sample `nr` on each
 * sample has a task of its own.
 */
static void replay_each(struct part_samples *ps, const struct part_turn *t, const struct part *p,
			size_t at, size_t nr, size_t nr_tasks)
{
	const struct perfdata *pd = t->s->pd;
	struct machine *mc = t->s->machine;

	for (; at < p->nr; at++) {
		const struct part_record *r = &p->records[at];
		const struct pd_event *ev;
		struct part_task task;

		if (r->time >= mc->next_jit_time && r->time != UINT64_MAX)
			machine_jit_advance(mc, r->time);
		if (nr == ps->nr || ps->v[nr].data != r->data) {
			if (get_u32(r->data, pd->swap) != PD_RECORD_SAMPLE ||
			    r->event != PART_NO_EVENT)
				apply_change(t, p, r->data, r->event);
			continue;
		}
		if (ps->v[nr].task != PART_NO_TASK) {
			ev = pd->events[r->event];
			read_tid(ev, r->data, pd->swap, &task.pid, &task.tid);
			task.in_kernel = is_in_kernel(r->data, pd->swap);
			give_task(t, &task);
			ps->v[nr].task = (u32)nr_tasks++;
		}
		nr++;
	}
}

void part_samples_replay(struct part_samples *ps, const struct part_turn *t, const struct part *p)
{
	const struct machine *mc = t->s->machine;
	size_t task = 0;

	t->stats->nr_unknown_id += ps->nr_unknown_id;
	t->stats->nr_samples += ps->nr;
	if (mc->next_jit_time <= ps->last_time) {
		replay_each(ps, t, p, 0, 0, 0);
		return;
	}
	for (size_t i = 0; i < ps->nr_changes; i++) {
		const struct part_change *c = &ps->changes[i];

		while (task < c->nr_tasks)
			give_task(t, &ps->tasks[task++]);
		apply_change(t, p, c->data, c->event);
		if (mc->next_jit_time <= ps->last_time) {
			replay_each(ps, t, p, c->at + 1, c->nr_samples, task);
			return;
		}
	}
	while (task < ps->nr_tasks)
		give_task(t, &ps->tasks[task++]);
}
