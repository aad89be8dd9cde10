/* SPDX-License-Identifier: MIT */
/* The name an event has where the file does not give one: made from its attr, as perf does. */
#ifndef FILEFORMAT_EVENT_NAME_H
#define FILEFORMAT_EVENT_NAME_H

#include "base/text_format.h"
#include "fileformat/attr.h"

/*
 * "cycles", "cpu-clock:u", "L1-dcache-load-misses:pp", "raw 0x1a2", "mem:0x1000:rw",
 * "unknown tracepoint id=0x187", "unknown event PMU=9 config=0x1". Modifiers say what the attr
 * leaves out (u k h G H) and how precise it is (p). malloc'd, the caller's; never NULL.
 */
char *pd_attr_name(const struct pd_attr *a, enum text_format format);

#endif
