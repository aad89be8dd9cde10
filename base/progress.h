/* SPDX-License-Identifier: MIT */
/*
 * A progress line on the terminal: percentage, rate and time left, for work that takes longer than
 * two seconds. No line is shown if f is not a terminal, if standard output is a terminal too (but
 * see progress_init_ahead()), or while the command runs in the background. The line is never wider
 * than the terminal. A signal that ends the command (Ctrl-C) erases it first. A process shows at
 * most one progress line at a time.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdio.h>

#include "base/types.h"

struct progress {
	const char *prog;
	FILE *f;
	u64 total;          /* bytes to process; 0 when unknown */
	bool active;        /* a line may be shown */
	bool shown;         /* a line is on the terminal */
	u32 calls;          /* of progress_update() */
	u64 looked;         /* bytes processed when the clock was last read */
	double start, last; /* seconds of CLOCK_MONOTONIC: the start, the line's last change */
};

/* Starts measuring `total` bytes of work. prog is the command's name and begins the line; the line
 * goes to f, which is standard error. */
void progress_init(struct progress *p, const char *prog, u64 total, FILE *f);

/*
 * Like progress_init(), for work that ends before the command writes its first output: the line is
 * shown even if standard output is the same terminal.
 */
void progress_init_ahead(struct progress *p, const char *prog, u64 total, FILE *f);

/* Updates the line: `done` is the number of bytes processed so far. Cheap enough to call for every
 * record. */
void progress_update(struct progress *p, u64 done);

/*
 * Shows "PROG: what" for work without a known total, such as waiting for a server, and the
 * megabytes received if bytes is not 0. Call it a few times a second.
 */
void progress_say(struct progress *p, const char *what, u64 bytes);

/* Erases the line and ends the measuring. */
void progress_end(struct progress *p);

#endif
