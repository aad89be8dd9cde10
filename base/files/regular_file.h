/* SPDX-License-Identifier: MIT */
/*
 * Opens files at paths that a recording names. Anybody may have written the recording, and by now
 * anything may lie at the path: a FIFO that blocks its reader, a device that acts when it is
 * opened, a file system whose server is gone, a link that leads elsewhere. Only regular files are
 * opened.
 */
#ifndef BASE_FILES_REGULAR_FILE_H
#define BASE_FILES_REGULAR_FILE_H

#include <sys/stat.h>

#include "base/err.h"
#include "base/types.h"

/* Which files may be opened. */
struct file_rules {
	/*
	 * NULL or "": any. Otherwise a folder: in paths that begin with its name, links and ".." do
	 * not lead out of it. Absolute links begin there, as in the tree that it is a copy of.
	 */
	const char *root;
	bool only_trusted; /* only files that owner_is_trusted() */
};

/* Why a file was not opened. */
enum file_fault {
	FILE_FINE,
	FILE_ABSENT,
	FILE_UNREADABLE, /* errno says why */
	FILE_IS_FOLDER,
	FILE_IS_FIFO,
	FILE_IS_SOCKET,
	FILE_IS_DEVICE,
	FILE_OUTSIDE, /* a link or ".." leads out of the root, where there is such a file */
	FILE_SILENT,  /* its file system does not answer */
	FILE_FOREIGN, /* its owner is not trusted */
	FILE_PARENT,  /* the path has "..", which no recorder writes (recorded_path_check()) */
};

/*
 * Opens the regular file at `path` for reading. Nothing else is opened, not even for a moment.
 * rules: NULL: none. Sets *ret_fd, which the caller closes, if the result is FILE_FINE. Any thread
 * may call it.
 */
enum file_fault regular_file_open(const char *path, const struct file_rules *rules,
				  int *ret_fd) MUST_CHECK;

/* Like regular_file_open() without opening the file, so that it need not be readable. */
enum file_fault regular_file_find(const char *path, const struct file_rules *rules) MUST_CHECK;

/*
 * Checks a path that a recording names, before anything is put in front of it or behind it: with
 * ".." it could lead out of a folder of debug files. Returns FILE_FINE or FILE_PARENT.
 */
enum file_fault recorded_path_check(const char *path);

/* The fault in words, such as "it is a FIFO, not a regular file". A constant text. */
const char *file_fault_text(enum file_fault fault);

/*
 * What the user can do where a file was refused: there is something at the path that must not be
 * used. A constant text; NULL for the faults that are no refusals: a file that is absent, that
 * cannot be read, or that is a directory.
 */
const char *file_fault_advice(enum file_fault fault);

/*
 * Sets *e from a fault: PERR_IO with errno, which must be that of the failed call, for a file that
 * is absent or cannot be read, else PERR_FORMAT. Returns the code.
 */
int file_fault_set(enum file_fault fault, const char *path, struct perr *e);

/*
 * True if a file of this owner is as good as one's own: it belongs to root, to the user of this
 * process, or under sudo to its caller. perf reads recordings and files of JITs of no
 * other owners unless -f is given.
 */
bool owner_is_trusted(uid_t owner);

#endif
