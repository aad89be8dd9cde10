/* SPDX-License-Identifier: MIT */
/* Small text files and folders of sysfs and tracefs. */
#ifndef RECORD_HOST_HOST_FILE_H
#define RECORD_HOST_HOST_FILE_H

#include "base/err.h"

struct name_list {
	char **names;
	size_t nr, cap;
};
void name_list_fini(struct name_list *l);

/*
 * The names in a folder but for hidden ones, numbers in them sorted as numbers. only_folders leaves
 * files out. PERR_IO.
 */
int folder_names(const char *path, bool only_folders, struct name_list *ret,
		 struct perr *e) MUST_CHECK;

/*
 * The whole of a text file of at most `limit` bytes, without the blanks at its end; a NUL in it
 * ends it. malloc'd, the caller's. Errors of read_file.
 */
int text_file_read(const char *path, size_t limit, char **ret, struct perr *e) MUST_CHECK;

#endif
