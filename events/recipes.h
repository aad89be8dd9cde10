/* SPDX-License-Identifier: MIT */
/* Analyses by name: what is written for them on plat's command line, as data. */
#ifndef EVENTS_RECIPES_H
#define EVENTS_RECIPES_H

#include "base/out.h"

struct recipe {
	const char *name, *about;
	/* as -b and -e have them; begin NULL: none; end NULL: an analysis with options of its own
	 */
	const char *begin, *end;
	const char *by;
	bool nest;
	bool whole_system;  /* other threads' events are part of it */
	const char *record; /* how to record what it needs */
};

/* The recipe of this name; NULL: there is none. */
const struct recipe *recipe_find(const char *name);

/* Writes all of them, one a line: name and purpose. */
void recipes_list(struct out *o);

#endif
