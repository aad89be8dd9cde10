/* SPDX-License-Identifier: MIT */
/* Chooses names and owners of the files of recordings. */
#ifndef RECORD_SINK_SINK_PATH_H
#define RECORD_SINK_SINK_PATH_H

#include "base/err.h"

/*
 * Opens path for writing, with mode 0600. An existing file (or directory) with content is renamed
 * to path.old, replacing an earlier one. A new file created by root through sudo is given to the
 * caller of sudo. *ret_stream: the output can only be written front to back. Fails with
 * PERR_IO.
 */
int sink_path_open(const char *path, int *ret_fd, bool *ret_stream, struct perr *e) MUST_CHECK;

/*
 * Makes the folder of a recording in several files, with mode 0700. An existing file or folder
 * is renamed to path.old, where an earlier recording of this kind (files `data` and `data.N` and
 * nothing else) is removed for it. Fails with PERR_IO.
 */
int sink_path_make_folder(const char *path, struct perr *e) MUST_CHECK;

/*
 * Renames the file to "path.YYYYMMDDhhmmsscc", local time and hundredths of a second, as perf does;
 * takes the next hundredth if another file has that name. The time is later than *last (0 at
 * first), which is then set to it. *ret, the new name, is malloc'd. Fails with PERR_IO.
 */
int sink_path_stamp(const char *path, u64 *last, char **ret, struct perr *e) MUST_CHECK;

#endif
