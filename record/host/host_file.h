/* SPDX-License-Identifier: MIT */
/* Reads small text files and folders of sysfs and tracefs. */
#ifndef RECORD_HOST_HOST_FILE_H
#define RECORD_HOST_HOST_FILE_H

#include "base/err.h"

/* A list of malloc'd names; free it with name_list_fini. */
struct name_list {
	char **names;
	size_t nr, cap;
};
void name_list_fini(struct name_list *l);

/*
 * Lists the names in a folder except hidden ones, sorted so that memory2 comes before memory10.
 * only_folders leaves out files. On failure *ret is not set; PERR_IO: the folder cannot be read.
 */
int folder_names(const char *path, bool only_folders, struct name_list *ret,
		 struct perr *e) MUST_CHECK;

/*
 * Reads a text file of at most `limit` bytes, up to a NUL if it has one, and removes blanks at its
 * end. *ret is malloc'd and the caller's. Errors are those of read_file.
 */
int text_file_read(const char *path, size_t limit, char **ret, struct perr *e) MUST_CHECK;

#endif
