/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_text.h"

#include "base/mem.h"

void hist_text_init(struct hist_text *t, struct hist *h, const struct prep_options *opt,
		    struct chain_tree *tree)
{
	*t = (struct hist_text){ .h = h, .opt = opt, .tree = tree };
}

void hist_text_fini(struct hist_text *t)
{
	free(t->chain_texts);
	out_fini(&t->chain_text);
	free(t->widths);
	free(t->natural);
}
