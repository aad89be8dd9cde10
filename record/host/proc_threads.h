/* SPDX-License-Identifier: MIT */
/* Processes and threads from /proc. A file that cannot be parsed counts as missing. */
#ifndef RECORD_HOST_PROC_THREADS_H
#define RECORD_HOST_PROC_THREADS_H

#include "base/types.h"

struct proc_status {
	s32 tgid;       /* the process of the thread */
	u32 ruid, euid; /* real and effective user */
	u64 cap_eff;    /* effective capabilities */
	bool no_new_privs;
	int seccomp;
};

/* Ascending numbers, malloc'd. */
struct tid_list {
	s32 *tids;
	size_t nr, cap;
};
void tid_list_fini(struct tid_list *l);
void tid_list_sort(struct tid_list *l); /* and leaves each number once */
bool tid_list_has(const struct tid_list *l, s32 tid);

/* who: a process or thread number, or "self". False when it is not there. */
bool proc_status_read(const char *procfs, const char *who, struct proc_status *ret);

/* Threads of a process; false when it is not there. ret must be empty. */
bool proc_tasks_read(const char *procfs, s32 pid, struct tid_list *ret);

/* All processes. */
void proc_pids_read(const char *procfs, struct tid_list *ret);

/* Name of a thread, "" when it has ended. */
void proc_comm_read(const char *procfs, s32 tid, char ret[16]);

/*
 * The number that the newest process or thread got, of this PID namespace; 0 where /proc/loadavg
 * does not tell. Numbers are given out in ascending order and begin anew at pid_max.
 */
s32 proc_newest_tid(const char *procfs);

/*
 * Whether tid was given out no later than `mark`, which was the newest once; newest: the newest of
 * now. pid_max: of the kernel, > 0.
 */
bool tid_is_older(s32 tid, s32 mark, s32 newest, s32 pid_max);

#endif
