/* SPDX-License-Identifier: MIT */
/* A static program cannot load a shared library with a C library of its own. */
#include "symbols/find/debuginfod_lib.h"

const char *debuginfod_lib_load(struct debuginfod_lib *ret)
{
	(void)ret;
	return "this is a static build, which cannot load libdebuginfod";
}
