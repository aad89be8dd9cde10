/* SPDX-License-Identifier: MIT */
/*
 * Opens the files that processes have mapped, while they run: by /proc/PID/map_files, which leads
 * to deleted and replaced files and into other mount namespaces, else by the recorded path in the
 * process's root directory, else by that path here. A file of another identity than the recorded
 * one is not opened. A file system that does not answer is waited for by other threads
 * (live_opener.h): until it does, its files count as not found.
 */
#ifndef RECORD_LIVE_LIVE_FILES_H
#define RECORD_LIVE_LIVE_FILES_H

#include "base/hash.h"
#include "machine/mapset.h"
#include "record/live/live_opener.h"

/* A process that is being unwound. */
struct live_process {
	u32 pid;
	const struct mapset *maps;
};

#define LIVE_FILES_PROCESSES 4

struct live_files {
	const char *procfs;
	/* which processes may have the file, set by the caller before an object can be needed */
	struct live_process processes[LIVE_FILES_PROCESSES];
	size_t nr;
	struct live_opener *opener;
	struct idmap failures;     /* number of a dso -> how often its file was not found */
	u64 nr_opened, nr_missing; /* files; times that none was found */
};

/* procfs: "/proc", borrowed. Returns what symbols_config.opener is to be; valid as long as *f. */
struct code_opener live_files_init(struct live_files *f, const char *procfs);
void live_files_fini(struct live_files *f);

#endif
