/* SPDX-License-Identifier: MIT */
/* A file with split units, by a path that libdw opens. */
#ifndef SYMBOLS_DWARF_SPLIT_FILE_H
#define SYMBOLS_DWARF_SPLIT_FILE_H

#include "base/files/regular_file.h"

struct split_file {
	char *path; /* names fd, so that libdw opens the file that was checked */
	int fd;     /* open descriptor of a file on disk or in memory */
};

/* Copies n bytes to a file in memory. Returns false if that is not possible. */
bool split_file_in_memory(const void *p, size_t n, struct split_file *ret);

/* Opens the file at path, as `rules` permit. Returns false if it is not opened. */
bool split_file_on_disk(const char *path, const struct file_rules *rules, struct split_file *ret);

void split_file_close(struct split_file *f);

#endif
