/* SPDX-License-Identifier: MIT */
/*
 * A query to debuginfod servers that runs in a thread of its own, so that the caller can stop
 * waiting at any time. libdebuginfod's progress callback is not enough for that: elfutils up to
 * 0.191 call it once a second, later ones only after a server has begun to answer, and none while
 * the cache is cleaned.
 */
#ifndef SYMBOLS_FIND_DEBUGINFOD_QUERY_H
#define SYMBOLS_FIND_DEBUGINFOD_QUERY_H

#include "symbols/find/debuginfod_lib.h"

struct debuginfod_query;

/* Starts a query. `client` must not be used by others until debuginfod_query_end() has returned
 * true. Returns NULL if no thread can be created. */
struct debuginfod_query *debuginfod_query_start(const struct debuginfod_lib *lib,
						debuginfod_client *client,
						enum debuginfod_kind kind, const u8 *build_id,
						size_t size);

/*
 * Waits until the query is over, but at most `ms` milliseconds. Returns true if it is over.
 * *ret_answered: a server has begun to send; *ret_bytes: bytes received so far, 0 if unknown.
 */
bool debuginfod_query_wait(struct debuginfod_query *q, u64 ms, bool *ret_answered, u64 *ret_bytes);

/* Asks libdebuginfod to abort the query the next time it calls the progress callback. */
void debuginfod_query_stop(struct debuginfod_query *q);

/*
 * Frees q. Returns true if the query is over: *ret_err is then libdebuginfod's negative error or 0,
 * and *ret_path the file's path, malloc'd, or NULL. Returns false if the query still runs: its
 * thread then frees the client when it ends.
 */
bool debuginfod_query_end(struct debuginfod_query *q, char **ret_path, int *ret_err);

#endif
