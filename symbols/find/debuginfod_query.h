/* SPDX-License-Identifier: MIT */
/*
 * One question to the debuginfod servers, asked by a thread of its own, so that it can be given up
 * at any time: up to elfutils 0.191 libdebuginfod calls back once a second, newer ones only after
 * a server has begun to answer, and neither while the cache is cleaned.
 */
#ifndef SYMBOLS_FIND_DEBUGINFOD_QUERY_H
#define SYMBOLS_FIND_DEBUGINFOD_QUERY_H

#include "symbols/find/debuginfod_lib.h"

struct debuginfod_query;

/* The client is the thread's until debuginfod_query_end() says true. NULL: no thread. */
struct debuginfod_query *debuginfod_query_start(const struct debuginfod_lib *lib,
						debuginfod_client *client,
						enum debuginfod_kind kind, const u8 *build_id,
						size_t size);

/*
 * Waits at most that many milliseconds. True: the query is over. *ret_answered: a server sends
 * something, *ret_bytes of it so far (0 where that is not known).
 */
bool debuginfod_query_wait(struct debuginfod_query *q, u64 ms, bool *ret_answered, u64 *ret_bytes);

/* From now on libdebuginfod is told to stop when it calls back. */
void debuginfod_query_stop(struct debuginfod_query *q);

/*
 * Frees q. True: it was over, *ret_err is what libdebuginfod returned where that is negative, else
 * 0, and *ret_path the file's path, malloc'd (NULL: none). False: it still runs, and the thread
 * will end the client.
 */
bool debuginfod_query_end(struct debuginfod_query *q, char **ret_path, int *ret_err);

#endif
