/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SAMPLE_RANGE_H
#define SESSION_SAMPLE_RANGE_H

#include "fileformat/perfdata.h"

/*
 * Times (ns) of the first and last sample: from the SAMPLE_TIME feature, else by reading the file
 * once more under its path. PERR_NOTFOUND for a file without timed samples, PERR_UNSUPPORTED for a
 * stream, which can be read only once.
 */
int sample_range(struct perfdata *pd, u64 *ret_first, u64 *ret_last, struct perr *e) MUST_CHECK;

#endif
