/* SPDX-License-Identifier: MIT */
#include "fold/fold_chart.h"

#include <stdlib.h>

#include "base/hash.h"

void fold_chart_fini(struct fold_chart *c)
{
	free(c->rows);
}

static int compare_times(const void *a, const void *b)
{
	const struct fold_chart_row *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int compare_roots(const void *a, const void *b)
{
	const struct fold_chart_row *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return compare_times(a, b);
}

/* Numbers the roots by their first rows, which are in order of time. */
static void rank_roots(struct fold_chart *c)
{
	struct idmap ranks = { 0 };
	u32 nr = 0;

	for (size_t i = 0; i < c->nr; i++) {
		u32 rank = idmap_get(&ranks, c->rows[i].root, 0);

		if (rank == IDMAP_NONE) {
			rank = nr++;
			idmap_put(&ranks, c->rows[i].root, 0, rank);
		}
		c->rows[i].root = rank;
	}
	idmap_fini(&ranks);
}

void fold_chart_draw(struct fold_chart *c, struct fold_tree *t, struct flame *ret)
{
	struct folded_stretch *stretches = xcalloc(c->nr + 1, sizeof(*stretches));

	if (c->nr) {
		qsort(c->rows, c->nr, sizeof(*c->rows), compare_times);
		rank_roots(c);
		qsort(c->rows, c->nr, sizeof(*c->rows), compare_roots);
	}
	for (size_t i = 0; i < c->nr; i++)
		stretches[i] = (struct folded_stretch){ c->rows[i].node, c->rows[i].weight };
	flame_of_stretches(t, stretches, c->nr, ret);
	free(stretches);
}
