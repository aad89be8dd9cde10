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

/* Part 0 counts; part 1 sorts by keys, which needs no figures, so both may run at once. */
static void count_or_sort_by_keys(void *ctx, size_t part)
{
	struct arrangement *a = ctx;
	struct hist *h = a->t->h;

	if (part) {
		hist_sort_found(h);
		return;
	}
	hist_count(h);
	a->display = hist_display_order(h);
	hist_gather_uses(h);
}

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
	hist_pick_shown(h);
	parallel_run(nr_threads, 2, count_or_sort_by_keys, &a);
	parallel_run(nr_threads, 2, prepare_chains_or_sort, &a);
	if (a.chains_wait)
		hist_prepare_chains(t);
}
