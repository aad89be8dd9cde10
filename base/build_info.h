/* SPDX-License-Identifier: MIT */
/* What this build is: its version, and what it was made with. The Makefile says so. */
#ifndef BASE_BUILD_INFO_H
#define BASE_BUILD_INFO_H

#include "base/types.h"

struct build_feature {
	const char *name; /* as `perf version --build-options` calls it, where it has it */
	bool on;
	const char *macro;
	const char *tip; /* what it is for, or does without */
};

/* "0.6" */
const char *build_version(void);

/* Sorted by name; static. */
const struct build_feature *build_features(size_t *ret_nr);

#endif
