/* SPDX-License-Identifier: MIT */
/*
 * Records about what was there before the recording, made from /proc, /sys and the bpf system call
 * (FORMAT.md 5.5): they come before the first sample.
 */
#ifndef RECORD_BEFORE_SYNTHESIZE_H
#define RECORD_BEFORE_SYNTHESIZE_H

#include "fileformat/write/record_encode.h"
#include "record/open/target.h"

/*
 * Appends, in stock perf's order: TIME_CONV, ID_INDEX, kernel and module MMAPs, EVENT_UPDATEs,
 * THREAD_MAP, CPU_MAP, bpf programs, cgroups, existing tasks, the workload's COMM, FINISHED_INIT.
 * time_page: the control page of a ring, NULL for none (no TIME_CONV). Processes that end meanwhile
 * are left out. Never fails: what cannot be read is told in o->diag.
 */
void synthesize_all(struct wbuf *out, const struct rec_evlist *l, const struct rec_target *t,
		    const struct rec_opts *o, const void *time_page);

#endif
