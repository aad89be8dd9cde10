/* SPDX-License-Identifier: MIT */
/* The views that draw graphs in cells: a flame graph, and threads by time. */
#ifndef REPORT_TUI_GRAPH_GRAPH_VIEWS_H
#define REPORT_TUI_GRAPH_GRAPH_VIEWS_H

#include "report/tui/tui_tables.h"

/*
 * The stacks of table i as a flame graph. shown: by top row, whether the samples that were taken in
 * it are in the graph; NULL: all. words: what the title says of that, copied. place: the function
 * whose heaviest box is selected at first; NULL: none is. rows: the view that it is opened from,
 * see time_view_new(). `in` is borrowed. Returns NULL if the table has no stacks.
 */
struct tui_view *flame_view_new(const struct tui_tables *in, size_t i, const bool *shown,
				const char *words, const struct table_place *place,
				struct tui_view *rows);

/*
 * The samples of table i by thread and time. `in` is borrowed, and has lanes and the members after
 * it. rows: a view of rows below, whose filters the rows of ranges have, too; NULL: none. NULL and
 * the error of in->lanes if there are none.
 */
struct tui_view *time_view_new(const struct tui_tables *in, size_t i, struct tui_view *rows,
			       struct perr *e);

/* Opens it, or says why not. */
void time_view_open(const struct tui_tables *in, size_t i, struct tui_view *rows, struct tui *t);

#endif
