/* SPDX-License-Identifier: MIT */
/*
 * Downloads files from debuginfod servers through libdebuginfod, if the user gives --debuginfod.
 * The library is loaded at the first download, because it brings 30 other libraries.
 *
 * All queries of a run together take at most the time limit. A server that does not answer the
 * first query is not queried again. libdebuginfod caches files, and which files the servers do not
 * have, in ~/.cache/debuginfod_client. Failed queries are also remembered for the run.
 */
#ifndef SYMBOLS_FIND_DEBUGINFOD_H
#define SYMBOLS_FIND_DEBUGINFOD_H

#include "base/types.h"
#include "symbols/table/dso_desc.h"

enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE, DEBUGINFOD_KINDS };

struct debuginfod;

/*
 * Returns a client for the servers in cfg->debuginfod, NULL if that is NULL. If cfg names servers
 * it sets $DEBUGINFOD_URLS, so call it before other threads start.
 */
struct debuginfod *debuginfod_new(const struct symbols_config *cfg);
void debuginfod_free(struct debuginfod *c);

/*
 * Adds a recorded object name to the list of objects whose files may be downloaded. Without a call
 * all objects may be. Call it before other threads start.
 */
void debuginfod_want(struct debuginfod *c, const char *object);
/* True if files of the object with this name may be downloaded, see debuginfod_want(). */
bool debuginfod_wants(const struct debuginfod *c, const char *object);

/*
 * Downloads the file of this kind and build-id, unless it is in the local cache. Returns its path
 * there, malloc'd (the caller frees it), or NULL with *ret_why set to a constant text. The caller
 * must compare the file's build-id. Any thread may call it; calls wait for each other.
 */
char *debuginfod_fetch(struct debuginfod *c, enum debuginfod_kind kind, const u8 *build_id,
		       size_t size, const char **ret_why);

/* Why the first query that got no answer from any server failed, a constant text; NULL: all were
 * answered, there was none, or c is NULL. Any thread may call it. */
const char *debuginfod_get_problem(struct debuginfod *c);

/* The function of the option --debuginfod in a command's option table: OPT_CALL_OPT with a struct
 * symbols_config as ctx. */
int debuginfod_option(void *ctx, const char *arg, bool unset);

#endif
