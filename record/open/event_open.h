/* SPDX-License-Identifier: MIT */
/*
 * perf_event_open for every event, CPU and thread, with the fall-backs of stock perf (FORMAT.md
 * 5.3) and a note for each; and the ioctls on what was opened.
 */
#ifndef RECORD_OPEN_EVENT_OPEN_H
#define RECORD_OPEN_EVENT_OPEN_H

#include "record/open/event_config.h"
#include "record/open/target.h"

/* The system calls that can fail in ways worth a test; tests put others in their place. */
struct rec_sys {
	/* attr: `size` bytes in the kernel's layout. Returns the fd or -errno. */
	int (*open)(void *ctx, const void *attr, size_t size, s32 pid, s32 cpu, int group_fd,
		    unsigned long flags);
	int (*ioctl)(void *ctx, int fd, unsigned long request, u64 arg); /* 0.. or -errno */
	void *ctx;
};
extern const struct rec_sys rec_sys_kernel;

/*
 * Opens everything. What the kernel refuses is tried again as stock perf does: lower precise_ip,
 * cpu-clock for the default event, user only, fields that an older kernel does not know, one event
 * less; each in one line to o->diag. Threads that end meanwhile are left out (gone). RLIMIT_NOFILE
 * is raised as far as needed. Events that are whole_system are opened on the CPUs alone. verbose >
 * 1: every attr and result to o->log as perf -vv prints them.
 *
 * PERR_KERNEL when nothing can be recorded; the text says what failed, the current value and the
 * command that helps (record/open/advice). Descriptors opened so far are then closed.
 */
int event_open_all(struct rec_evlist *l, struct rec_target *t, struct rec_opts *o,
		   const struct rec_sys *sys, struct perr *e) MUST_CHECK;
void event_close_all(struct rec_evlist *l, const struct rec_sys *sys);

/* Sets the filters of tracepoints. PERR_KERNEL with the filter, the event and the fields it has. */
int event_set_filters(struct rec_evlist *l, const struct rec_opts *o, const struct rec_sys *sys,
		      struct perr *e) MUST_CHECK;

/* All events on or off, or those of a name (NULL: all). Returns how many events matched. */
size_t event_enable(struct rec_evlist *l, const char *name, bool on, const struct rec_sys *sys);

#endif
