/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_arrange.h"

#include <pthread.h>

#include "base/parallel.h"
#include "report/prep/hist_chains.h"
#include "report/prep/hist_lines.h"
#include "report/prep/hist_print.h"
#include "report/table/hist_uses.h"

/*
 * Two chains of steps: entries are counted and their chains made into text, and they are put in
 * order. The second one needs what the first one has counted half-way, and makes lines when it is
 * done earlier.
 */
struct arrangement {
	struct hist_text *t;
	struct order_tree *display;
	bool one_by_one;  /* chains are made when all else is done */
	atomic_bool done; /* the first chain of steps */
	pthread_mutex_t lock;
	pthread_cond_t went_on;
	enum { BEGUN, COUNTED, GATHERED } step; /* of the first chain; under lock */
};

static void reach(struct arrangement *a, unsigned int step)
{
	pthread_mutex_lock(&a->lock);
	a->step = step;
	pthread_cond_signal(&a->went_on);
	pthread_mutex_unlock(&a->lock);
}

static void wait_for(struct arrangement *a, unsigned int step)
{
	pthread_mutex_lock(&a->lock);
	while (a->step < step)
		pthread_cond_wait(&a->went_on, &a->lock);
	pthread_mutex_unlock(&a->lock);
}

static void count_part(struct arrangement *a)
{
	hist_count(a->t->h);
	a->display = hist_display_order(a->t->h);
	reach(a, COUNTED);
	hist_gather_uses(a->t->h);
	reach(a, GATHERED);
	if (!a->one_by_one)
		hist_prepare_chains(a->t);
	atomic_store(&a->done, true);
}

static void order_part(struct arrangement *a)
{
	hist_sort_found(a->t->h);
	wait_for(a, COUNTED);
	hist_sort(a->t->h, a->display);
	hist_set_widths(a->t);
	wait_for(a, GATHERED);
	hist_make_lines_ahead(a->t, &a->done);
}

/* The first part is begun first: with one thread it is done before the other waits for it. */
static void run_part(void *ctx, size_t i)
{
	if (i)
		order_part(ctx);
	else
		count_part(ctx);
}

void hist_arrange(struct hist_text *t, unsigned int nr_threads)
{
	struct hist *h = t->h;
	struct arrangement a = { .t = t };

	pthread_mutex_init(&a.lock, NULL);
	pthread_cond_init(&a.went_on, NULL);
	/* source lines are looked up by one thread at a time */
	a.one_by_one = h->chain && h->chain->key != CHAIN_KEY_FUNCTION;
	hist_pick_shown(h);
	parallel_run(nr_threads, 2, run_part, &a);
	if (a.one_by_one)
		hist_prepare_chains(t);
	pthread_cond_destroy(&a.went_on);
	pthread_mutex_destroy(&a.lock);
}
