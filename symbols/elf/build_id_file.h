/* SPDX-License-Identifier: MIT */
/*
 * Reads the build-id of an ELF file with a few small reads, without libelf and without mapping the
 * file. That is fast enough for the hundreds of files at the start of a recording, and safe for
 * files that are truncated meanwhile.
 */
#ifndef SYMBOLS_ELF_BUILD_ID_FILE_H
#define SYMBOLS_ELF_BUILD_ID_FILE_H

#include "base/bytes.h"

/*
 * Reads the GNU build-id of the ELF file open on fd, of either class and byte order, from its
 * PT_NOTE segments or else its note sections. Returns its size in bytes, at most 20 (a longer one
 * is cut); 0 if the file has no build-id, is no ELF file or is damaged. The offset of fd is neither
 * used nor changed.
 */
size_t build_id_of_fd(int fd, u8 ret[20]);

/* Reads the build-id of the file at `path` like build_id_of_fd(). Returns 0 also if it cannot be
 * opened or is not a regular file. */
size_t build_id_of_path(const char *path, u8 ret[20]);

/*
 * Reads the build-id of an ELF image in memory, such as the vdso, whose program headers and notes
 * lie at their file offsets. Returns the same as build_id_of_fd().
 */
size_t build_id_of_image(struct span image, u8 ret[20]);

#endif
