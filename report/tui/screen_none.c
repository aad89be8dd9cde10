/* SPDX-License-Identifier: MIT */
/* Stands in for screen_curses.c where ncurses is not installed. */
#include "report/tui/screen_curses.h"

bool screen_curses_can_open(void)
{
	return false;
}

int screen_curses_open(bool color, struct screen **ret, struct perr *e)
{
	(void)color;
	*ret = NULL;
	return perr_set(e, PERR_UNSUPPORTED,
			"this build has no interactive view: install libncurses-dev and build "
			"again, or use --stdio");
}
