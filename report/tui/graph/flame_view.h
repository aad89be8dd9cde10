/* SPDX-License-Identifier: MIT */
/* The flame graph in cells, for the files that it is made of. */
#ifndef REPORT_TUI_GRAPH_FLAME_VIEW_H
#define REPORT_TUI_GRAPH_FLAME_VIEW_H

#include "report/tui/graph/flame_boxes.h"
#include "report/tui/graph/flame_change.h"
#include "report/tui/tui_tables.h"

/* What steps change, and undo brings back. */
struct flame_state {
	bool inverted;                  /* what ran at the top, its callers below */
	bool upwards;                   /* the first callers at the bottom */
	bool no_recursion, no_commands; /* see flame_change.h */
	size_t nr_changes;              /* the first ones of flame_view.changes */
	u32 zoom, selected;             /* nodes of the tree that these give */
};

struct flame_view {
	struct tui_view view;
	const struct tui_tables *in;
	struct tui_view *rows; /* below; NULL: none */
	size_t event;
	char *words;                  /* of the filters of what it was made from; "" */
	struct flame base;            /* as it was made */
	struct flame shown;           /* as steps have changed it; not made if nothing is changed */
	struct flame_state of;        /* what `shown` was made for */
	struct flame_change *changes; /* of all steps; a new step removes what was undone */
	size_t cap_changes;
	unsigned side; /* whose weights are shown: FLAME_PERIOD, else FLAME_SAMPLES */
	struct flame_state state, *steps; /* for undo and redo; steps[at] is the present one's */
	size_t nr_steps, cap_steps, at;
	u32 top;                  /* depth of the first line that is shown */
	struct flame_boxes boxes; /* as drawn last */
	/* the search */
	char *pattern;   /* NULL: none */
	bool *matches;   /* by name */
	size_t nr_found; /* matches that are below no other */
	u64 found;       /* their weight */
};

static inline struct flame_view *flame_view_of(struct tui_view *v)
{
	return (struct flame_view *)(uintptr_t)v;
}

/* The tree that is shown. */
static inline const struct flame *flame_shown(const struct flame_view *v)
{
	return v->shown.nr ? &v->shown : &v->base;
}

void flame_view_draw(struct tui_view *view, struct tui *t);
/* Lays out the line of a node, wherever the screen is, as v->boxes. */
void flame_view_lay(struct flame_view *v, int cols, u32 first, u32 nr);
/* Depths that fit the screen. */
int flame_view_lines(const struct tui *t);
/* The depth at a line of the screen, and the other way round. */
s64 flame_view_depth(const struct flame_view *v, const struct tui *t, int row);

/*
 * Marks the names that a regular expression matches, in any case if it has no capital letters. NULL
 * ends the search. PERR_USAGE: it does not compile.
 */
int flame_view_search(struct flame_view *v, const char *pattern, struct perr *e) MUST_CHECK;
/* The same for one name. */
void flame_view_search_name(struct flame_view *v, u32 name);
/* Counts again what is found: the tree has changed. */
void flame_view_count_found(struct flame_view *v);
/* Selects the next match; returns its number from 1, 0: there is none. */
size_t flame_view_find(struct flame_view *v, int direction);

#endif
