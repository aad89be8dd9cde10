/* SPDX-License-Identifier: MIT */
#include "report/table/hist_view_order.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rank_order.h"
#include "report/order/order_tree.h"
#include "report/table/hist_columns.h"
#include "report/table/sort_key.h"

#define FIRST 1024 /* lines that are sorted at once, several screens of them */

/* The value that is number k (from 0) in rising order; k is below n. Eight passes at most. */
static u64 kth_lowest(const u64 *v, size_t n, size_t k)
{
	u64 found = 0, mask = 0;

	for (int shift = 56; shift >= 0; shift -= 8) {
		size_t counts[256] = { 0 };
		u64 digit = 0;

		for (size_t i = 0; i < n; i++)
			if ((v[i] & mask) == found)
				counts[v[i] >> shift & 255]++;
		while (k >= counts[digit])
			k -= counts[digit++];
		found |= digit << shift;
		mask |= 255ull << shift;
	}
	return found;
}

/*
 * Puts the entries with the lowest values into h->lines, those with equal values all or none, the
 * others behind them. Returns how many these are; 0: too many have the lowest value.
 */
static size_t part_lines(struct hist *h, const u64 *values)
{
	u64 last = kth_lowest(values, h->nr_lines, FIRST - 1);
	size_t below = 0, upto = 0, nr, at = 0, behind, i;

	for (i = 0; i < h->nr_lines; i++) {
		below += values[i] < last;
		upto += values[i] <= last;
	}
	nr = upto <= 2 * FIRST ? upto : below;
	behind = nr;
	for (i = 0; i < h->nr_lines; i++) {
		bool first = values[i] < last || (nr == upto && values[i] == last);

		h->lines[first ? at++ : behind++] = h->shown[i];
	}
	return nr;
}

/*
 * Sorts the first lines without the others. They come before all others, so in perf's tree, too,
 * their order is that of their own values, as far as it depends on nothing else. Returns how far.
 */
static size_t sort_first(struct hist *h, size_t nr)
{
	struct order_tree *order = hist_display_order_of(h, h->lines, nr);
	u32 *items = xcalloc(nr, sizeof(*items)), *entries = xcalloc(nr, sizeof(*entries));
	size_t sorted, i;

	for (i = 0; i < nr; i++)
		items[i] = (u32)i;
	sorted = order_tree_sort_surely(order, items, (u32)nr);
	for (i = 0; i < nr; i++)
		entries[i] = h->lines[items[i]];
	memcpy(h->lines, entries, nr * sizeof(*entries));
	free(items);
	free(entries);
	order_tree_free(order);
	return sorted;
}

void hist_settle_begin(struct hist_settling *s, struct hist *h)
{
	u64 *values = h->nr_lines > 2 * FIRST ? hist_first_decider(h) : NULL;

	*s = (struct hist_settling){ .h = h, .left = true };
	s->lines = xcalloc(h->nr_lines + 1, sizeof(*s->lines));
	memcpy(s->lines, h->lines, h->nr_lines * sizeof(*s->lines));
	if (values)
		s->nr_settled = part_lines(h, values);
	free(values);
	if (s->nr_settled)
		s->nr_settled = sort_first(h, s->nr_settled);
	if (s->nr_settled)
		return;
	while (hist_settle_go_on(s))
		;
}

/* Collects the values of one field; behind the last one sorting begins. */
static void make_order(struct hist_settling *s)
{
	if (!s->order) {
		s->order = order_tree_new((u32)s->h->nr_lines);
		s->field = 0;
	}
	if (hist_order_go_on(s->h, s->by_display, s->order, &s->field))
		return;
	s->again = !s->by_display && hist_sorts_twice(s->h, s->order);
	s->sorting = order_sorting_new(s->order, s->lines, (u32)s->h->nr_lines);
}

static void end_sorting(struct hist_settling *s)
{
	order_sorting_free(s->sorting);
	s->sorting = NULL;
	order_tree_free(s->order);
	s->order = NULL;
}

static void settle(struct hist_settling *s)
{
	struct hist *h = s->h;

	for (size_t i = 0; i < h->nr_lines; i++)
		h->lines[i] = h->shown[s->lines[i]];
	free(h->shown);
	h->shown = NULL;
	free(s->lines);
	s->lines = NULL;
	s->left = false;
}

bool hist_settle_go_on(struct hist_settling *s)
{
	if (!s->left)
		return false;
	if (!s->sorting) {
		make_order(s);
	} else if (order_sorting_go_on(s->sorting)) {
		return true;
	} else if (s->again) {
		s->again = false;
		order_sorting_free(s->sorting);
		s->sorting = order_sorting_new(s->order, s->lines, (u32)s->h->nr_lines);
	} else {
		end_sorting(s);
		if (s->by_display)
			settle(s);
		s->by_display = true;
	}
	return s->left;
}

void hist_settle_fini(struct hist_settling *s)
{
	if (s->order)
		end_sorting(s);
	free(s->lines);
	*s = (struct hist_settling){ 0 };
}

/* ---- by a column */

/* The ids of a key, each once. */
struct line_ids {
	const struct hist *h;
	const struct hist_field *field;
	u64 *ids; /* rising */
	size_t nr;
	u32 *order; /* ids in the order of the key, as indexes */
	u32 *ranks; /* by index in ids; ids without an order among them have one rank */
};

