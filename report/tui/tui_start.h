/* SPDX-License-Identifier: MIT */
/* Whether a command prints text or is interactive on the terminal, and the screen for that. */
#ifndef REPORT_TUI_TUI_START_H
#define REPORT_TUI_TUI_START_H

#include "base/err.h"
#include "base/out.h"
#include "report/tui/screen.h"

/* The options about it. Strings are borrowed from argv; NULL if not given. */
struct tui_start {
	bool stdio, tui;    /* --stdio, --tui */
	const char *keys;   /* --keys: played on a screen in memory, which is then printed */
	const char *screen; /* --screen: its size, "120x40" */
	bool shown;         /* the command is interactive; set by tui_start_settle() */
};

/*
 * Decides. text: other options ask for output that is text. Without them the command is interactive
 * if --tui or --keys ask for it, or if standard output is a terminal that can show it, and neither
 * --stdio nor PREP_UI=stdio nor "COMMAND = no" in [tui] of ~/.perfconfig are there, where command
 * is perf's word: report or annotate. PERR_USAGE when --tui contradicts text.
 */
int tui_start_settle(struct tui_start *ui, const char *command, bool text,
		     struct perr *e) MUST_CHECK;

/*
 * Opens the screen. *ret_keys: freed by the caller after the screen is closed. Errors:
 * screen_curses_open's, PERR_USAGE for wrong keys or sizes.
 */
int tui_start_open(const struct tui_start *ui, bool color, struct screen **ret, int **ret_keys,
		   struct perr *e) MUST_CHECK;

/* Closes the screen; what one in memory shows is printed to o first. */
void tui_start_close(const struct tui_start *ui, struct screen *s, struct out *o);

#endif
