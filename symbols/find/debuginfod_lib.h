/* SPDX-License-Identifier: MIT */
/*
 * Loads libdebuginfod.so.1 at run time and finds its functions. Their interface is the same since
 * elfutils 0.179. The commands are not linked with the library, because it brings an HTTP client
 * and many other libraries.
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
 * Loads the library and fills *ret. Returns NULL, or a text that says why it cannot be loaded. The
 * library is never unloaded, because some libraries that it uses cannot be. Static builds have the
 * version in debuginfod_lib_none.c, which always fails.
 */
const char *debuginfod_lib_load(struct debuginfod_lib *ret);

#endif
