/* SPDX-License-Identifier: MIT */
/*
 * Which objects each process has mapped, and how many samples hit processes that mapped an object.
 * Processes that mapped the same objects share a set, so that a million short processes take little
 * memory. Objects are numbers of the caller.
 */
#ifndef RECORD_KEEP_OBJECT_SETS_H
#define RECORD_KEEP_OBJECT_SETS_H

#include "base/hash.h"

/* A set is another set and one more object. Set 0 is empty. */
struct object_set {
	u32 rest, object;
};

/* All zero is valid: no process has mapped anything. */
struct object_sets {
	struct idmap of_process; /* pid -> set */
	struct idmap longer;     /* (set, object) -> the set with that object */
	struct object_set *sets;
	size_t nr, cap;
};

void object_sets_fini(struct object_sets *s);

/*
 * Notes that a process has mapped an object. Objects are never taken out of a set: after an exec a
 * process counts for the objects of its earlier programs too. Processes and sets beyond a limit
 * are not noted.
 */
void object_sets_add(struct object_sets *s, s32 pid, u32 object);
/*
 * Notes that a process was forked: it has mapped what its parent has. What it is known to have
 * mapped itself stays: the rings of two CPUs may tell of that before they tell of the fork.
 */
void object_sets_fork(struct object_sets *s, s32 pid, s32 parent);

/* Adds `samples` to weights[object] of each object that the process has mapped. */
void object_sets_weigh(const struct object_sets *s, s32 pid, u64 samples, u64 *weights);

#endif
