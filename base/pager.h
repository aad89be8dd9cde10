/* SPDX-License-Identifier: MIT */
/*
 * A pager for output on a terminal, as git and perf have it. When standard output is a terminal,
 * text goes through $PERF_PAGER, else $PAGER, else less (not on a dumb terminal). An empty variable
 * or "cat" means no pager. If the pager cannot be started, the text is printed without it. LESS is
 * set to FRSX unless the user has set it: less prints a text of one screen and exits, shows
 * colours, and cuts long lines instead of wrapping them (the arrow keys show the rest).
 *
 * The pager starts just before the first text is written (out_page()), so that progress and errors
 * before that appear on the terminal. From then on standard error also goes into the pager if it
 * was a terminal. If a signal ends the command meanwhile (SIGPIPE, for example, when the user has
 * left the pager), the command first waits for the pager to end: otherwise the shell would take the
 * terminal while the pager still reads from it.
 *
 * Leaving the pager before all text is written ends the command. `on_leave` prints what has to be
 * printed even then.
 */
#ifndef BASE_PAGER_H
#define BASE_PAGER_H

#include <sys/types.h>

#include "base/types.h"

/* The pager of a command. All zero is a valid start: no pager has been started. */
struct pager {
	bool off;    /* set by --no-pager */
	bool escape; /* set by --escape: see out_page() */
	bool tried;  /* pager_start() was called */
	pid_t pid;   /* of the pager; 0 when none runs */
	/* duplicates of the terminal's descriptors while 1 and 2 lead to the pager; -1: not
	 * replaced */
	int saved_out, saved_err;
	/* called when the user has left the pager early, on the terminal again; NULL: nothing */
	void (*on_leave)(void *ctx);
	void *leave_ctx;
};

/* Starts the pager unless p->off is set. Call it before the first text is written; later calls do
 * nothing. A process can have one pager at a time. */
void pager_start(struct pager *p);

/*
 * Flushes stdio's buffers into the pager, points descriptors 1 and 2 at the terminal again and
 * waits until the user has left the pager. Does nothing when no pager runs.
 */
void pager_end(struct pager *p);

/*
 * Ends the pager as pager_end() does, calls p->on_leave and ends the process by SIGPIPE. For a
 * write that failed with EPIPE. Does nothing when no pager runs.
 */
void pager_leave(struct pager *p);

/*
 * True if --color=auto means colours: standard output is a terminal, $TERM is not "dumb", and
 * $NO_COLOR is unset or empty (no-color.org). Call it before the pager starts, which replaces
 * standard output.
 */
bool pager_colors(void);

/*
 * Returns the columns of the terminal that standard output, or the pager on it, shows text on:
 * those of $COLUMNS, else of the terminal, else 80. 0: standard output is no terminal.
 */
unsigned int pager_columns(const struct pager *p);

/* True if the terminal's character set is UTF-8 by $LC_ALL, $LC_CTYPE or $LANG. */
bool pager_shows_utf8(void);

#endif