static int compare_ids(const void *a, const void *b, void *ctx)
{
	const struct line_ids *x = ctx;

	return sort_key_sort(x->h->d, hist_field_key(x->h->layout, x->field),
			     x->ids[*(const u32 *)a], x->ids[*(const u32 *)b]);
}

/* Ids of times and other figures are in the order of the key: they are compared once each. */
static bool are_in_order(const struct line_ids *x)
{
	for (size_t i = 1; i < x->nr; i++)
		if (compare_ids(&x->order[i - 1], &x->order[i], (void *)(uintptr_t)x) > 0)
			return false;
	return true;
}

static void rank_ids(struct line_ids *x)
{
	x->order = xcalloc(x->nr + 1, sizeof(*x->order));
	x->ranks = xcalloc(x->nr + 1, sizeof(*x->ranks));
	for (size_t i = 0; i < x->nr; i++)
		x->order[i] = (u32)i;
	if (!are_in_order(x))
		qsort_r(x->order, x->nr, sizeof(*x->order), compare_ids, x);
	for (size_t i = 1; i < x->nr; i++)
		x->ranks[x->order[i]] = x->ranks[x->order[i - 1]] +
					(compare_ids(&x->order[i - 1], &x->order[i], x) != 0);
}

/*
 * Returns the ranks that a key gives to the combinations of keys which it is a part of, in an array
 * by their numbers that the caller frees; *ret_nr: how many ranks there are. Entries share
 * combinations, and names are compared once for each name.
 */
static u32 *rank_combinations(const struct hist *h, const struct hist_field *f, size_t *ret_nr)
{
	const struct tuple_table *t = h->key_is_frame[f->key] ? &h->frame_ids : &h->row_ids;
	u32 *ranks = xcalloc(t->nr + 1, sizeof(*ranks));
	struct ranked *v = xmalloc((t->nr + 1) * sizeof(*v));
	struct line_ids x = { .h = h, .field = f };
	size_t at = 0, i;

	for (i = 0; i < t->nr; i++)
		v[i] = (struct ranked){ tuple_table_get(t, (u32)i)[h->key_slot[f->key]], (u32)i };
	rank_order(v, t->nr);
	x.ids = xmalloc((t->nr + 1) * sizeof(*x.ids));
	for (i = 0; i < t->nr; i++)
		if (!i || v[i].rank != v[i - 1].rank)
			x.ids[x.nr++] = v[i].rank;
	rank_ids(&x);
	for (i = 0; i < t->nr; i++) {
		at += i && v[i].rank != v[i - 1].rank;
		ranks[v[i].index] = x.ranks[at];
	}
	*ret_nr = x.nr ? x.ranks[x.order[x.nr - 1]] + 1u : 0;
	free(v);
	free(x.ids);
	free(x.order);
	free(x.ranks);
	return ranks;
}

/*
 * Returns ranks by entry, which the caller frees. Entries are read in the order in which they lie
 * in memory, which is several times as fast as in that of the lines.
 */
static u32 *rank_entries(const struct hist *h, const struct hist_field *f, size_t *ret_nr)
{
	u32 *combinations = rank_combinations(h, f, ret_nr);
	u32 *ranks = xmalloc((h->nr + 1) * sizeof(*ranks));
	const bool of_frame = h->key_is_frame[f->key];

	for (size_t i = 0; i < h->nr; i++) {
		const struct hist_entry *e = &h->entries[i];

		ranks[i] = combinations[of_frame ? e->frame_ids : e->row_ids];
	}
	free(combinations);
	return ranks;
}

/* There are few ranks, so each line can be put where it belongs. */
static void sort_lines_by_key(struct hist *h, const struct hist_field *f, bool descending)
{
	size_t nr, i;
	u32 *ranks = rank_entries(h, f, &nr);
	u32 *sorted = xmalloc((h->nr_lines + 1) * sizeof(*sorted));
	u32 *places = xcalloc(nr + 1, sizeof(*places)), sum = 0; /* by rank */

	for (i = 0; i < h->nr_lines; i++)
		places[ranks[h->lines[i]]]++;
	for (i = 0; i < nr; i++) {
		u32 *place = &places[descending ? nr - 1 - i : i], n = *place;

		*place = sum;
		sum += n;
	}
	for (i = 0; i < h->nr_lines; i++)
		sorted[places[ranks[h->lines[i]]]++] = h->lines[i];
	memcpy(h->lines, sorted, h->nr_lines * sizeof(*sorted));
	free(places);
	free(sorted);
	free(ranks);
}

void hist_lines_sort(struct hist *h, const struct hist_field *f, size_t event, bool descending)
{
	size_t nr = h->nr_lines, i;
	struct ranked *lines;

	if (f->is_key) {
		sort_lines_by_key(h, f, descending);
		return;
	}
	lines = xcalloc(nr + 1, sizeof(*lines));
	for (i = 0; i < nr; i++) {
		u32 e = h->lines[i];
		u64 value = hist_number_value(hist_stat_of(h, e, event), f->number);

		lines[i] = (struct ranked){ .rank = descending ? ~value : value, .index = e };
	}
	rank_order(lines, nr);
	for (i = 0; i < nr; i++)
		h->lines[i] = lines[i].index;
	free(lines);
}
