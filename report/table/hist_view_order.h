/* SPDX-License-Identifier: MIT */
/*
 * The order of a histogram's lines for viewers: that of display piece by piece, because they show
 * the first lines at once, and that of any column.
 */
#ifndef REPORT_TABLE_HIST_VIEW_ORDER_H
#define REPORT_TABLE_HIST_VIEW_ORDER_H

#include "report/table/hist.h"

struct order_sorting;

struct hist_settling {
	struct hist *h;
	bool left;                     /* some lines are not in their order yet */
	size_t nr_settled;             /* if so, how many of the first lines are */
	u32 *lines;                    /* what is being sorted: indexes in h->shown */
	bool by_display;               /* before, lines are sorted by keys */
	bool again;                    /* and once more by keys */
	struct order_tree *order;      /* NULL: not begun */
	size_t field;                  /* of the layout, whose values the order gets next */
	struct order_sorting *sorting; /* NULL: the order lacks values */
};

/*
 * Call it after hist_pick_shown() and hist_count(). h->lines hold entries from then on: the first
 * ones in the order of display as hist_sort() makes it, the others behind in no order. Where the
 * first ones depend on all others, all are sorted at once. h is borrowed until hist_settle_fini().
 */
void hist_settle_begin(struct hist_settling *s, struct hist *h);

/* Sorts a piece, some milliseconds; false: all lines are in the order of display. */
bool hist_settle_go_on(struct hist_settling *s);

/* Frees s, settled or not; one that is all zero is allowed. */
void hist_settle_fini(struct hist_settling *s);

/*
 * Sorts h->lines by a column; lines with equal cells keep their order. event: of a figure. Takes
 * time linear in the lines, but for the distinct values of a key.
 */
void hist_lines_sort(struct hist *h, const struct hist_field *f, size_t event, bool descending);

#endif
