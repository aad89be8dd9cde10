/* SPDX-License-Identifier: MIT */
/*
 * One line on the terminal while work lasts longer than two seconds: share, rate and time left.
 * Nothing where f is no terminal, or (but for progress_init_ahead) where the command's output is on
 * it, too; nor while the command is in the background. The line is never wider than the terminal,
 * and a signal that ends the command (Ctrl-C) takes it away first. At most one at a time is seen.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdio.h>

#include "base/types.h"

struct progress {
	const char *prog;
	FILE *f;
	u64 total; /* bytes to go through; 0 when unknown */
	bool active;
	bool shown;
	u32 calls;
	u64 looked;         /* bytes gone through when the clock was read last */
	double start, last; /* seconds */
};

/* f: where the line goes, standard error. */
void progress_init(struct progress *p, const char *prog, u64 total, FILE *f);

/*
 * For work that is done before the first text of the output: the line may be where that will be.
 */
void progress_init_ahead(struct progress *p, const char *prog, u64 total, FILE *f);

/* Cheap enough to call for every record: done = bytes gone through so far. */
void progress_update(struct progress *p, u64 done);

/*
 * For work that has no share, such as waiting for a server: "PROG: what", with the megabytes that
 * came when there are some. To be called a few times a second.
 */
void progress_say(struct progress *p, const char *what, u64 bytes);

/* Takes the line away again. */
void progress_end(struct progress *p);

#endif
