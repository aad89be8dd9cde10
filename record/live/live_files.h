/* SPDX-License-Identifier: MIT */
/*
 * Opens the files that processes have mapped, while they run: by /proc/PID/map_files, which leads
 * to deleted and replaced files and into other mount namespaces, else by the recorded path in the
 * process's root directory, else by that path here, else by other processes that have it mapped and
 * by parents (live_owners.h). A file of another identity than the recorded one is not opened. What
 * was not found is looked for again as long as it is needed, less and less often. A file system
 * that does not answer is waited for by other threads (live_opener.h): until it does, its files
 * count as not found.
 */
#ifndef RECORD_LIVE_LIVE_FILES_H
#define RECORD_LIVE_LIVE_FILES_H

#include <pthread.h>

#include "machine/mapset.h"
#include "record/live/live_opener.h"
#include "record/live/live_owners.h"

/* A process that is being unwound. */
struct live_process {
	u32 pid;
	const struct mapset *maps;
};

#define LIVE_FILES_PROCESSES 4

/* The processes that one thread unwinds now. */
struct live_slot {
	struct live_process processes[LIVE_FILES_PROCESSES];
	size_t nr;
};

struct live_files {
	const char *procfs;
	pthread_mutex_t lock; /* of all below */
	struct live_slot *slots;
	size_t nr_slots;
	struct live_opener *opener;
	const struct live_owners *owners; /* NULL: only the processes of slots are asked */
	struct missing_file {
		u64 wait_ns, next_ns; /* 0: it was found; else when it is looked for again */
	} * missing;                  /* by number of the dso, up to nr_files */
	size_t nr_files;
	bool has_news;             /* a file was found that had not been found before */
	u64 second_ns, nr_retries; /* since then, of files that were not found before */
	u64 nr_opened, nr_missing; /* files; times that none was found */
};

/* procfs: "/proc", borrowed. Returns what symbols_config.opener is to be; valid as long as *f. */
struct code_opener live_files_init(struct live_files *f, const char *procfs);
void live_files_fini(struct live_files *f);

/* Makes slots for so many threads; there is one at first. Not while files are opened. */
void live_files_set_slots(struct live_files *f, size_t nr);
/*
 * Says which processes a thread is going to unwind, at most LIVE_FILES_PROCESSES: they may have the
 * files. Their maps stay valid until its next call, with nr 0 at the end.
 */
void live_files_set(struct live_files *f, size_t slot, const struct live_process *processes,
		    size_t nr);

/*
 * True once after a file was found that had not been found before: what was looked up without it is
 * to be looked up again.
 */
bool live_files_has_news(struct live_files *f);

#endif
