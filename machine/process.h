/* SPDX-License-Identifier: MIT */
/*
 * Threads and processes of one machine as of the record being replayed. Ids are those of the
 * recording's root pid namespace.
 */
#ifndef MACHINE_PROCESS_H
#define MACHINE_PROCESS_H

#include "base/hash.h"
#include "base/intern.h"
#include "machine/mapset.h"

/* What the threads of a process share. */
struct process {
	u32 refs;
	u32 pid;
	u32 ns_pid;              /* pid in its own namespace: names its JIT map */
	u64 pid_ns, mount_ns;    /* inodes of its namespaces, 0 while unknown */
	struct machine_jit *jit; /* machine/jit.h, NULL: no jitdump */
	struct mapset *maps;
};

struct thread {
	u32 pid; /* (u32)-1 while unknown */
	u32 tid;
	u32 comm;        /* interned */
	bool comm_given; /* comm comes from a COMM record or the parent; otherwise it is ":TID" */
	u32 ppid;        /* (u32)-1 while unknown */
	u32 cgroup_ns;   /* interned "DEVICE/0xINODE" of its cgroup namespace, 0 while unknown */
	struct process *process;
};

struct threads {
	struct intern *strings;
	struct map_maker *maker;
	struct idmap by_tid;
	struct thread **slots;
	size_t nr, cap;
	size_t nr_unknown, forget_at; /* made by threads_get() as ":TID"; see threads_forget() */
	struct idmap first_comms;     /* ":TID" of a thread -> its first given comm, see below */
	bool keep_exited; /* EXIT changes nothing, as in perf report; else as in perf script */
	bool nameless;    /* comms are not needed: that of every thread is "" */
};

struct process *process_get(struct process *p);
void process_put(struct process *p);

void threads_init(struct threads *t, struct intern *strings, struct map_maker *maker);
void threads_fini(struct threads *t);

/* The thread, NULL when unknown. A known thread without pid learns it. */
struct thread *threads_find(struct threads *t, u32 pid, u32 tid);
/* As threads_find, made as ":TID" when unknown; valid until it exits. */
struct thread *threads_get(struct threads *t, u32 pid, u32 tid);
void threads_remove(struct threads *t, struct thread *th);

/*
 * FORK: a thread of the parent's process shares its maps; a new process gets a copy of them unless
 * clone_maps is false (records synthesized for running tasks).
 */
void threads_fork(struct threads *t, u32 pid, u32 tid, u32 ppid, u32 ptid, bool clone_maps);
void threads_exit(struct threads *t, u32 pid, u32 tid);

/*
 * Of a machine that runs long: frees threads of which nothing is known but their ids, when they may
 * be many. Most are threads that ended, of which a last sample came later. threads_get() makes one
 * again as it was. No thread that threads_get() or threads_find() returned before is valid then.
 */
void threads_forget(struct threads *t);

/* COMM: the thread has this name (interned) from now on. */
void threads_set_comm(struct threads *t, struct thread *th, u32 comm);
/*
 * The name that a table of samples shows for the comm of a sample: where that was ":TID", the first
 * name that a COMM record gave the thread afterwards. Other comms are returned unchanged.
 */
u32 threads_first_comm(const struct threads *t, u32 comm);

#endif
