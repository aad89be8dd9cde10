/* SPDX-License-Identifier: MIT */
/*
 * The command that is recorded or that bounds a recording: forked before the events are opened, so
 * that they can be opened on it, and let go when everything is ready.
 */
#ifndef RECORD_WORKLOAD_H
#define RECORD_WORKLOAD_H

#include <sys/types.h>

#include "base/err.h"

struct workload {
	pid_t pid;  /* 0: there is none */
	int go_fd;  /* written to: the child may exec; closed without that: it ends */
	int why_fd; /* the child's errno when exec failed, end of file when it did not */
	bool exited;
	int status; /* of waitpid, once exited */
};

/*
 * Forks the child. It calls itself perf-exec, as stock perf's does, and waits. child_mask is the
 * signal mask it gets; with stdout_is_data its output goes to standard error. PERR_KERNEL.
 */
int workload_prepare(struct workload *w, char **argv, bool stdout_is_data, const void *child_mask,
		     struct perr *e) MUST_CHECK;

/*
 * Lets it exec. PERR_KERNEL with sys_errno and perf's text, which names the events, when exec
 * failed; the child is then gone.
 */
int workload_start(struct workload *w, const char *name, const char *events,
		   struct perr *e) MUST_CHECK;

/* Takes its status when it has ended; true when it has (also earlier). Does not wait. */
bool workload_poll(struct workload *w);

/* Ends the child and waits for it: a running one gets SIGTERM, one that has not started exits. */
void workload_end(struct workload *w);

#endif
