/* SPDX-License-Identifier: MIT */
/*
 * What the truncated stacks of a recording are joined by, found in a pass of its own: for those who
 * print samples one by one and cannot wait for the later ones.
 */
#ifndef SESSION_JOINS_H
#define SESSION_JOINS_H

#include "session/counts.h"
#include "unwind/join.h"

/*
 * Reads the file at path. *ret is NULL when nothing was truncated, when there are no stack copies,
 * and for a stream, which cannot be read twice. threads and max_user_stack: as in counts_config. Of
 * a damaged file, what comes before the damage tells.
 */
void joins_of_file(const char *path, const struct session_config *cfg, unsigned int threads,
		   u32 max_user_stack, struct join_table **ret);

#endif
