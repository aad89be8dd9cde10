/* SPDX-License-Identifier: MIT */
#include "report/hist_arrange.h"

#include "base/parallel.h"
#include "report/hist_chains.h"
#include "report/hist_print.h"

struct arrangement {
	struct hist *h;
	struct chain_tree *tree;
};

static void count_part(void *ctx, size_t i)
{
	struct arrangement *a = ctx;

	if (!i) {
		hist_sort_found(a->h);
		return;
	}
	hist_count(a->h);
	hist_gather_chains(a->h);
}

static void order_part(void *ctx, size_t i)
{
	struct arrangement *a = ctx;

	if (i) {
		hist_prepare_chains(a->h, a->tree);
		return;
	}
	hist_sort(a->h);
	hist_set_widths(a->h);
}

void hist_arrange(struct hist *h, struct chain_tree *tree, unsigned int nr_threads)
{
	struct arrangement a = { h, tree };

	parallel_run(nr_threads, 2, count_part, &a);
	/* source lines are looked up by one thread at a time */
	if (h->chain && h->chain->key != CHAIN_KEY_FUNCTION)
		nr_threads = 1;
	parallel_run(nr_threads, 2, order_part, &a);
}
