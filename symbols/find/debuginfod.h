/* SPDX-License-Identifier: MIT */
/*
 * Files from debuginfod servers, through libdebuginfod, which is loaded when the first file is
 * asked for: it brings 30 libraries along. Nothing is asked for unless the user said --debuginfod.
 *
 * All queries of a run together take at most the time limit; a server that does not answer the
 * first time is not asked again. libdebuginfod keeps what it got, and what the servers do not have,
 * in ~/.cache/debuginfod_client; what was refused is besides remembered for the run.
 */
#ifndef SYMBOLS_FIND_DEBUGINFOD_H
#define SYMBOLS_FIND_DEBUGINFOD_H

#include "base/types.h"
#include "symbols/table/dso_desc.h"

enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE, DEBUGINFOD_KINDS };

struct debuginfod;

/*
 * What cfg->debuginfod asks for; NULL when that is NULL. Sets $DEBUGINFOD_URLS where cfg names
 * servers, so call it before there are threads.
 */
struct debuginfod *debuginfod_new(const struct symbols_config *cfg);
void debuginfod_free(struct debuginfod *c);

/*
 * From the first call on only objects of these names (as recorded) are asked for. Before there are
 * threads.
 */
void debuginfod_want(struct debuginfod *c, const char *object);
bool debuginfod_wants(const struct debuginfod *c, const char *object);

/*
 * Path of the file with that build-id in the local cache, malloc'd; NULL and *ret_why, a constant
 * text, when there is none. The caller compares the build-id. Any thread may call; one at a time is
 * served.
 */
char *debuginfod_fetch(struct debuginfod *c, enum debuginfod_kind kind, const u8 *build_id,
		       size_t size, const char **ret_why);

/* For a command's option table: OPT_CALL_OPT with the struct symbols_config as its ctx. */
int debuginfod_option(void *ctx, const char *arg, bool unset);

#endif
