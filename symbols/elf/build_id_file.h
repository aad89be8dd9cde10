/* SPDX-License-Identifier: MIT */
/*
 * The build-id of an ELF file from a few small reads: nothing is mapped and libelf has no part, so
 * it does for hundreds of files while a recording starts, and for files that change meanwhile.
 */
#ifndef SYMBOLS_ELF_BUILD_ID_FILE_H
#define SYMBOLS_ELF_BUILD_ID_FILE_H

#include "base/bytes.h"

/*
 * The GNU build-id of the ELF file open on fd, of either class and byte order, from its PT_NOTE
 * segments, else its note sections. Its size (at most 20; a longer one is cut), 0 when there is
 * none or the file is no ELF or damaged. fd stays the caller's; its offset is not used.
 */
size_t build_id_of_fd(int fd, u8 ret[20]);

/* As build_id_of_fd for a path; 0 also when it cannot be opened or is no regular file. */
size_t build_id_of_path(const char *path, u8 ret[20]);

/*
 * As build_id_of_fd for an image in memory whose program headers and notes lie at their file
 * offsets, such as the vdso.
 */
size_t build_id_of_image(struct span image, u8 ret[20]);

#endif
