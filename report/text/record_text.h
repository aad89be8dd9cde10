/* SPDX-License-Identifier: MIT */
/* Text of side-band records, as perf script prints them with its --show-*-events options. */
#ifndef REPORT_TEXT_RECORD_TEXT_H
#define REPORT_TEXT_RECORD_TEXT_H

#include "base/out.h"
#include "fileformat/record.h"

/*
 * Appends a record as "PERF_RECORD_NAME ...\n"; NAMESPACES and TEXT_POKE take several lines. symbol
 * is the "name+0xoff" of a TEXT_POKE's address, NULL if it is not known and for other types. Of a
 * record that is too damaged to decode only the name is printed.
 */
void record_text(struct out *o, const struct perfdata *pd, const struct pd_record *r,
		 const char *symbol);

/*
 * Appends what follows the name, which perf script -D prints as well; for an AUXTRACE_ERROR, all
 * that perf script prints. Returns false and appends nothing for a damaged record and for types
 * without such text: SAMPLE, and types from 64 up except AUXTRACE_ERROR and BPF_METADATA.
 */
bool record_text_body(struct out *o, const struct perfdata *pd, const struct pd_record *r,
		      const char *symbol);

#endif
