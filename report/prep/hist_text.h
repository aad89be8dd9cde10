/* SPDX-License-Identifier: MIT */
/* What printing needs beside a histogram: widths of columns, and the text of chains. */
#ifndef REPORT_PREP_HIST_TEXT_H
#define REPORT_PREP_HIST_TEXT_H

#include "report/table/hist.h"
#include "report/prep/prep_options.h"

/* Where hist_text.chain_text has the text of one entry's call chains. */
struct hist_chain_text {
	size_t start, len; /* bytes */
	bool made;         /* false: hist_print_chains() builds the text */
};

/* A histogram with its text while it is printed. */
struct hist_text {
	struct hist *h;
	const struct prep_options *opt;
	struct chain_tree *tree; /* NULL: no call chains are shown */
	unsigned int columns;    /* of the terminal that lines are fitted to; 0: they are not */
	int *widths;             /* in characters, by column of hist_layout.out */
	int *natural;            /* the widths before hist_fit_widths(); NULL: nothing was fitted */
	struct hist_chain_text *chain_texts; /* by entry; NULL before hist_prepare_chains() */
	struct out chain_text;               /* texts of call chains, one after the other */
	bool chains_ready;                   /* the texts of all entries are in chain_text */
};

/*
 * Sets the first three members, which are borrowed until hist_text_fini(), and empties the rest;
 * hist_arrange() fills it.
 */
void hist_text_init(struct hist_text *t, struct hist *h, const struct prep_options *opt,
		    struct chain_tree *tree);
void hist_text_fini(struct hist_text *t);

#endif
