/* SPDX-License-Identifier: MIT */
/* What perf record says when it ends (FORMAT.md 5.8), and what was lost. */
#ifndef RECORD_END_MESSAGE_H
#define RECORD_END_MESSAGE_H

#include "record/ring/copier.h"
#include "record/model/rec_opts.h"
#include "record/sink/sink.h"

/* On o->talk, nothing without one; lost samples on o->diag. */
void end_message(const struct rec_opts *o, const struct rec_evlist *l,
		 const struct rec_counts *counts, const struct rec_sink_stat *stat,
		 const char *path, u64 wakeups, u64 ring_bytes);

/* --switch-output: a file is complete. f may be NULL. */
void end_message_dump(FILE *f, const char *path, u64 wakeups);

/* --max-size was reached. */
void end_message_full(FILE *f, u64 max_size);

#endif
