/* SPDX-License-Identifier: MIT */
/* One-line text of side-band records, as perf script prints with its --show-*-events options. */
#ifndef REPORT_TEXT_RECORD_TEXT_H
#define REPORT_TEXT_RECORD_TEXT_H

#include "base/out.h"
#include "fileformat/record.h"

/*
 * Appends "PERF_RECORD_NAME ...\n" (NAMESPACES and TEXT_POKE: several lines). symbol is the
 * "name+0xoff" of a TEXT_POKE's address, NULL where it is not known or for other types. A record
 * too damaged to decode prints its name only.
 */
void record_text(struct out *o, const struct perfdata *pd, const struct pd_record *r,
		 const char *symbol);

/*
 * Appends what follows the name: the part that perf script -D shares, and all that perf script
 * prints of an AUXTRACE_ERROR. False, and nothing appended, for a damaged record and for types
 * without such text (SAMPLE, and of those from 64 up all but AUXTRACE_ERROR and BPF_METADATA).
 */
bool record_text_body(struct out *o, const struct perfdata *pd, const struct pd_record *r,
		      const char *symbol);

#endif
