/* SPDX-License-Identifier: MIT */
/* The view of one function's code: perf annotate's screen and keys. */
#ifndef REPORT_CODE_CODE_VIEW_H
#define REPORT_CODE_CODE_VIEW_H

#include "report/annotate/annotate_view.h"
#include "report/tui/view.h"

/* How the views show code; their keys change it, for all functions. */
struct code_look {
	struct annot_style style; /* percentages or what else the columns show */
	bool source;              /* source lines between the instructions */
	bool numbers;             /* their numbers */
	bool raw;                 /* objdump's text and addresses, not perf's short form */
	bool full;                /* addresses of the process, not of the file */
	bool no_arrows;           /* no arrow from the jump at the cursor to its target */
	bool count_jumps;         /* how many jumps go to an instruction */
	bool types;               /* of the data that instructions read and write */
	int offsets;              /* instructions with offsets: 1 targets, 2 calls too, 3 all */
};

/* Sets what options and the section [annotate] of ~/.perfconfig say of the look at first. */
void code_look_init(struct code_look *look, const struct annot_style *style);

/* What a command gives to the views. All of it is borrowed until they are closed. */
struct code_input {
	struct annot_view page; /* but for func, code, style and cycles, which the views set */
	struct branch_cycles *cycles; /* NULL: the recording has none */
	struct annot_code_config code;
	struct code_look look;
	size_t nr_listed; /* of page.samples: the first functions, which the keys < > m reach */
	/* Append the lines of the header window and of the quality window. NULL: there are none. */
	void (*header)(void *ctx, struct out *o);
	void (*quality)(void *ctx, struct out *o);
	/* Opens a menu of what scripts print of a function's samples. NULL: there are none. */
	void (*scripts)(void *ctx, struct tui *t, const char *function);
	void *ctx;
};

/*
 * Returns a view of a function, of which in->page.samples need not know; NULL with
 * annot_code_read's error if its code cannot be shown. f is copied, its hits are borrowed; its sums
 * are not used if it has no hits.
 */
struct tui_view *code_view_new(struct code_input *in, const struct annot_func *f, struct perr *e);

/*
 * Returns a view of the first listed function from number `first` on that has code, which says how
 * many were passed over; going backwards if direction is negative. NULL with the first function's
 * error if there is none.
 */
struct tui_view *code_view_find(struct code_input *in, size_t first, int direction, struct perr *e);

#endif
