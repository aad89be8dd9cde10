/* SPDX-License-Identifier: MIT */
/* What printing a histogram keeps beside it: widths of columns, and texts that are made ahead. */
#ifndef REPORT_PREP_HIST_TEXT_H
#define REPORT_PREP_HIST_TEXT_H

#include "report/table/hist.h"
#include "report/prep/prep_options.h"

/* The chains of an entry: a part of hist_text.chain_text. */
struct hist_chain_text {
	size_t start, len;
	bool made;
};

/* Lines that follow each other, whose text is made before it is their turn. */
struct hist_piece {
	struct out text;
	bool made;
};

struct hist_text {
	struct hist *h;
	const struct prep_options *opt;
	struct chain_tree *tree;             /* to print chains with; NULL: none are shown */
	int *widths;                         /* by column of the layout's `out` */
	struct hist_chain_text *chain_texts; /* by entry; NULL: none were made ahead */
	struct out chain_text;
	bool chains_ready;         /* the texts of all entries are in chain_text */
	struct hist_piece *pieces; /* NULL: no lines were made ahead */
	size_t nr_pieces;
};

/* h, opt and tree are borrowed until hist_text_fini(). The rest is filled by hist_arrange(). */
void hist_text_init(struct hist_text *t, struct hist *h, const struct prep_options *opt,
		    struct chain_tree *tree);
void hist_text_fini(struct hist_text *t);

#endif
