/* SPDX-License-Identifier: MIT */
/* Analyses by name: what is written for them on plat's command line. Those of plat itself are data,
 * in the same words as those in files. */
#ifndef EVENTS_RECIPES_RECIPES_H
#define EVENTS_RECIPES_RECIPES_H

#include "base/out.h"

/* All texts are owned. */
struct recipe {
	char *name, *about;
	char *begin; /* as -b has it; NULL: the events are counted */
	char **ends; /* each as -e has it; none: an analysis with options of its own */
	size_t nr_ends;
	char *by, *value; /* NULL: none */
	bool nest, cycle;
	bool whole_system; /* other threads' events are part of it */
	char *record;      /* the prec command for what it needs; NULL: by the events */
	char *text;        /* as it was written */
	char *file;        /* where; NULL: in plat */
};

struct recipes {
	struct recipe *v;
	size_t nr, cap;
};

/* Frees the recipes; all zero is a valid empty list. */
void recipes_fini(struct recipes *r);

/* The last one of this name; NULL: there is none. Borrowed until others are added. */
const struct recipe *recipes_find(const struct recipes *r, const char *name);

/* Writes all of them, one a line: name and purpose, and the file of those from files. */
void recipes_list(const struct recipes *r, struct out *o);

#endif
