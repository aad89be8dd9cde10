/* SPDX-License-Identifier: MIT */
/*
 * File systems that may never answer: of the network, of FUSE, and mounted on demand. A process
 * that looks at a file of a dead one waits for ever, often without a signal that could end it. So
 * another process looks first, and is left behind if it gets no answer.
 */
#ifndef BASE_FILES_REMOTE_MOUNT_H
#define BASE_FILES_REMOTE_MOUNT_H

#include "base/types.h"

/*
 * True if `path` lies in a file system that does not answer within two seconds. Each file system is
 * waited for once in the life of the process. Costs nothing where no such file system is mounted,
 * and looks at no path below /proc and /sys. root: as path_walk() has it. Any thread may call it.
 */
bool remote_mount_is_silent(const char *root, const char *path);

#endif
