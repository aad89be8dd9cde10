/* SPDX-License-Identifier: MIT */
/* The version and commit of this build and its optional libraries, as the Makefile defines them. */
#ifndef BASE_BUILD_INFO_H
#define BASE_BUILD_INFO_H

#include "base/types.h"

struct build_feature {
	const char *name;  /* name of the part as in `perf version --build-options`, or our own if
			    * perf does not have it */
	bool on;           /* this build has the part */
	const char *macro; /* "HAVE_..._SUPPORT", as perf prints it beside the name */
	const char *tip;   /* how to get the part, or what differs without it; NULL for no tip */
};

/* Returns the version of the sources, such as "0.6". The text is static. */
const char *build_version(void);

/*
 * Returns the first 12 digits of the commit that the commands were built from, with "-modified"
 * appended if the checkout had uncommitted changes. The text is static. It is "unknown" in test
 * programs, and in a build that has neither git nor the file `commit` of a source archive.
 */
const char *build_commit(void);

/* Returns a static array of the optional parts of this build, sorted by name; *ret_nr: its length.
 */
const struct build_feature *build_features(size_t *ret_nr);

#endif
