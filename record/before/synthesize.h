/* SPDX-License-Identifier: MIT */
/*
 * Makes the records about the state before the recording from /proc, /sys and the bpf system call
 * (FORMAT.md 5.5). They are written before the first sample.
 */
#ifndef RECORD_BEFORE_SYNTHESIZE_H
#define RECORD_BEFORE_SYNTHESIZE_H

#include "fileformat/write/record_encode.h"
#include "record/open/target.h"

/*
 * Appends to *out, in stock perf's order: TIME_CONV, ID_INDEX, kernel and module MMAPs,
 * EVENT_UPDATEs, THREAD_MAP, CPU_MAP, BPF programs, cgroups, existing tasks, COMM of the command,
 * FINISHED_INIT. time_page: the control page of a ring; NULL omits TIME_CONV. Processes that end
 * meanwhile are omitted. Never fails; warns in o->diag about files that cannot be read.
 */
void synthesize_all(struct wbuf *out, const struct rec_evlist *l, const struct rec_target *t,
		    const struct rec_opts *o, const void *time_page);

#endif
