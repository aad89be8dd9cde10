/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_arrange.h"

#include "base/parallel.h"
#include "report/prep/hist_chains.h"
#include "report/prep/hist_print.h"
#include "report/table/hist_uses.h"

struct arrangement {
	struct hist_text *t;
	struct order_tree *display;
	bool chains_wait; /* prepare chains after the other work, not beside it */
};

static void prepare_chains_or_sort(void *ctx, size_t part)
{
	struct arrangement *a = ctx;

	if (part) {
		hist_sort(a->t->h, a->display);
		hist_set_widths(a->t);
	} else if (!a->chains_wait) {
		hist_prepare_chains(a->t);
	}
}

void hist_arrange(struct hist_text *t, unsigned int nr_threads)
{
	struct hist *h = t->h;
	struct arrangement a = { .t = t };

	/* source lines are looked up by one thread at a time */
	a.chains_wait = h->chain && h->chain->key != CHAIN_KEY_FUNCTION;
	a.display = hist_count_beside_sorting(h, nr_threads);
	parallel_run(nr_threads, 2, prepare_chains_or_sort, &a);
	if (a.chains_wait)
		hist_prepare_chains(t);
}
