/* SPDX-License-Identifier: MIT */
/*
 * The call chains of a comparison's rows, from all recordings in one tree. Nodes are functions by
 * name, as rows are; frames without a symbol are one node for each object.
 */
#ifndef REPORT_DIFF_DIFF_CHAINS_H
#define REPORT_DIFF_DIFF_CHAINS_H

#include "profile/chain_option.h"
#include "report/diff/diff_table.h"

/* One line of a tree: its figures are those of a row. */
struct diff_chain_line {
	struct diff_row row; /* its cells are in the table until the next diff_chains_of() */
	const char *name;    /* borrowed from the table */
	u32 depth;           /* the number of branchings above it */
};

struct diff_chains;

/*
 * Prepares the chains of all rows of the table, which is borrowed until diff_chains_free(). opt is
 * borrowed as well: its order, its least percentage and its limit of lines on one level apply.
 */
struct diff_chains *diff_chains_new(struct diff_table *t, const struct chain_option *opt);
void diff_chains_free(struct diff_chains *c);

/*
 * Makes the tree of a row and returns its lines from top to bottom, *ret_nr of them, those of one
 * level in the order of rows. They are valid until the next call.
 */
const struct diff_chain_line *diff_chains_of(struct diff_chains *c, const struct diff_row *r,
					     size_t *ret_nr);

#endif
