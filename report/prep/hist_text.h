/* SPDX-License-Identifier: MIT */
/* What printing needs beside a histogram: widths of columns, and the text of chains. */
#ifndef REPORT_PREP_HIST_TEXT_H
#define REPORT_PREP_HIST_TEXT_H

#include "report/table/hist.h"
#include "report/prep/prep_options.h"

/* Where the text of an entry's chains lies in hist_text.chain_text. */
struct hist_chain_text {
	size_t start, len;
	bool made;
};

struct hist_text {
	struct hist *h;
	const struct prep_options *opt;
	struct chain_tree *tree;             /* NULL: no chains are shown */
	int *widths;                         /* by column of the layout's `out` */
	struct hist_chain_text *chain_texts; /* by entry; NULL: not prepared */
	struct out chain_text;
	bool chains_ready; /* the texts of all entries are in chain_text */
};

/* h, opt and tree are borrowed until hist_text_fini(). The rest is filled by hist_arrange(). */
void hist_text_init(struct hist_text *t, struct hist *h, const struct prep_options *opt,
		    struct chain_tree *tree);
void hist_text_fini(struct hist_text *t);

#endif
