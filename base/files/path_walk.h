/* SPDX-License-Identifier: MIT */
/*
 * Follows the links of a path by reading them, one name after the other, and opens nothing. The
 * kernel does the same in one call, but does not stop at a file system that may not answer, and old
 * kernels cannot keep a path below a folder.
 */
#ifndef BASE_FILES_PATH_WALK_H
#define BASE_FILES_PATH_WALK_H

#include "base/types.h"

/* Called with the path of each place that a walk reaches, before it is looked at. True: stop. */
typedef bool path_stop_fn(void *ctx, const char *place);

/*
 * Returns the path, malloc'd, that `path` leads to when all its links are followed. Names that do
 * not exist stay as they are.
 *
 * root: NULL, or the folder that stands for "/": `path` is a path inside it, its absolute links
 * begin there, and ".." does not leave it. The path returned begins with root's own path.
 * stop: NULL, or called for each place on the way; when it returns true, the walk ends and returns
 * that place.
 *
 * NULL with errno set: ENAMETOOLONG, or ELOOP after 40 links.
 */
char *path_walk(const char *root, const char *path, path_stop_fn *stop, void *ctx);

/* True if one of the names in `path` is "..". The kernel records no such paths. */
bool path_has_parent(const char *path);

#endif
