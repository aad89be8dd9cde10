/* SPDX-License-Identifier: MIT */
/* A screen in memory: it plays keys and keeps its cells as text. For tests and prep --keys. */
#ifndef REPORT_TUI_SCREEN_MEM_H
#define REPORT_TUI_SCREEN_MEM_H

#include "base/out.h"
#include "report/tui/screen.h"

/*
 * Returns a screen of this size whose key() gives the nr keys of the array, which is borrowed, and
 * TKEY_GONE after them. Free it with ops->close.
 */
struct screen *screen_mem_new(int rows, int cols, bool utf8, const int *keys, size_t nr);

/* Changes the size, as the next clear() sees it. */
void screen_mem_resize(struct screen *s, int rows, int cols);

/*
 * Appends the lines of the screen without blanks at their ends, and "[line N]" if one of them is
 * the cursor's.
 */
void screen_mem_dump(const struct screen *s, struct out *o);

/* Returns the style of a cell. */
enum screen_style screen_mem_style(const struct screen *s, int row, int col);

/* The text that was copied last, "" if none was. */
const char *screen_mem_copied(const struct screen *s);

/* How many bytes that a terminal obeys were put: none, unless a view is wrong. */
size_t screen_mem_nr_controls(const struct screen *s);

#endif
