/* SPDX-License-Identifier: MIT */
/* The version and commit of this build, and the libraries it was made with, as the Makefile has
 * them. */
#ifndef BASE_BUILD_INFO_H
#define BASE_BUILD_INFO_H

#include "base/types.h"

struct build_feature {
	const char *name; /* as `perf version --build-options` calls it, where it has it */
	bool on;
	const char *macro;
	const char *tip; /* how to get it, or what is different without it; NULL: nothing to say */
};

/* The version of the sources: "0.6". Static. */
const char *build_version(void);

/*
 * The first 12 digits of the commit that the commands were built from, with "-modified" behind them
 * if the checkout had changes; "unknown" in a build without git and without the file `commit` of a
 * source archive, and in test programs. Static.
 */
const char *build_commit(void);

/* The optional parts of this build, sorted by name, and how many there are. Static. */
const struct build_feature *build_features(size_t *ret_nr);

#endif
