/* SPDX-License-Identifier: MIT */
/* Globs over names of functions and events: * ? [a-z] [!a-z]. No letter is special, '/' neither. */
#ifndef RECORD_HOST_NAME_GLOB_H
#define RECORD_HOST_NAME_GLOB_H

#include "base/types.h"

/* Whether the text has a character that means something in a glob. */
bool name_glob_has(const char *text);

/* Whether the whole of text matches. A '[' that is not closed stands for itself. */
bool name_glob_match(const char *glob, const char *text, bool ignore_case);

#endif
