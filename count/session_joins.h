/* SPDX-License-Identifier: MIT */
#ifndef COUNT_SESSION_JOINS_H
#define COUNT_SESSION_JOINS_H

#include "base/types.h"

struct join_table;
struct session;

/*
 * Callers for truncated stacks, found in a pass of its own: for commands that print samples one by
 * one and cannot wait for the later samples that have those callers.
 *
 * Reads the session's records once, quietly; the next pass must be begun after it. *ret is the
 * caller's, and NULL when no stack was truncated, when there are no stack copies, and for a stream,
 * which cannot be read twice. threads and max_user_stack: as in counts_config. Of a damaged file,
 * the records before the damage are used.
 */
void joins_of_session(struct session *s, unsigned int threads, u32 max_user_stack,
		      struct join_table **ret);

#endif
