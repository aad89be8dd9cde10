/* SPDX-License-Identifier: MIT */
/* What keep_objects.c and keep_store.c share. */
#ifndef RECORD_KEEP_KEEP_PRIV_H
#define RECORD_KEEP_KEEP_PRIV_H

#include "record/keep/keep_objects.h"

/* Returns the path of an object below its root directory, without " (deleted)", malloc'd. */
char *keep_path(const struct kept_object *k);
/* True if fd is open on the object: the build-id decides, or the inode of objects without one. */
bool keep_is_object(const struct kept_object *k, int fd);
/* Opens the object at its path below a root directory; -1 if it is not there. */
int keep_open_below(const struct keep_objects *o, const struct kept_object *k, u32 root);
/* Opens a KEEP_JIT_MAP below its root directory; -1 if it is not there. */
int keep_open_jit_map(const struct keep_objects *o, const struct kept_object *k);

#endif
