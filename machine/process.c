/* SPDX-License-Identifier: MIT */
#include "machine/process.h"

#include <stdio.h>

#include "base/mem.h"

#define NO_PID ((u32)-1)

void threads_init(struct threads *t, struct intern *strings, struct map_maker *maker)
{
	*t = (struct threads){ .strings = strings, .maker = maker };
}

static struct process *process_new(struct threads *t, u32 pid)
{
	struct process *p = xcalloc(1, sizeof(*p));

	p->refs = 1;
	p->pid = p->ns_pid = pid;
	p->maps = mapset_new(t->maker);
	return p;
}

struct process *process_get(struct process *p)
{
	p->refs++;
	return p;
}

void process_put(struct process *p)
{
	if (--p->refs)
		return;
	mapset_put(p->maps);
	free(p);
}

static void thread_free(struct thread *th)
{
	if (!th)
		return;
	process_put(th->process);
	free(th);
}

void threads_fini(struct threads *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		thread_free(t->slots[i]);
	free(t->slots);
	idmap_fini(&t->by_tid);
	idmap_fini(&t->first_comms);
}

/* Of several threads that had one id in turn, the first one decides what its ":TID" stands for. */
static void note_first_comm(struct threads *t, const struct thread *th, u32 comm)
{
	if (!t->nameless && !th->comm_given &&
	    idmap_get(&t->first_comms, th->comm, 0) == IDMAP_NONE)
		idmap_put(&t->first_comms, th->comm, 0, comm);
}

void threads_set_comm(struct threads *t, struct thread *th, u32 comm)
{
	note_first_comm(t, th, comm);
	th->comm = comm;
	th->comm_given = true;
}

u32 threads_first_comm(const struct threads *t, u32 comm)
{
	u32 first = idmap_get(&t->first_comms, comm, 0);

	return first == IDMAP_NONE ? comm : first;
}

static struct thread *lookup(const struct threads *t, u32 tid)
{
	u32 i = idmap_get(&t->by_tid, tid, 0);

	return i == IDMAP_NONE ? NULL : t->slots[i];
}

/* A thread first seen without its pid joins its process once the pid is known. */
static void learn_pid(struct threads *t, struct thread *th, u32 pid)
{
	struct thread *leader;

	if (th->pid == pid || pid == NO_PID || th->pid != NO_PID)
		return;
	th->pid = pid;
	if (th->pid == th->tid)
		return;
	leader = threads_get(t, pid, pid);
	if (leader->process == th->process)
		return;
	process_put(th->process);
	th->process = process_get(leader->process);
}

struct thread *threads_find(struct threads *t, u32 pid, u32 tid)
{
	struct thread *th = lookup(t, tid);

	if (th)
		learn_pid(t, th, pid);
	return th;
}

static void name_by_tid(struct threads *t, struct thread *th)
{
	char name[16];

	if (t->nameless)
		return;
	snprintf(name, sizeof(name), ":%d", (int)th->tid);
	th->comm = intern_str(t->strings, name);
}

static struct thread *thread_new(struct threads *t, u32 pid, u32 tid)
{
	struct thread *th = xcalloc(1, sizeof(*th));

	th->pid = pid;
	th->tid = tid;
	th->ppid = NO_PID;
	if (pid == tid || pid == NO_PID)
		th->process = process_new(t, pid);
	else
		th->process = process_get(threads_get(t, pid, pid)->process);
	return th;
}

/* Forgets the ids whose threads have ended, where these are at least half of all. */
static void forget_ended(struct threads *t)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++)
		nr += t->slots[i] != NULL;
	if (nr > t->nr / 2)
		return;
	idmap_clear(&t->by_tid);
	nr = 0;
	for (size_t i = 0; i < t->nr; i++) {
		struct thread *th = t->slots[i];

		if (!th)
			continue;
		idmap_put(&t->by_tid, th->tid, 0, (u32)nr);
		t->slots[nr++] = th;
	}
	t->nr = nr;
}

/* A thread that is not known, as yet without a name. */
static struct thread *add_thread(struct threads *t, u32 pid, u32 tid)
{
	struct thread *th = thread_new(t, pid, tid);
	u32 i = idmap_get(&t->by_tid, tid, 0);

	if (i == IDMAP_NONE) {
		if (t->nr && t->nr == t->cap)
			forget_ended(t);
		idmap_put(&t->by_tid, tid, 0, (u32)t->nr);
		vec_push(t->slots, t->nr, t->cap, th);
	} else {
		t->slots[i] = th;
	}
	return th;
}

struct thread *threads_get(struct threads *t, u32 pid, u32 tid)
{
	struct thread *th = threads_find(t, pid, tid);

	if (th)
		return th;
	th = add_thread(t, pid, tid);
	name_by_tid(t, th);
	t->nr_unknown++;
	return th;
}

#define FEW_THREADS 1024

static bool is_unknown(const struct thread *th)
{
	const struct process *p = th->process;

	return !th->comm_given && !th->cgroup_ns && !p->maps->nr && !p->pid_ns && !p->mount_ns &&
	       !p->jit;
}

void threads_forget(struct threads *t)
{
	if (t->nr_unknown < t->forget_at + FEW_THREADS)
		return;
	t->nr_unknown = 0;
	for (size_t i = 0; i < t->nr; i++) {
		struct thread *th = t->slots[i];

		if (!th || th->comm_given)
			continue;
		if (is_unknown(th)) {
			thread_free(th);
			t->slots[i] = NULL;
		} else {
			t->nr_unknown++;
		}
	}
	t->forget_at = 2 * t->nr_unknown;
}

void threads_remove(struct threads *t, struct thread *th)
{
	u32 i = idmap_get(&t->by_tid, th->tid, 0);

	note_first_comm(t, th, th->comm);
	t->slots[i] = NULL;
	thread_free(th);
}

void threads_fork(struct threads *t, u32 pid, u32 tid, u32 ppid, u32 ptid, bool clone_maps)
{
	struct thread *child = threads_find(t, pid, tid), *parent = threads_get(t, ppid, ptid);
	bool is_new;

	/* the exit of an earlier task of this id was lost */
	if (parent->pid != ppid) {
		bool same = child == parent;

		threads_remove(t, parent);
		if (same)
			child = NULL;
		parent = threads_get(t, ppid, ptid);
	}
	if (child) {
		if (child == parent)
			return;
		threads_remove(t, child);
	}
	/* the parent may have been made just now, and with it a leader that is the child */
	child = threads_find(t, pid, tid);
	if (child == parent)
		return;
	is_new = !child;
	if (is_new)
		child = add_thread(t, pid, tid);
	if (parent->comm_given) {
		child->comm = parent->comm;
		child->comm_given = true;
	} else if (is_new) {
		name_by_tid(t, child);
	}
	child->ppid = parent->tid;
	if (child->pid == parent->pid || child->process == parent->process || !clone_maps)
		return;
	mapset_put(child->process->maps);
	child->process->maps = mapset_get(parent->process->maps);
}

void threads_exit(struct threads *t, u32 pid, u32 tid)
{
	struct thread *th = threads_find(t, pid, tid);

	if (th && !t->keep_exited)
		threads_remove(t, th);
}
