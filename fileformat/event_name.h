/* SPDX-License-Identifier: MIT */
/* Makes the name of an event from its attr, as perf does for events that the file does not name. */
#ifndef FILEFORMAT_EVENT_NAME_H
#define FILEFORMAT_EVENT_NAME_H

#include "base/text_format.h"
#include "fileformat/attr.h"

/*
 * Returns the name that perf of the given version prints for an attr, in malloc'd memory that the
 * caller frees; never NULL. Examples: "cycles", "cpu-clock:u", "L1-dcache-load-misses:pp",
 * "raw 0x1a2", "mem:0x1000:rw", "unknown tracepoint id=0x187", "unknown event PMU=9 config=0x1".
 * The letters after the colon are the modes that are not excluded (u k h G H), and one p for each
 * level of precise_ip.
 */
char *pd_attr_name(const struct pd_attr *a, enum text_format format);

#endif
