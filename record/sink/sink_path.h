/* SPDX-License-Identifier: MIT */
/* Names and owners of the files that a recording is written to. */
#ifndef RECORD_SINK_SINK_PATH_H
#define RECORD_SINK_SINK_PATH_H

#include "base/err.h"

/*
 * Opens path for writing, 0600. A file (or directory) with content that is there already becomes
 * path.old, over an earlier one. A new file of root's that was started through sudo is given to
 * the user that called sudo. *ret_stream: it can be written front to back only.
 */
int sink_path_open(const char *path, int *ret_fd, bool *ret_stream, struct perr *e) MUST_CHECK;

/*
 * Gives the file the name "path.YYYYMMDDhhmmsscc", local time and hundredths, as perf does; the
 * next hundredth that is free where another file has the name, and one later than *last (0 at
 * first), which is then this one. *ret is malloc'd. PERR_IO.
 */
int sink_path_stamp(const char *path, u64 *last, char **ret, struct perr *e) MUST_CHECK;

#endif
