/* SPDX-License-Identifier: MIT */
/* The screen of a terminal. */
#ifndef REPORT_TUI_SCREEN_CURSES_H
#define REPORT_TUI_SCREEN_CURSES_H

#include "base/err.h"
#include "report/tui/screen.h"

/*
 * Takes over the terminal of the process (/dev/tty): free it with ops->close, which puts back what
 * was on it. Signals that end the process put the terminal in order first. color: as
 * pager_colors(). A process has one such screen. PERR_IO: there is no terminal, or its kind is not
 * known; PERR_UNSUPPORTED: this build has no curses.
 */
int screen_curses_open(bool color, struct screen **ret, struct perr *e) MUST_CHECK;

/*
 * True if screen_curses_open() will probably succeed: the build has curses, the process has a
 * terminal, and its kind is known and can move the cursor.
 */
bool screen_curses_can_open(void);

#endif
