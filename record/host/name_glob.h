/* SPDX-License-Identifier: MIT */
/*
 * Matches names of functions and events against globs with * ? [a-z] [!a-z]. Unlike in path globs,
 * * and ? match '/' too.
 */
#ifndef RECORD_HOST_NAME_GLOB_H
#define RECORD_HOST_NAME_GLOB_H

#include "base/types.h"

/* Returns true if the text contains a glob character: * ? or [. */
bool name_glob_has(const char *text);

/*
 * Returns true if the glob matches the whole of text. A '[' without a closing ']' matches itself.
 */
bool name_glob_match(const char *glob, const char *text, bool ignore_case);

#endif
