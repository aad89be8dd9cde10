/* SPDX-License-Identifier: MIT */
/* The view of threads by time, for the files that it is made of. */
#ifndef REPORT_TUI_GRAPH_TIME_VIEW_H
#define REPORT_TUI_GRAPH_TIME_VIEW_H

#include "report/tui/graph/time_lanes.h"
#include "report/tui/tui_tables.h"

#define TIME_NO_MARK UINT64_MAX

/* What steps change, and undo brings back. */
struct time_state {
	struct time_span span; /* what the width shows */
	u64 cursor;            /* a time in it */
	u64 mark;              /* the other end of the range; TIME_NO_MARK: there is none */
};

struct time_view {
	struct tui_view view;
	const struct tui_tables *in;
	struct tui_view *rows; /* below, whose filters the rows of ranges have; NULL: none */
	size_t event;
	struct time_lanes data;
	struct time_state state, *steps; /* for undo and redo; steps[at] is the present one's */
	size_t nr_steps, cap_steps, at;
	size_t lane, top;          /* the cursor's; 0: the sum of all. The first that is shown */
	struct time_slices slices; /* as drawn last */
	/* the tables of a range, made when they were first asked for */
	struct tui_tables *part;
	struct time_span part_of;
};

static inline struct time_view *time_view_of(struct tui_view *v)
{
	return (struct time_view *)(uintptr_t)v;
}

/* The columns in front of the slices, and the lines above the lanes. */
int time_view_side(const struct tui *t);
int time_view_above(const struct tui *t);
/* Lines of lanes that fit the screen. */
int time_view_lines(const struct tui *t);
/* Counts the slices of the span that is shown. */
void time_view_slice(struct time_view *v, const struct tui *t);
/* The chosen range as slices, and as time; without a mark the cursor's slice. */
void time_view_range(const struct time_view *v, int *ret_first, int *ret_last);
struct time_span time_view_span(const struct time_view *v);

void time_view_draw(struct tui_view *view, struct tui *t);

#endif
