/* SPDX-License-Identifier: MIT */
/* Finds names of events in other parts of a file that has no EVENT_DESC section. */
#ifndef FILEFORMAT_EVENT_NAMES_H
#define FILEFORMAT_EVENT_NAMES_H

#include "fileformat/perfdata.h"

/*
 * Names the events of pd that the file has not named yet: tracepoints get "system:event" from
 * TRACING_DATA by the id in attr.config; tracepoints and PMU events of Android's simpleperf get
 * names from its META_INFO section. Damaged sections are used up to the damage. Call it when attrs
 * and features have been read; it may be called again when more features are known.
 */
void event_names_apply(struct perfdata *pd);

#endif
