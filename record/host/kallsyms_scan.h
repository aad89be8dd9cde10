/* SPDX-License-Identifier: MIT */
/*
 * Reads /proc/kallsyms line by line without storing it: a recording needs a handful of its 200,000
 * lines.
 */
#ifndef RECORD_HOST_KALLSYMS_SCAN_H
#define RECORD_HOST_KALLSYMS_SCAN_H

#include "base/bytes.h"

/* One line "ADDRESS TYPE NAME [MODULE]" of kallsyms. */
struct kallsyms_line {
	u64 addr;
	char type;
	struct span name;
	struct span module; /* name of the module without brackets; empty for the kernel itself */
};

/* Handles one line, which is valid during the call only. Returning false ends the scan. */
typedef bool (*kallsyms_fn)(const struct kallsyms_line *line, void *arg);

/*
 * Calls fn for each well-formed line of the file in order. Returns false if the file cannot be
 * opened.
 */
bool kallsyms_scan(const char *path, kallsyms_fn fn, void *arg);

#endif
