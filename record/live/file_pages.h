/* SPDX-License-Identifier: MIT */
/*
 * Memory of a process that records for long: pages of files that it has mapped, and has looked into
 * once. They stay in the system's cache, so that it costs little to give them back.
 */
#ifndef RECORD_LIVE_FILE_PAGES_H
#define RECORD_LIVE_FILE_PAGES_H

#include "base/types.h"

struct file_pages {
	u64 next; /* when to look again, ns */
};

/*
 * True if it is time to give pages of files back: every few seconds, while the process has many.
 * now in ns. statm: "/proc/self/statm", or a test's own.
 */
bool file_pages_are_many(struct file_pages *f, u64 now, const char *statm);

#endif
