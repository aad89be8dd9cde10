/* SPDX-License-Identifier: MIT */
/* The view of code, for the files that it is made of. */
#ifndef REPORT_CODE_CODE_VIEW_PRIV_H
#define REPORT_CODE_CODE_VIEW_PRIV_H

#include "report/annotate/annotate_short.h"
#include "report/annotate/code_lines.h"
#include "report/code/code_view.h"

/* code_view_new(), for the files that it calls. */
typedef struct tui_view *code_open_fn(struct code_input *in, const struct annot_func *f,
				      struct perr *e);

struct code_view {
	struct tui_view view;
	code_open_fn *open;
	struct code_input *in;
	struct annot_func func;
	struct annot_sum *none; /* the sums of functions without samples */
	struct annot_code code;
	struct annot_short shortened;
	struct annot_view page;
	struct code_cycles cycles; /* of the function, if page.cycles is set */
	struct code_lines lines;
	bool made_source; /* what lines were made for */
	enum annot_percent made_percent;
	size_t at;    /* the line at the cursor */
	size_t top;   /* the first line shown */
	size_t hot;   /* index in lines.hot where Tab was last */
	char **types; /* by instruction: of the data that it reads or writes; NULL: not asked for */
	u32 *visited; /* instructions that jumps were followed from */
	size_t nr_visited, cap_visited;
	char *pattern; /* what was searched last; NULL: nothing was */
	char *note;    /* a message to show when the view is drawn first; NULL: none */
};

static inline struct code_view *code_view_of(struct tui_view *v)
{
	return (struct code_view *)(uintptr_t)v;
}

/* The line at the cursor; NULL: the function has none. */
static inline const struct code_line *code_line_at(const struct code_view *v)
{
	return v->at < v->lines.nr ? &v->lines.lines[v->at] : NULL;
}

/* ---- code_text.c */

/* Makes the lines as in->look says. */
void code_view_make_lines(struct code_view *v);
/* Makes the lines fit what in->look says; the cursor stays on its instruction. */
void code_view_refresh(struct code_view *v);

/* Puts the cursor on an instruction, which is then in the middle of the page. */
void code_view_go(struct code_view *v, struct tui *t, size_t insn);

#define CODE_ABOVE 2 /* lines of the screen above the code */

/* Characters between the bar right of the columns and the arrow of an instruction. */
int code_margin(const struct code_view *v);

/*
 * Appends what stands to the right of the columns in a line: its offset, an arrow, the text; arrows
 * of ASCII unless utf8.
 */
void code_put_line(struct code_view *v, const struct code_line *l, bool utf8, struct out *o);

/* Appends the columns of cycles of a line, or their titles; they stand right of the bar. */
void code_put_cycles(const struct code_view *v, const struct code_line *l, bool head,
		     struct out *o);

/* Finds the first place of the searched text in a line; false: it has none. */
bool code_find_text(const struct code_view *v, const char *s, size_t len, size_t *ret_at);

/* ---- code_draw.c */

void code_view_draw(struct tui_view *view, struct tui *t);

/* ---- code_follow.c */

/* See code_view_find(). */
struct tui_view *code_find(code_open_fn *open, struct code_input *in, size_t first, int direction,
			   struct perr *e);
/* Follows the jump, call or return at the cursor. */
void code_follow(struct code_view *v, struct tui *t);
/* Goes back to where the last jump was followed from. */
void code_unfollow(struct code_view *v, struct tui *t);
/* Shows the function before or after this one in the order of costs, in place of this one. */
void code_neighbour(struct code_view *v, struct tui *t, int direction);
/* Opens a menu of all functions with samples. */
void code_functions(struct code_view *v, struct tui *t);

/* ---- code_search.c */

/* Searches a text from the cursor on, all letters alike if it has no capital ones. */
void code_search(struct code_view *v, struct tui *t, const char *text, int direction);
/* Writes the lines to a new file SYMBOL.annotation, or the first SYMBOL.annotation.N. */
void code_write(struct code_view *v, struct tui *t);

#endif
