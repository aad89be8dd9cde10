/* SPDX-License-Identifier: MIT */
/* Reads processes and threads from /proc. A file that cannot be parsed is treated as missing. */
#ifndef RECORD_HOST_PROC_THREADS_H
#define RECORD_HOST_PROC_THREADS_H

#include "base/types.h"

struct proc_status {
	s32 tgid;       /* process that the thread belongs to */
	s32 ppid;       /* its parent process; 0: none */
	u32 ruid, euid; /* real and effective user id */
	u64 cap_eff;    /* bit mask of effective capabilities, as in linux/capability.h */
	bool no_new_privs;
	/* Seccomp mode: 0 off, 1 strict, 2 filter */
	int seccomp;
};

/* A list of thread or process ids in ascending order; free it with tid_list_fini. */
struct tid_list {
	s32 *tids;
	size_t nr, cap;
};
void tid_list_fini(struct tid_list *l);
/* Sorts the list and removes duplicates. */
void tid_list_sort(struct tid_list *l);
/* Returns true if the list, which must be sorted, contains tid. */
bool tid_list_has(const struct tid_list *l, s32 tid);

/*
 * Reads /proc/TASK/status. task: a process or thread id, or "self". Returns false if there is none.
 */
bool proc_status_read(const char *procfs, const char *task, struct proc_status *ret);

/*
 * Appends the threads of process pid to *ret, which must be empty. Returns false if the process
 * does not exist.
 */
bool proc_tasks_read(const char *procfs, s32 pid, struct tid_list *ret);

/* Adds the ids of all processes to *ret, which must be empty. */
void proc_pids_read(const char *procfs, struct tid_list *ret);

/* Reads the comm of a thread; "" if it has ended. */
void proc_comm_read(const char *procfs, s32 tid, char ret[16]);

/*
 * Returns the id that this PID namespace gave to its newest process or thread, from /proc/loadavg;
 * 0 if that cannot be read. Ids ascend and start again after pid_max.
 */
s32 proc_newest_tid(const char *procfs);

/*
 * Returns true if id tid was given out no later than `mark`, where mark was the newest id at some
 * time and `newest` is the newest now, even if ids have wrapped at pid_max (> 0) since.
 */
bool tid_is_older(s32 tid, s32 mark, s32 newest, s32 pid_max);

#endif
