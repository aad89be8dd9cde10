/* SPDX-License-Identifier: MIT */
#include "fold/fold_shares.h"

#include "base/mem.h"

/* Rows of a root that stay together: from the first-th of its rows on. */
struct chunk {
	u32 root, share;
	size_t first, nr;
};

struct divider {
	size_t *nr_of_root; /* rows */
	size_t *chunk_of;   /* by root: the chunk of its next row */
	size_t *seen;       /* by root: rows that are in shares */
	struct chunk *chunks;
	size_t nr, cap;
};

static void cut_roots(struct divider *d, size_t nr_roots, size_t most)
{
	for (size_t root = 0; root < nr_roots; root++) {
		d->chunk_of[root] = d->nr;
		for (size_t first = 0; first < d->nr_of_root[root]; first += most) {
			size_t left = d->nr_of_root[root] - first;

			vec_push(d->chunks, d->nr, d->cap,
				 ((struct chunk){ .root = (u32)root,
						  .first = first,
						  .nr = left < most ? left : most }));
		}
	}
}

static int larger_first(const void *pa, const void *pb)
{
	const struct chunk *a = *(const struct chunk *const *)pa;
	const struct chunk *b = *(const struct chunk *const *)pb;

	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The largest chunks first, each to the share that has least. */
static void give_chunks(struct divider *d, size_t nr_shares)
{
	struct chunk **order = xmalloc((d->nr + 1) * sizeof(*order));
	size_t *rows = xcalloc(nr_shares, sizeof(*rows));

	for (size_t i = 0; i < d->nr; i++)
		order[i] = &d->chunks[i];
	if (d->nr)
		qsort(order, d->nr, sizeof(*order), larger_first);
	for (size_t i = 0; i < d->nr; i++) {
		u32 least = 0;

		for (u32 k = 1; k < nr_shares; k++)
			least = rows[k] < rows[least] ? k : least;
		order[i]->share = least;
		rows[least] += order[i]->nr;
	}
	free(rows);
	free(order);
}

static u32 share_of(struct divider *d, u32 root)
{
	struct chunk *c = &d->chunks[d->chunk_of[root]];

	if (++d->seen[root] == c->first + c->nr)
		d->chunk_of[root]++;
	return c->share;
}

struct fold_share *fold_shares_make(const u32 *roots, size_t nr_roots, size_t nr_rows, size_t nr)
{
	struct fold_share *shares = xcalloc(nr, sizeof(*shares));
	struct divider d = { 0 };

	if (roots) {
		d.nr_of_root = xcalloc(nr_roots, sizeof(*d.nr_of_root));
		d.chunk_of = xcalloc(nr_roots, sizeof(*d.chunk_of));
		d.seen = xcalloc(nr_roots, sizeof(*d.seen));
		for (size_t row = 0; row < nr_rows; row++)
			d.nr_of_root[roots[row]]++;
		cut_roots(&d, nr_roots, nr_rows / nr + 1);
		give_chunks(&d, nr);
	}
	for (size_t i = 0; i < nr; i++)
		vec_reserve(shares[i].rows, shares[i].cap, nr_rows / nr + 1);
	for (size_t row = 0; row < nr_rows; row++) {
		struct fold_share *s =
			&shares[roots ? share_of(&d, roots[row]) : row * nr / nr_rows];

		vec_push(s->rows, s->nr, s->cap, (u32)row);
	}
	free(d.nr_of_root);
	free(d.chunk_of);
	free(d.seen);
	free(d.chunks);
	return shares;
}
