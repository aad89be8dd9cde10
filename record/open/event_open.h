/* SPDX-License-Identifier: MIT */
/*
 * Opens every event on its CPUs and threads with perf_event_open, with the fall-backs of stock perf
 * (FORMAT.md 5.3), and sets filters and state of the open events.
 */
#ifndef RECORD_OPEN_EVENT_OPEN_H
#define RECORD_OPEN_EVENT_OPEN_H

#include "record/open/event_config.h"
#include "record/open/target.h"

/* The system calls whose failures tests provoke by functions of their own. */
struct rec_sys {
	/*
	 * perf_event_open. attr: `size` bytes in the kernel's layout. Returns the descriptor or
	 * -errno.
	 */
	int (*open)(void *ctx, const void *attr, size_t size, s32 pid, s32 cpu, int group_fd,
		    unsigned long flags);
	/* returns >= 0 or -errno */
	int (*ioctl)(void *ctx, int fd, unsigned long request, u64 arg);
	void *ctx;
};
extern const struct rec_sys rec_sys_kernel;

/*
 * Opens all events on the target. If the kernel refuses an event, tries again as stock perf does:
 * with lower precise_ip, cpu-clock for cycles, user space only, without fields that an older kernel
 * lacks, or without that event; warns in o->diag about each change. Threads that have ended, and
 * threads that may not be recorded among others that may, are marked gone. Raises RLIMIT_NOFILE as
 * needed. whole_system events are opened on CPUs only. With o->verbose > 1, prints every attr and
 * result to o->log as perf -vv does.
 *
 * Fails with PERR_KERNEL if nothing can be recorded; the text names the cause, its current value
 * and the command that changes it (record/open/open_advice). All descriptors are then closed.
 * PERR_NOTFOUND: a cgroup of -G does not exist. On success the caller ends with event_close_all.
 */
int event_open_all(struct rec_evlist *l, struct rec_target *t, struct rec_opts *o,
		   const struct rec_sys *sys, struct perr *e) MUST_CHECK;
void event_close_all(struct rec_evlist *l, const struct rec_sys *sys);

/*
 * Sets the filters of --filter and --exclude-perf on open tracepoints. Fails with PERR_KERNEL,
 * naming the filter, the event and the fields that it has.
 */
int event_set_filters(struct rec_evlist *l, const struct rec_opts *o, const struct rec_sys *sys,
		      struct perr *e) MUST_CHECK;

/*
 * Enables or disables the events called `name`, or all if it is NULL. Returns how many events have
 * that name. Errors of the system calls are ignored.
 */
size_t event_enable(struct rec_evlist *l, const char *name, bool on, const struct rec_sys *sys);

#endif
