/* SPDX-License-Identifier: MIT */
/* Counters of a `perf stat record` file, as perf script prints them at the end of each round. */
#ifndef REPORT_TEXT_STAT_TEXT_H
#define REPORT_TEXT_STAT_TEXT_H

#include "base/hash.h"
#include "base/out.h"
#include "fileformat/perfdata.h"

/* The newest value of one event in one thread on one CPU. Times are in nanoseconds. */
struct stat_counter {
	u32 event, thread;                /* positions among the file's events and the thread map */
	s32 cpu;                          /* -1: any CPU */
	u64 val, ena, run;                /* the count; how long it was enabled; how long it ran */
	u64 last_val, last_ena, last_run; /* the same at the end of the round before, with -I */
};

/* All counters of a file. Start with all bytes zero. */
struct stat_text {
	u64 *pids; /* the thread map: thread ids by position */
	size_t nr_pids, cap_pids;
	struct stat_counter *counters;
	size_t nr, cap;
	struct idmap index; /* (event << 32 | thread, cpu) -> index in counters */
	bool interval;      /* recorded with -I: print the difference to the round before */
	bool header_printed;
};

void stat_text_fini(struct stat_text *t);

/*
 * Handles one record: keeps the contents of THREAD_MAP, STAT_CONFIG and STAT records and prints a
 * table to o for a STAT_ROUND. Ignores other types and damaged records.
 */
void stat_text_record(struct stat_text *t, struct out *o, const struct perfdata *pd,
		      const struct pd_record *r);

#endif
