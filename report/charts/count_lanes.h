/* SPDX-License-Identifier: MIT */
/* Counted samples by thread and time. */
#ifndef REPORT_CHARTS_COUNT_LANES_H
#define REPORT_CHARTS_COUNT_LANES_H

#include "report/tui/graph/time_lanes.h"
#include "session/session.h"

struct counts;

/* The columns that count_lanes() needs; a quantum of 1 ns keeps times as they are. */
#define LANES_COLUMNS (1u << COUNT_COMM | 1u << COUNT_PID | 1u << COUNT_TID | 1u << COUNT_TIME)

/*
 * Takes the samples of these events (pd_event.idx) from rows with LANES_COLUMNS. s is the session
 * that they were counted with. Returns false if there are none; else the caller frees *ret.
 */
bool count_lanes(const struct counts *c, const struct session *s, const u32 *events, size_t nr,
		 struct time_lanes *ret);

#endif
