/* SPDX-License-Identifier: MIT */
/* Columns of a table that fit a terminal. */
#ifndef REPORT_PREP_HIST_FIT_H
#define REPORT_PREP_HIST_FIT_H

#include "report/prep/hist_text.h"

/*
 * Narrows the columns of keys until a line has at most t->columns - 1 characters; 0: leaves them.
 * Call it between hist_arrange() and printing. Narrow columns keep their widths, and symbols and
 * source lines get twice the room of others. Sets t->natural to the widths before.
 */
void hist_fit_widths(struct hist_text *t);

/*
 * Fits the cell that begins at `start` in o into the column's width, and fills it with blanks if
 * `pad`. For the cells of keys where t->columns is not 0.
 */
void hist_fit_cell(struct out *o, size_t start, const struct hist_text *t, size_t out, bool pad);

#endif
