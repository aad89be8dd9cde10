/* SPDX-License-Identifier: MIT */
/* Values of perf's configuration files, which the user may have written for perf. */
#ifndef SYMBOLS_FIND_PERF_CONFIG_H
#define SYMBOLS_FIND_PERF_CONFIG_H

#include "base/bytes.h"

/*
 * Returns the value of section.key in a text of perf's configuration, malloc'd; NULL if it is not
 * set. The last line counts. Sections are "[name]", lines "key = value", names without regard to
 * case;
 * '#' and ';' begin comments, and double quotes around a value are removed.
 */
char *perf_config_find(struct span text, const char *section, const char *key);

/*
 * Returns the value of section.key in $PERF_CONFIG, or without that variable in ~/.perfconfig and
 * /etc/perfconfig, malloc'd; NULL if it is not set. Files that belong neither to this user nor to
 * root are not read, as by perf.
 */
char *perf_config_value(const char *section, const char *key);

#endif
