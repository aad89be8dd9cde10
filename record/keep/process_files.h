/* SPDX-License-Identifier: MIT */
/*
 * Opens files where a recorded process sees them: through /proc/PID/map_files, which leads to
 * deleted and replaced files too, or below the process's root directory. The root directories of
 * containers are held open, so that their files can be opened after the processes have ended.
 */
#ifndef RECORD_KEEP_PROCESS_FILES_H
#define RECORD_KEEP_PROCESS_FILES_H

#include "base/types.h"

/* A root directory that processes have, in a mount namespace. */
struct process_root {
	u64 ns_dev, ns_ino;     /* of the mount namespace */
	u64 root_dev, root_ino; /* of the root directory */
	int fd; /* the root directory; -1: not held, because prec's own namespace has the mount */
	char *path;   /* with fd -1: the root directory in prec's own namespace */
	bool own_ns;  /* the mount namespace is that of prec */
	bool is_host; /* so is the root directory: the process sees the files that prec sees */
};

struct process_files {
	int proc_fd; /* open folder of procfs; -1: cannot be opened */
	struct process_root *roots;
	size_t nr, cap;
	u64 host_ns_dev, host_ns_ino, host_root_dev, host_root_ino;
	u64 stable_devs[8]; /* devices of folders that nobody unmounts */
	size_t nr_stable;
};

#define NO_ROOT UINT32_MAX

void process_files_init(struct process_files *f, const char *procfs);
void process_files_fini(struct process_files *f);

/* Returns the index of the root directory of a process; NO_ROOT if the process has ended. */
u32 process_files_root(struct process_files *f, s32 pid);

/*
 * The functions below return a descriptor open for reading, which the caller closes, or -1. They
 * open regular files only: devices, pipes and folders are not opened.
 */

/* Opens what a process has mapped at [start, end). Needs CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN.
 */
int process_files_open_map(const struct process_files *f, s32 pid, u64 start, u64 end);
/* Opens the program that a process runs. */
int process_files_open_exe(const struct process_files *f, s32 pid);
/* Opens an absolute path below a root directory; links in it do not lead out of that directory. */
int process_files_open(const struct process_files *f, u32 root, const char *path);
/* Opens a path as this process sees it. */
int process_files_open_host(const char *path);

/*
 * True if an open descriptor of a file on device dev does not hinder others: an open file keeps
 * its file system from being unmounted. The mounts of other namespaces end with their last process
 * whether a file is open or not.
 */
bool process_files_may_hold(const struct process_files *f, u32 root, u64 dev);

/*
 * Finds the pid of a process in its own pid namespace, and its user id in *ret_uid. Returns false
 * if the process has ended.
 */
bool process_files_ns_pid(const struct process_files *f, s32 pid, s32 *ret_pid, u32 *ret_uid);

#endif
