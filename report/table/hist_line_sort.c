/* SPDX-License-Identifier: MIT */
#include "report/table/hist_line_sort.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rank_order.h"
#include "report/table/hist_columns.h"
#include "report/table/sort_key.h"

/* The ids of a key that lines have, each once. */
struct line_ids {
	const struct hist *h;
	const struct hist_field *field;
	u64 *ids;
	size_t nr, cap;
	u32 *order; /* ids in their order, as indexes */
	u64 *ranks; /* by index in ids; ids without an order among them have one rank */
	struct idmap indexes;
};

static int compare_ids(const void *a, const void *b, void *ctx)
{
	const struct line_ids *x = ctx;

	return sort_key_sort(x->h->d, hist_field_key(x->h->layout, x->field),
			     x->ids[*(const u32 *)a], x->ids[*(const u32 *)b]);
}

static void rank_ids(struct line_ids *x)
{
	x->order = xcalloc(x->nr + 1, sizeof(*x->order));
	x->ranks = xcalloc(x->nr + 1, sizeof(*x->ranks));
	for (size_t i = 0; i < x->nr; i++)
		x->order[i] = (u32)i;
	qsort_r(x->order, x->nr, sizeof(*x->order), compare_ids, x);
	for (size_t i = 1; i < x->nr; i++)
		x->ranks[x->order[i]] = x->ranks[x->order[i - 1]] +
					(compare_ids(&x->order[i - 1], &x->order[i], x) != 0);
}

/*
 * Names are compared once for each name, not for each line. Entries are read in the order in which
 * they lie in memory, which is several times as fast as in that of the lines.
 */
static void rank_by_key(const struct hist *h, const struct hist_field *f, u64 *ranks)
{
	struct line_ids x = { .h = h, .field = f };
	u32 at = IDMAP_NONE, i;
	u64 last = 0;

	for (i = 0; i < h->nr; i++) {
		u64 id;

		if (h->entries[i].filtered)
			continue;
		id = hist_key_id(h, &h->entries[i], f->key);
		if (at == IDMAP_NONE || id != last)
			at = idmap_get(&x.indexes, id, 0);
		last = id;
		if (at == IDMAP_NONE) {
			at = (u32)x.nr;
			idmap_put(&x.indexes, id, 0, at);
			vec_push(x.ids, x.nr, x.cap, id);
		}
		ranks[i] = at;
	}
	rank_ids(&x);
	for (i = 0; i < h->nr; i++)
		ranks[i] = h->entries[i].filtered ? 0 : x.ranks[ranks[i]];
	free(x.ids);
	free(x.order);
	free(x.ranks);
	idmap_fini(&x.indexes);
}

void hist_lines_sort(struct hist *h, const struct hist_field *f, size_t event, bool descending)
{
	size_t nr = h->nr_lines, i;
	struct ranked *lines = xcalloc(nr + 1, sizeof(*lines));
	u64 *ranks = xmalloc((h->nr + 1) * sizeof(*ranks)); /* by entry */

	if (f->is_key)
		rank_by_key(h, f, ranks);
	else
		for (u32 e = 0; e < h->nr; e++)
			ranks[e] = hist_number_value(hist_stat_of(h, e, event), f->number);
	for (i = 0; i < nr; i++) {
		u32 e = h->lines[i];

		lines[i] = (struct ranked){ .rank = descending ? ~ranks[e] : ranks[e], .index = e };
	}
	rank_order(lines, nr);
	for (i = 0; i < nr; i++)
		h->lines[i] = lines[i].index;
	free(lines);
	free(ranks);
}
