/* SPDX-License-Identifier: MIT */
/*
 * Reads the name in .gnu_debuglink with a few small reads, without mapping the file: a recorder
 * must survive that a container truncates a file while it is read.
 */
#ifndef SYMBOLS_ELF_DEBUGLINK_FILE_H
#define SYMBOLS_ELF_DEBUGLINK_FILE_H

#include "base/types.h"

#define DEBUGLINK_NAME_MAX 256 /* bytes with the NUL; longer names are no file names */

/*
 * Finds the name of the debug file that .gnu_debuglink of the ELF file open on fd names, of either
 * class and byte order. Returns false if there is none, or the file is no ELF file or is damaged.
 * The offset of fd is neither used nor changed.
 */
bool debuglink_of_fd(int fd, char ret[DEBUGLINK_NAME_MAX]);

#endif
