/* SPDX-License-Identifier: MIT */
/* The view of rows, for the files that it is made of. */
#ifndef REPORT_TUI_VIEW_ROWS_H
#define REPORT_TUI_VIEW_ROWS_H

#include "report/tui/rows_model.h"
#include "report/tui/tui_tables.h"

struct view_rows {
	struct tui_view view;
	const struct tui_tables *in;
	size_t event;              /* number of the table that is shown */
	struct rows_model *models; /* by table; one without a table was not shown yet */
	int above;                 /* lines of the screen above the cursor's */
	bool no_heads;
	struct rows_pos top; /* the first line shown, as drawn last */
	bool previews;       /* a filter that is being typed is shown as a step */
	/* before the text of a search was typed */
	char *pattern;
	struct rows_pos searched_from;
	char asks[80]; /* a question with a figure */
	bool opened;   /* the search has opened rows, as a step */
};

static inline struct view_rows *view_rows_of(struct tui_view *v)
{
	return (struct view_rows *)(uintptr_t)v;
}

static inline struct rows_model *rows_shown(const struct view_rows *v)
{
	return &v->models[v->event];
}

/* Lines of the screen above the rows. */
static inline int rows_above(const struct view_rows *v)
{
	return v->no_heads ? 1 : 2;
}

void view_rows_draw(struct tui_view *view, struct tui *t);

/* Appends one line as text, as it stands on a screen that is wide enough. */
void view_rows_put_line(struct view_rows *v, const struct rows_line *l, struct out *o);
/* Appends the heads of the columns. */
void view_rows_put_heads(struct view_rows *v, struct out *o);

/* What the questions of the view are about. */
enum rows_question { ASK_SYMBOL, ASK_MATCH, ASK_LIMIT, ASK_SEARCH, ASK_FILE };

/* Ask for a text that filters, or searches; the rows follow while it is typed. */
void view_rows_ask_symbol(struct view_rows *v, struct tui *t);
void view_rows_ask_match(struct view_rows *v, struct tui *t);
void view_rows_ask_search(struct view_rows *v, struct tui *t);
/* The text as it is while one types; NULL: the question was given up. */
void view_rows_typed(struct tui_view *view, struct tui *t, int question, const char *text);
/* The text at the end. */
void view_rows_filter(struct view_rows *v, struct tui *t, int question, const char *text);
void view_rows_search(struct view_rows *v, struct tui *t, const char *text);
/* Says which of how many matches the cursor is on; number from 1, 0: there is none. */
void view_rows_say_match(struct view_rows *v, struct tui *t, size_t number);

/* Opens the menu of the row at the cursor. */
void view_rows_menu(struct view_rows *v, struct tui *t);
/* Opens the menu of the columns to sort by. */
void view_rows_sort_menu(struct view_rows *v, struct tui *t);
/* Opens the code of the function at the cursor. */
void view_rows_annotate(struct view_rows *v, struct tui *t);
/* Shows only the rows that have the cursor's cell in a column of this kind, or all again. */
void view_rows_zoom(struct view_rows *v, struct tui *t, enum table_kind kind);

/* Keys that show what other views tell of the rows; false: the key is none of them. */
bool view_rows_graph_key(struct view_rows *v, struct tui *t, int key);

/* Writes what the view shows to a file. */
void view_rows_write(struct view_rows *v, struct tui *t, const char *path);

#endif
