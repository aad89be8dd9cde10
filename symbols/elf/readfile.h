/* SPDX-License-Identifier: MIT */
/* Reads whole files into memory: symbol lists, packed kernel modules, files of /proc and /sys. */
#ifndef SYMBOLS_ELF_READFILE_H
#define SYMBOLS_ELF_READFILE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/files/regular_file.h"
#include "base/types.h"

/*
 * Reads the file at path until its end, because files of /proc report size 0. *ret is malloc'd; the
 * caller frees it. PERR_IO: it cannot be read. PERR_FORMAT: it is a directory, a pipe or a device.
 * PERR_LIMIT: it has more than `limit` bytes.
 */
int read_file(const char *path, size_t limit, void **ret, size_t *ret_n, struct perr *e) MUST_CHECK;

/* Like read_file(), for a file that `rules` permits; NULL: any. */
int read_file_by(const char *path, const struct file_rules *rules, size_t limit, void **ret,
		 size_t *ret_n, struct perr *e) MUST_CHECK;

/*
 * Like read_file(), for files of procfs and sysfs, of which a recorder reads hundreds: opened
 * without asking first what they are. PERR_IO for a directory; a FIFO is not waited for.
 */
int read_kernel_file(const char *path, size_t limit, void **ret, size_t *ret_n,
		     struct perr *e) MUST_CHECK;

/* The bytes of a whole file, which are mapped if possible and otherwise read into memory. */
struct file_text {
	struct span bytes;
	bool is_mapped;
};

/* Opens the file at path; free it with file_text_close(). Errors are those of read_file_by(). */
int file_text_open(const char *path, const struct file_rules *rules, size_t limit,
		   struct file_text *ret, struct perr *e) MUST_CHECK;
void file_text_close(struct file_text *f);
/* As object_give_pages_back(), of a file that is mapped. */
void file_text_give_pages_back(const struct file_text *f);

#endif
