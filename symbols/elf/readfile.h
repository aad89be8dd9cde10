/* SPDX-License-Identifier: MIT */
/* Whole small files in memory: text lists of symbols, packed modules, files of /proc and /sys. */
#ifndef SYMBOLS_ELF_READFILE_H
#define SYMBOLS_ELF_READFILE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/types.h"

/* Whether path leads to an ordinary file, through symbolic links too. */
bool file_is_regular(const char *path);

/*
 * Reads path to its end, whatever size it claims: files of /proc claim 0. *ret is malloc'd and the
 * caller's. PERR_IO; PERR_FORMAT when it is a directory, a pipe or a device; PERR_LIMIT beyond
 * limit bytes.
 */
int read_file(const char *path, size_t limit, void **ret, size_t *ret_n, struct perr *e) MUST_CHECK;

/* A whole file, mapped where that serves, which costs no memory, else read. */
struct file_text {
	struct span bytes;
	bool is_mapped;
};

/* Errors of read_file. */
int file_text_open(const char *path, size_t limit, struct file_text *ret,
		   struct perr *e) MUST_CHECK;
void file_text_close(struct file_text *f);

#endif
