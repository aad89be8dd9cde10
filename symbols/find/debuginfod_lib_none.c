/* SPDX-License-Identifier: MIT */
/* For static builds, which cannot load libdebuginfod: a shared library brings its own C library. */
#include "symbols/find/debuginfod_lib.h"

const char *debuginfod_lib_load(struct debuginfod_lib *ret)
{
	(void)ret;
	return "this is a static build, which cannot load libdebuginfod";
}
