/* SPDX-License-Identifier: MIT */
/*
 * The command on the command line of prec, which is recorded or (with -p, -a) sets how long to
 * record. It is forked before the events are opened, so that they can be opened on it, and executed
 * when recording is ready.
 */
#ifndef RECORD_WORKLOAD_H
#define RECORD_WORKLOAD_H

#include <sys/types.h>

#include "base/err.h"

struct workload {
	pid_t pid; /* 0: no command */
	/* one byte written here lets the child exec; closing it unwritten makes the child exit */
	int go_fd;
	int why_fd; /* receives the child's errno if exec failed, else its end of file */
	bool exited;
	int status; /* status of waitpid, valid once `exited` is true */
};

/*
 * Forks a child that waits for workload_start. Its comm is "perf-exec" until it executes, as under
 * perf record. child_mask: the signal mask (sigset_t) of the command. stdout_fd: the descriptor
 * that is the command's standard output, which the command does not have besides; -1: prec's own.
 * The caller ends with workload_end. Fails with PERR_IO if a pipe or the child cannot be created.
 */
int workload_prepare(struct workload *w, char **argv, int stdout_fd, const void *child_mask,
		     struct perr *e) MUST_CHECK;

/*
 * Lets the child execute the command. `name` and `events` (comma-separated) are for the message. If
 * exec fails, the child has been reaped and the result is PERR_KERNEL with sys_errno set and perf's
 * message.
 */
int workload_start(struct workload *w, const char *name, const char *events,
		   struct perr *e) MUST_CHECK;

/* Returns true if the command has ended, now or earlier; w->status is then set. Does not wait. */
bool workload_poll(struct workload *w);

/*
 * Ends the command and waits for it: sends SIGTERM if it runs, and lets a child that was never
 * started exit. Safe to call more than once, and without a command.
 */
void workload_end(struct workload *w);

#endif
