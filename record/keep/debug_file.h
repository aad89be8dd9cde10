/* SPDX-License-Identifier: MIT */
/* Finds the separate debug information of an object below a root directory. */
#ifndef RECORD_KEEP_DEBUG_FILE_H
#define RECORD_KEEP_DEBUG_FILE_H

#include "fileformat/record.h"
#include "record/keep/process_files.h"

/*
 * Opens the debug file of the object at `path` below root that is open on fd: the file of its
 * build-id below /usr/lib/debug, or the one that its .gnu_debuglink names. Files of another
 * build-id do not count. Returns a descriptor, which the caller closes; -1 if there is none, or
 * the host has the same file.
 */
int debug_file_open(const struct process_files *f, u32 root, const char *path, int fd,
		    const struct pd_build_id *id);

#endif
