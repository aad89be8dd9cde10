/* SPDX-License-Identifier: MIT */
/*
 * Records about processes, written when they are needed (--lean): a thread's name with its first
 * sample, a mapping with the first sample that has a frame in it. Of processes without samples
 * nothing is written. Records get the time of the sample that needs them, less some nanoseconds, so
 * that they come before it and after all that was written before.
 *
 * Holds the names and mappings of all processes as of the last record noted.
 */
#ifndef RECORD_LIVE_LEAN_TASKS_H
#define RECORD_LIVE_LEAN_TASKS_H

#include "base/wbuf.h"

struct lean_tasks;

/* time_from_end: offset of the time in records about processes, from their end. */
struct lean_tasks *lean_tasks_new(u32 time_from_end);
/* NULL allowed. */
void lean_tasks_free(struct lean_tasks *t);

/* True if lean_tasks_note() takes the record: MMAP, MMAP2, COMM, FORK or EXIT of user space. */
bool lean_tasks_wants(const u8 *record, u32 size);
/*
 * Notes a record, whose bytes are not trusted. Appends it to out if what was written of the process
 * is not true any more; out may be NULL if nothing was written yet.
 */
void lean_tasks_note(struct lean_tasks *t, const u8 *record, u32 size, struct wbuf *out);

/* Appends all that a sample's thread lacks in the file: the mappings of nr ips, or all if ips is
 * NULL. time: of the sample, ns. */
void lean_tasks_need(struct lean_tasks *t, u32 pid, u32 tid, u64 time, const u64 *ips, size_t nr,
		     struct wbuf *out);

/* The next file lacks all again. */
void lean_tasks_begin_file(struct lean_tasks *t);

#endif
