/* SPDX-License-Identifier: MIT */
/*
 * The mapped objects of a recording: opened where a process sees them, and in the end copied into
 * the build-id cache if this host will not find them again (containers, deleted and replaced files,
 * JIT maps). All of it happens in the keeper's thread.
 */
#ifndef RECORD_KEEP_KEEP_OBJECTS_H
#define RECORD_KEEP_KEEP_OBJECTS_H

#include "base/mem.h"
#include "fileformat/record.h"
#include "record/keep/object_sets.h"
#include "record/keep/process_files.h"
#include "record/keep/task_hits.h"

enum keep_kind {
	KEEP_FILE,    /* a mapped file */
	KEEP_JIT_MAP, /* the file in which a process names code that it made: perf-PID.map */
};

/* An object as its first MMAP record describes it. */
struct keep_file {
	enum keep_kind kind;
	const char *name;      /* path in the MMAP record, borrowed; KEEP_JIT_MAP: NULL */
	struct pd_build_id id; /* size 0: the record has none */
	u32 maj, min;          /* with id.size 0: device, inode and its generation */
	u64 ino, generation;
	s32 pid; /* KEEP_JIT_MAP: the process */
};

struct kept_object {
	struct keep_file file;
	struct pd_build_id id; /* of the record or the file; size 0: not known */
	s32 ns_pid;       /* KEEP_JIT_MAP: the pid in the process's own namespace; 0: unknown */
	u32 root;         /* index of the root directory below which it is; NO_ROOT: unknown */
	int fd, debug_fd; /* the file and its separate debug information; -1: not open */
	u32 tries;        /* how often it could not be found */
	bool found;
};

/* What an entry of the BUILD_ID table says: an object, and the id under which the cache has it. */
struct keep_entry {
	char *name; /* malloc'd */
	struct pd_build_id id;
};

struct keep_objects {
	struct process_files files;
	struct object_sets sets;
	struct idmap root_of; /* pid -> index of its root directory */
	struct kept_object *items;
	size_t nr, cap;
	size_t nr_held, max_held; /* open descriptors of objects */
	size_t nr_wanted;         /* JIT maps that are not found yet */
	struct keep_entry *entries;
	size_t nr_entries, cap_entries;
	u64 stored; /* bytes that were copied */
	/* Grows while work is done. The keeper's caller reads it to see whether the thread hangs.
	 */
	_Atomic u64 progress;
};

void keep_objects_init(struct keep_objects *o, const char *procfs, size_t max_held);
void keep_objects_fini(struct keep_objects *o);

/* Adds an object; its index is the number of earlier calls. */
void keep_objects_add(struct keep_objects *o, const struct keep_file *f);
/* Notes that a process mapped object i at [start, end), and opens it if it is not open yet. */
void keep_objects_mapped(struct keep_objects *o, u32 i, s32 pid, u64 start, u64 end);
void keep_objects_forked(struct keep_objects *o, s32 pid, s32 parent);
/* Looks again for JIT maps that their processes had not written yet. */
void keep_objects_look_again(struct keep_objects *o);

struct keep_limits {
	const char *cache; /* folder of the build-id cache; NULL: nothing is kept */
	u64 bytes;         /* limit of all copies of this recording together */
	bool all;          /* also objects of processes without samples */
};

/* What was not kept. */
struct keep_report {
	u64 nr_kept;
	u64 nr_over, bytes_over; /* files that the limit left out */
	u64 nr_failed;           /* files that could not be read or written */
	struct perr why;         /* of the first of these */
};

/*
 * Copies objects into the cache that samples hit and that the host does not find again, those of
 * the most samples first. hits: samples by process; empty: any object counts as hit. Objects stay
 * open: it may be called again when more has been recorded.
 */
void keep_objects_store(struct keep_objects *o, const struct task_hits *hits,
			const struct keep_limits *limits, struct keep_report *ret);

#endif
