/* SPDX-License-Identifier: MIT */
/* The call chains of a report's rows as its options want them: cut, filtered, with inlines. */
#ifndef REPORT_TABLE_HIST_STACKS_H
#define REPORT_TABLE_HIST_STACKS_H

#include "profile/chain_option.h"
#include "report/table/hist_columns.h"

/*
 * The call chain of one row: cut to --max-stack, without the frames that -U hides and without the
 * callees that --ignore-callees folds, with inlined functions. When a chain ends in a sequence of
 * frames that repeats (a recursion), ids has the sequence once and `more` says how it goes on.
 */
struct hist_stack {
	const u32 *ids; /* frames, leaf first; borrowed until hist_stacks_free() */
	u32 nr;         /* number of ids */
	u32 turn;       /* length of the repeated sequence at the end of ids; 0: nothing repeats */
	u32 more;       /* frames that follow ids: further repetitions, a multiple of turn */
	u32 own;        /* the frame that the sample itself counts for */
	u32 parent;     /* the frame that the parent regex (-p) matches, + 1; 0: none does */
	char level;     /* level of `own`, as hist_level() */
	bool hidden;    /* `own` has no symbol and -U is given: the row does not count */
};

struct hist_stacks;

/*
 * Prepares the call chains of all rows of d. One object serves all histograms of a report. d is
 * borrowed until hist_stacks_free(). Returns NULL and PERR_USAGE in e if the regex of -p or
 * --ignore-callees does not compile.
 */
struct hist_stacks *hist_stacks_new(struct hist_data *d, const struct hist_layout *l,
				    enum chain_order order, struct perr *e);
/* Frees the call chains and every hist_stack.ids that came from them. NULL is allowed. */
void hist_stacks_free(struct hist_stacks *s);

/* Returns the call chain of a row. Only one thread may call this at a time. */
struct hist_stack hist_stack_of(struct hist_stacks *s, u32 row);

/*
 * Returns the call chain of a row with own, parent, level and hidden filled in; ids may be missing.
 * This costs less than hist_stack_of() when no option changes the chains.
 */
struct hist_stack hist_stack_own(struct hist_stacks *s, u32 row);

/* Prefetches the call chain of a row soon after this one. For loops over rows in their order. */
void hist_stacks_fetch(const struct hist_stacks *s, u32 row);

/* Prefetches where the call chain of this row is stored. For loops that jump between rows. */
void hist_stacks_fetch_place(const struct hist_stacks *s, u32 row);

#endif
