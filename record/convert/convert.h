/* SPDX-License-Identifier: MIT */
/*
 * prec --input: a recording with copies of user stacks becomes one with call chains. Its records
 * keep their order; samples of events with registers and stack copies are written anew
 * (record/live/chainer.h), all else stays as it is.
 */
#ifndef RECORD_CONVERT_CONVERT_H
#define RECORD_CONVERT_CONVERT_H

#include <stdio.h>

#include "fileformat/perfdata.h"
#include "symbols/table/dso_desc.h"

struct convert_config {
	const char *output; /* "-": standard output, in the format of pipes */
	int output_fd;      /* -1, or an open descriptor to write to instead (for tests) */
	int compress;       /* zstd level; 0: none */
	bool no_join;       /* truncated stacks stay truncated (for tests) */
	struct symbols_config symbols; /* where objects are looked for */
	struct diag *diag;             /* for warnings */
	FILE *talk;                    /* where the result is printed; NULL: it is not */
};

/*
 * Converts an open recording, of which no record has been read. PERR_UNSUPPORTED: it has no stack
 * copies, or is of a kind that is not converted. Of a damaged recording, what comes before the
 * damage is written, and the damage is the error.
 */
int convert_perfdata(const struct convert_config *cfg, struct perfdata *pd,
		     struct perr *e) MUST_CHECK;

/* Converts the recording at path, "-": standard input. */
int convert_file(const struct convert_config *cfg, const char *path, struct perr *e) MUST_CHECK;

#endif
