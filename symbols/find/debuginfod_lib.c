/* SPDX-License-Identifier: MIT */
#include "symbols/find/debuginfod_lib.h"

#include <dlfcn.h>
#include <string.h>

static bool load_function(void *so, const char *name, void *ret)
{
	void *fn = dlsym(so, name);

	memcpy(ret, &fn, sizeof(fn));
	return fn;
}

const char *debuginfod_lib_load(struct debuginfod_lib *l)
{
	void *so = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);

	if (so && load_function(so, "debuginfod_begin", &l->begin) &&
	    load_function(so, "debuginfod_end", &l->end) &&
	    load_function(so, "debuginfod_find_debuginfo", &l->find[DEBUGINFOD_DEBUGINFO]) &&
	    load_function(so, "debuginfod_find_executable", &l->find[DEBUGINFOD_EXECUTABLE]) &&
	    load_function(so, "debuginfod_set_progressfn", &l->set_progressfn) &&
	    load_function(so, "debuginfod_set_user_data", &l->set_user_data) &&
	    load_function(so, "debuginfod_get_user_data", &l->get_user_data))
		return NULL;
	return "libdebuginfod.so.1 is not installed";
}
