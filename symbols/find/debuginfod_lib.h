/* SPDX-License-Identifier: MIT */
/*
 * The functions of libdebuginfod.so.1, whose interface has been the same since elfutils 0.179.
 * Loaded when they are wanted: the library brings an HTTP client and a dozen others with it.
 */
#ifndef SYMBOLS_FIND_DEBUGINFOD_LIB_H
#define SYMBOLS_FIND_DEBUGINFOD_LIB_H

#include "symbols/find/debuginfod.h"

typedef struct debuginfod_client debuginfod_client;
typedef int (*debuginfod_find_fn)(debuginfod_client *c, const unsigned char *id, int id_len,
				  char **path);
typedef int (*debuginfod_progress_fn)(debuginfod_client *c, long a, long b);

struct debuginfod_lib {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *c);
	debuginfod_find_fn find[DEBUGINFOD_KINDS];
	void (*set_progressfn)(debuginfod_client *c, debuginfod_progress_fn fn);
	void (*set_user_data)(debuginfod_client *c, void *data);
	void *(*get_user_data)(debuginfod_client *c);
};

/*
 * Fills *ret and returns NULL, or returns why it is not there. The library stays loaded: its own
 * libraries do not all take being unloaded. debuginfod_lib_none.c stands in for it in static
 * builds.
 */
const char *debuginfod_lib_load(struct debuginfod_lib *ret);

#endif
