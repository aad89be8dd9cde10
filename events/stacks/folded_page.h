/* SPDX-License-Identifier: MIT */
/* Folded lines as a page for browsers: --html of plat's analyses. */
#ifndef EVENTS_STACKS_FOLDED_PAGE_H
#define EVENTS_STACKS_FOLDED_PAGE_H

#include "base/err.h"
#include "base/out.h"

struct folded_page {
	const char *title; /* the recording; "-" becomes "plat" */
	const char *event; /* what the lines are weighted by */
	const char *unit;  /* "ns" or another one */
	/* Writes the lines, as --folded has them. */
	void (*put)(void *ctx, struct out *o);
	void *ctx;
};

/* Writes the file of --html. PERR_IO. */
int folded_page_write(const struct folded_page *p, const char *path, struct perr *e) MUST_CHECK;

#endif
