/* SPDX-License-Identifier: MIT */
/*
 * Keeps what readers of the recording will need and would not find: objects of containers, files
 * deleted or replaced while recording, maps of JITs in containers. The thread that reads the rings
 * only queues what was mapped; another thread opens the objects while their processes run, and
 * copies them into the build-id cache in the end (record/keep/keep_objects.h).
 *
 * All functions are for the one thread that reads the rings.
 */
#ifndef RECORD_KEEP_KEEPER_H
#define RECORD_KEEP_KEEPER_H

#include "record/keep/keep_objects.h"

struct keeper;

/* Index of a mapping that is not of interest: keeper_mapped ignores it. */
#define KEEP_NOTHING (UINT32_MAX - 1)

/*
 * Starts a keeper, to be freed with keeper_free. procfs: mount point of /proc. max_held: limit of
 * the descriptors that it holds open. limits->cache is borrowed. Returns NULL if the thread cannot
 * be created.
 */
struct keeper *keeper_new(const char *procfs, size_t max_held, const struct keep_limits *limits);
/* Ends the thread; keeper may be NULL. A thread that hangs on a dead file system is left alone. */
void keeper_free(struct keeper *k);

/* Adds an object and returns its index. f->name must live as long as the keeper. */
u32 keeper_add(struct keeper *k, const struct keep_file *f);
/* Queues that a process mapped object i at [start, end). */
void keeper_mapped(struct keeper *k, u32 i, s32 pid, u64 start, u64 end);
/* Queues that a process mapped memory without a file for code, as JITs do. */
void keeper_mapped_memory(struct keeper *k, s32 pid);
/* Queues that a process was forked. */
void keeper_forked(struct keeper *k, s32 pid, s32 parent);
/* Returns the counts of samples by process; the caller adds to them. */
struct task_hits *keeper_hits(struct keeper *k);
/* Wakes the thread if anything is queued. To be called after each sweep over the rings. */
void keeper_wake(struct keeper *k);

/*
 * Copies what is to be kept of the recording so far, and waits for that. Sets *ret to what was left
 * out. Returns false if the thread did not end in time: then nothing more can be had of the keeper.
 */
bool keeper_store(struct keeper *k, struct keep_report *ret);

/* After keeper_store: finds the build-id of an object whose record had none. False: unknown. */
bool keeper_build_id(const struct keeper *k, u32 i, struct pd_build_id *ret);
/*
 * After keeper_store: the entries for the BUILD_ID table of objects without a build-id of their
 * own, which the cache has under the SHA-1 of their bytes. Valid until the next keeper_store.
 */
size_t keeper_entries(const struct keeper *k, const struct keep_entry **ret);

#endif
