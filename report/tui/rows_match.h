/* SPDX-License-Identifier: MIT */
/* Which cells match a regular expression. */
#ifndef REPORT_TUI_ROWS_MATCH_H
#define REPORT_TUI_ROWS_MATCH_H

#include "report/tui/rows_cells.h"

struct rows_match;

/*
 * Reads a regular expression, of any case if it has no capital letters. Free the result with
 * rows_match_free(). PERR_USAGE: it does not compile.
 */
int rows_match_new(const char *pattern, struct rows_match **ret, struct perr *e) MUST_CHECK;
void rows_match_free(struct rows_match *m);
/* Returns by number of cell whether it matches; the caller frees it. */
u8 *rows_match_cells(const struct rows_match *m, const struct rows_column *c);

#endif
