/* SPDX-License-Identifier: MIT */
/*
 * Compares counts of a recording with a reference: one sample after the other, rows found by
 * comparing their content.
 */
#ifndef TESTS_COUNT_COUNT_REFERENCE_H
#define TESTS_COUNT_COUNT_REFERENCE_H

#include "base/bytes.h"
#include "base/diag.h"
#include "count/counts.h"
#include "fileformat/perfdata.h"
#include "session/session.h"

/* A recording and its session, which looks up nothing of this host. */
struct counted_file {
	struct perfdata *pd;
	struct session *s;
	struct diag diag;
};

/*
 * Opens the recording at `path`, or the one in `mem` when path is NULL; `mem` must live as long.
 * False when it is no recording: nothing is to be closed then.
 */
bool counted_file_open(struct counted_file *o, const char *path, struct span mem);
/* Frees what counted_file_open() made. */
void counted_file_close(struct counted_file *o);
/* Counts; counts_run() has to return `want` and counts. The caller frees them: counts_free(). */
struct counts *counted_file_count(struct counted_file *o, const struct counts_config *cfg,
				  int want);
/*
 * Counts the recording with 1, 2 and 8 threads: rows, sums and their order have to be those of the
 * reference. Path and mem are those of counted_file_open(); cfg.threads is ignored.
 */
void reference_check(const char *path, struct span mem, struct counts_config cfg);

#endif
