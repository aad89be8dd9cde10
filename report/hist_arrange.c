/* SPDX-License-Identifier: MIT */
#include "report/hist_arrange.h"

#include <pthread.h>

#include "base/parallel.h"
#include "report/hist_chains.h"
#include "report/hist_print.h"

/*
 * Two chains of steps: entries are counted and their chains made into text, and they are put in
 * order. The second one needs what the first one has counted half-way.
 */
struct arrangement {
	struct hist *h;
	struct chain_tree *tree;
	bool one_by_one; /* once all is counted */
	pthread_mutex_t lock;
	pthread_cond_t counted;
	struct order_tree *display; /* under lock; NULL: not yet counted */
};

static void make_chains(struct arrangement *a)
{
	hist_gather_chains(a->h);
	hist_prepare_chains(a->h, a->tree);
}

static void count_part(struct arrangement *a)
{
	struct order_tree *display;

	hist_count(a->h);
	display = hist_display_order(a->h);
	pthread_mutex_lock(&a->lock);
	a->display = display;
	pthread_cond_signal(&a->counted);
	pthread_mutex_unlock(&a->lock);
	if (!a->one_by_one)
		make_chains(a);
}

static void order_part(struct arrangement *a)
{
	hist_sort_found(a->h);
	pthread_mutex_lock(&a->lock);
	while (!a->display)
		pthread_cond_wait(&a->counted, &a->lock);
	pthread_mutex_unlock(&a->lock);
	hist_sort(a->h, a->display);
	hist_set_widths(a->h);
}

/* The first part is begun first: with one thread it is done before the other waits for it. */
static void run_part(void *ctx, size_t i)
{
	if (i)
		order_part(ctx);
	else
		count_part(ctx);
}

void hist_arrange(struct hist *h, struct chain_tree *tree, unsigned int nr_threads)
{
	struct arrangement a = { .h = h, .tree = tree };

	pthread_mutex_init(&a.lock, NULL);
	pthread_cond_init(&a.counted, NULL);
	/* source lines are looked up by one thread at a time */
	a.one_by_one = h->chain && h->chain->key != CHAIN_KEY_FUNCTION;
	hist_pick_shown(h);
	parallel_run(nr_threads, 2, run_part, &a);
	if (a.one_by_one)
		make_chains(&a);
	pthread_cond_destroy(&a.counted);
	pthread_mutex_destroy(&a.lock);
}
