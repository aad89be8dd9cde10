/* SPDX-License-Identifier: MIT */
/*
 * Long text on a terminal goes through a pager, as with git and perf: $PERF_PAGER, else $PAGER,
 * else less (not on a dumb terminal), where standard output is a terminal. An empty text or "cat"
 * is none, and so is a pager that cannot be started. LESS=FRX unless it is set: text of less than a
 * screen is just printed.
 *
 * It starts with the first text (out_page), so that what takes long before has the terminal to
 * itself, and what fails before says so there. From then on standard error goes into the pager,
 * too, where it is a terminal. Whoever is ended by a signal meanwhile, and be it SIGPIPE because
 * the pager was left, waits for the pager first: the shell must not take the terminal from it.
 */
#ifndef BASE_PAGER_H
#define BASE_PAGER_H

#include <sys/types.h>

#include "base/types.h"

/* All zero: none yet. */
struct pager {
	bool off;   /* --no-pager */
	bool tried; /* by pager_start */
	pid_t pid;  /* 0: none runs */
	/* the terminal, while descriptors 1 and 2 are the pager's; -1: that one is not */
	int saved_out, saved_err;
};

/*
 * The row of a table of struct opt; p: struct pager *. "--pager" clears it again.
 */
#define PAGER_OPTION(p)                                                                  \
	{                                                                                \
		OPT_FLAG, 0, "no-pager", &(p)->off, NULL, "print on the terminal itself" \
	}

/* Before the first text; the second and later calls do nothing. One pager at a time. */
void pager_start(struct pager *p);

/*
 * Hands over what stdio still holds and waits until the user has left the pager; the descriptors
 * are the terminal again. Nothing where none runs.
 */
void pager_end(struct pager *p);

/*
 * Whether "auto" means colours: standard output is a terminal (to be asked before the pager starts)
 * that is not called dumb, and $NO_COLOR is not set (no-color.org: to nothing counts as unset).
 */
bool pager_colors(void);

#endif
