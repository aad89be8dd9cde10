/* SPDX-License-Identifier: MIT */
/*
 * Runs the command of --switch-hook for each finished file of --switch-output, in a thread of its
 * own: whatever the command does, the thread that reads the rings does not wait for it.
 */
#ifndef RECORD_SWITCH_HOOK_H
#define RECORD_SWITCH_HOOK_H

#include "base/err.h"
#include "base/types.h"

struct switch_hook;

/*
 * Starts a thread that runs `command` with sh -c, with the file as $1, for one file after another.
 * Its standard input is /dev/null and its standard output prec's standard error; it has a process
 * group of its own, so that Ctrl-C ends the recording and not the last upload. Returns NULL if the
 * thread cannot be created. End it with switch_hook_end.
 */
struct switch_hook *switch_hook_new(const char *command);

/*
 * Queues a run for the finished file `path`, which is copied. Never waits. Where SWITCH_HOOK_MAX
 * files wait already it is left out, which counts as a failure.
 */
#define SWITCH_HOOK_MAX 1000u
void switch_hook_put(struct switch_hook *h, const char *path);

/*
 * Once, after the first run that failed: returns true and sets *ret to the failure. A run fails if
 * its status is not 0.
 */
bool switch_hook_failed(struct switch_hook *h, struct perr *ret);

struct switch_hook_counts {
	u64 runs, failed;
	u64 left; /* files whose run did not end, or did not begin, in time */
};

/* Waits for the runs of all queued files, at most `limit_ms`. */
void switch_hook_wait(struct switch_hook *h, u64 limit_ms);

/*
 * Ends the thread and frees h, which may be NULL. Never waits for a run: one that goes on is left
 * alone, and files that wait get none.
 */
struct switch_hook_counts switch_hook_end(struct switch_hook *h);

#endif
