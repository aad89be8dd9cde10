/* SPDX-License-Identifier: MIT */
/*
 * Passes over /proc/kallsyms without keeping it: a recording needs a handful of its 200,000 lines.
 */
#ifndef RECORD_HOST_KALLSYMS_SCAN_H
#define RECORD_HOST_KALLSYMS_SCAN_H

#include "base/bytes.h"

struct kallsyms_line {
	u64 addr;
	char type;
	struct span name;
	struct span module; /* without its brackets; empty for the kernel itself */
};

/* False ends the pass. */
typedef bool (*kallsyms_fn)(const struct kallsyms_line *line, void *arg);

/* Calls fn for each well-formed line in the file's order. False when it cannot be opened. */
bool kallsyms_scan(const char *path, kallsyms_fn fn, void *arg);

#endif
