/* SPDX-License-Identifier: MIT */
/* Counters of a `perf stat record` file, as perf script prints them at the end of each round. */
#ifndef REPORT_TEXT_STAT_TEXT_H
#define REPORT_TEXT_STAT_TEXT_H

#include "base/hash.h"
#include "base/out.h"
#include "fileformat/perfdata.h"

struct stat_counter {
	u32 event, thread; /* positions among the file's events and threads */
	s32 cpu;
	u64 val, ena, run;
	u64 last_val, last_ena, last_run; /* of the round before, with -I */
};

/* All zero to begin with. */
struct stat_text {
	u64 *pids; /* of the thread map */
	size_t nr_pids, cap_pids;
	struct stat_counter *counters;
	size_t nr, cap;
	struct idmap index; /* (event and thread, cpu) -> counters */
	bool interval;      /* recorded with -I: rounds show what was added */
	bool header_printed;
};

void stat_text_fini(struct stat_text *t);

/*
 * Takes what THREAD_MAP, STAT_CONFIG and STAT records tell and prints a table for STAT_ROUND; does
 * nothing for other types and for damaged records.
 */
void stat_text_record(struct stat_text *t, struct out *o, const struct perfdata *pd,
		      const struct pd_record *r);

#endif
