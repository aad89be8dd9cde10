/* SPDX-License-Identifier: MIT */
/* Names of events in files that have no EVENT_DESC. */
#ifndef FILEFORMAT_EVENT_NAMES_H
#define FILEFORMAT_EVENT_NAMES_H

#include "fileformat/perfdata.h"

/*
 * Names the events that have no given name where the file tells it elsewhere: tracepoints
 * "system:event" from TRACING_DATA by the id in their config; tracepoints and PMU events of
 * Android's simpleperf from its META_INFO. To be called when attrs and features are known; calling
 * it again does no harm. What is damaged names less.
 */
void event_names_apply(struct perfdata *pd);

#endif
