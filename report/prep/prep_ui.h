/* SPDX-License-Identifier: MIT */
/* Whether prep prints text or is interactive on the terminal, and the screen for that. */
#ifndef REPORT_PREP_PREP_UI_H
#define REPORT_PREP_PREP_UI_H

#include "base/err.h"
#include "base/out.h"
#include "report/tui/screen.h"

/* The options about it. Strings are borrowed from argv; NULL if not given. */
struct prep_ui {
	bool stdio, tui;    /* --stdio, --tui */
	const char *keys;   /* --keys: played on a screen in memory, which is then printed */
	const char *screen; /* --screen: its size, "120x40" */
	bool shown;         /* prep is interactive; set by prep_ui_settle() */
};

/*
 * Decides. text: other options ask for output that is text. Without them prep is interactive if
 * --tui or --keys ask for it, or if standard output is a terminal that can show it, and neither
 * --stdio nor PREP_UI=stdio nor "report = no" in [tui] of ~/.perfconfig are there. PERR_USAGE when
 * --tui contradicts text.
 */
int prep_ui_settle(struct prep_ui *ui, bool text, struct perr *e) MUST_CHECK;

/*
 * Opens the screen. *ret_keys: freed by the caller after the screen is closed. Errors:
 * screen_curses_open's, PERR_USAGE for wrong keys or sizes.
 */
int prep_ui_open(const struct prep_ui *ui, bool color, struct screen **ret, int **ret_keys,
		 struct perr *e) MUST_CHECK;

/* Closes the screen; what one in memory shows is printed to o first. */
void prep_ui_close(const struct prep_ui *ui, struct screen *s, struct out *o);

#endif
