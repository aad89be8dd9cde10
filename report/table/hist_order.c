/* SPDX-License-Identifier: MIT */
/* The order of a histogram's lines. */
#include "base/mem.h"
#include "base/rank_order.h"
#include "report/table/hist.h"
#include "report/table/key_text.h"
#include "report/order/order_tree.h"

u64 hist_number_value(const struct hist_stat *s, enum hist_number n)
{
	switch (n) {
	case HIST_OVERHEAD:
	case HIST_PERIOD: return s->period;
	case HIST_LATENCY: return s->latency;
	case HIST_LATENCY_CHILDREN: return s->acc_latency;
	case HIST_SYS: return s->sys;
	case HIST_US: return s->us;
	case HIST_GUEST_SYS: return s->guest_sys;
	case HIST_GUEST_US: return s->guest_us;
	case HIST_CHILDREN: return s->acc_period;
	case HIST_SAMPLES: return s->samples;
	case HIST_WEIGHT1:
	case HIST_WEIGHT2:
	case HIST_WEIGHT3: return (u64)s->weights[n - HIST_WEIGHT1];
	case HIST_NR_NUMBERS: break;
	}
	return 0;
}

/*
 * Fills ret with the events of a group, the one that decides first at the start, and returns their
 * number. With --group-sort-idx the leader is left out, as in perf.
 */
static size_t deciding_events(const struct hist *h, enum hist_number n, size_t *ret)
{
	s64 first = h->d->cfg->group_sort_idx;
	size_t nr = 0, ev;

	if (first > 0 && (u64)first < h->nr_events) {
		ret[nr++] = (size_t)first;
		for (ev = 1; ev < h->nr_events; ev++)
			if (ev != (size_t)first)
				ret[nr++] = ev;
		return nr;
	}
	for (ev = 0; ev < (hist_numbers[n].needs_children ? 1 : h->nr_events); ev++)
		ret[nr++] = ev;
	return nr;
}

int hist_compare_stats(const struct hist *h, const void *a, const void *b, enum hist_number n)
{
	size_t *events = xcalloc(h->nr_events, sizeof(*events));
	size_t nr = deciding_events(h, n, events), i;
	int cmp = 0;

	for (i = 0; i < nr && !cmp; i++) {
		u64 x = hist_number_value(hist_stat_at(h, a, events[i]), n);
		u64 y = hist_number_value(hist_stat_at(h, b, events[i]), n);

		cmp = x > y ? -1 : x < y;
	}
	free(events);
	return cmp;
}

/* ---- Values of entries for order_tree: names are compared once, not for each pair of entries. */

/* Collects the criteria of the order, the most important first. */
struct deciders {
	const struct hist *h;
	const u32 *entries;
	u32 nr;
	struct order_tree *order;
};

static u64 *new_column(const struct deciders *c)
{
	return xmalloc(((size_t)c->nr + 1) * sizeof(u64));
}

/* A figure of an event by entry; the highest value comes first. */
static u64 *figures_of(const struct deciders *c, size_t event, enum hist_number n)
{
	u64 *v = new_column(c);

	for (u32 i = 0; i < c->nr; i++)
		v[i] = ~hist_number_value(hist_stat_of(c->h, c->entries[i], event), n);
	return v;
}

/* Adds the depth of chains as a criterion: within a thread callers come before callees. */
static void add_depths(struct deciders *c)
{
	bool from_root = c->h->order == CHAIN_CALLER;
	u64 *v = new_column(c);

	for (u32 i = 0; i < c->nr; i++) {
		u64 tid = count_value(c->h->entries[c->entries[i]].place.row, COUNT_TID);
		u32 depth = c->h->counts[c->entries[i]].depth;

		v[i] = tid << 32 | (from_root ? ~depth : depth);
	}
	order_tree_add(c->order, ORDER_TASK, v);
}

static void add_numbers(struct deciders *c, enum hist_number n)
{
	size_t *events = xcalloc(c->h->nr_events, sizeof(*events));
	size_t nr_events = deciding_events(c->h, n, events);

	for (size_t i = 0; i < nr_events; i++)
		order_tree_add(c->order, ORDER_WORD, figures_of(c, events[i], n));
	if (hist_numbers[n].needs_children && c->h->chain)
		add_depths(c);
	free(events);
}

/* The figures of the event that decides first. */
static u64 *first_figures(const struct deciders *c, enum hist_number n)
{
	size_t *events = xcalloc(c->h->nr_events, sizeof(*events));
	u64 *v;

	(void)deciding_events(c->h, n, events);
	v = figures_of(c, events[0], n);
	free(events);
	return v;
}

struct id_order {
	const struct hist *h;
	const struct key_inst *k; /* NULL: ids are texts */
	const u64 *ids;
	bool display;
};

static int compare_ids(const struct id_order *o, u64 a, u64 b)
{
	if (a == b)
		return 0;
	if (!o->k)
		return !a || !b ? (a ? -1 : 1)
				: strcmp(hist_text(o->h->d, a), hist_text(o->h->d, b));
	return o->display ? sort_key_sort(o->h->d, o->k, a, b)
			  : sort_key_order(o->h->d, o->k, a, b);
}

static int by_id_order(const void *a, const void *b, void *ctx)
{
	const struct id_order *o = ctx;

	return compare_ids(o, o->ids[*(const u32 *)a], o->ids[*(const u32 *)b]);
}

/* Replaces the ids in v by indexes in the array of distinct ids that it returns. */
static u64 *number_ids(u64 *v, u32 nr, u32 *ret_nr)
{
	struct idmap map = { 0 };
	u64 *ids = NULL, most = 0;
	size_t nr_ids = 0, cap = 0;
	u32 *known = NULL, at, i;

	for (i = 0; i < nr; i++)
		most = v[i] > most ? v[i] : most;
	/* ids of texts and symbols are dense */
	if (most < (u64)nr * 2 + 1024)
		known = xcalloc(most + 1, sizeof(*known));
	for (i = 0; i < nr; i++) {
		at = known ? known[v[i]] - 1 : idmap_get(&map, v[i], 0);
		if (at == IDMAP_NONE) {
			at = (u32)nr_ids;
			if (known)
				known[v[i]] = at + 1;
			else
				idmap_put(&map, v[i], 0, at);
			vec_push(ids, nr_ids, cap, v[i]);
		}
		v[i] = at;
	}
	free(known);
	idmap_fini(&map);
	*ret_nr = (u32)nr_ids;
	return ids;
}

#define AS_BEFORE UINT32_MAX /* in ranks: the same as the rank of the id before */

#define SOME 16 /* ids whose order tells that all ids are not in the order of the key */

/*
 * Sorts indexes of ids by the ids. Returns false if that is not the order of the key, as it is of
 * times and other figures.
 */
static bool sort_as_numbers(const struct id_order *o, u32 *sorted, u32 nr)
{
	struct ranked *v;
	bool same = true;
	u32 i;

	for (i = 1; i < nr && i < SOME; i++) {
		u64 a = o->ids[sorted[i - 1]], b = o->ids[sorted[i]];

		if (a < b ? compare_ids(o, a, b) > 0 : compare_ids(o, b, a) > 0)
			return false;
	}
	v = xmalloc(((size_t)nr + 1) * sizeof(*v));
	for (i = 0; i < nr; i++)
		v[i] = (struct ranked){ .rank = o->ids[sorted[i]], .index = sorted[i] };
	rank_order(v, nr);
	for (i = 1; i < nr && same; i++)
		same = compare_ids(o, v[i - 1].rank, v[i].rank) <= 0;
	for (i = 0; i < nr && same; i++)
		sorted[i] = v[i].index;
	free(v);
	return same;
}

/*
 * Replaces the ids in v by their ranks. Of neighbours that compare equal only the first is sorted,
 * because for some keys all addresses without a symbol are equal.
 */
static void rank_ids(const struct hist *h, const struct key_inst *k, bool display, u64 *v, u32 nr)
{
	struct id_order order = { .h = h, .k = k, .display = display };
	u32 nr_ids, nr_sorted = 0, *sorted, *ranks, rank = 0, i;
	u64 *ids = number_ids(v, nr, &nr_ids);

	order.ids = ids;
	sorted = xcalloc((size_t)nr_ids + 1, sizeof(*sorted));
	ranks = xcalloc((size_t)nr_ids + 1, sizeof(*ranks));
	for (i = 0; i < nr_ids; i++) {
		if (i && !compare_ids(&order, ids[i - 1], ids[i]))
			ranks[i] = AS_BEFORE;
		else
			sorted[nr_sorted++] = i;
	}
	if (!sort_as_numbers(&order, sorted, nr_sorted))
		qsort_r(sorted, nr_sorted, sizeof(*sorted), by_id_order, &order);
	for (i = 0; i < nr_sorted; i++) {
		rank += i && compare_ids(&order, ids[sorted[i - 1]], ids[sorted[i]]);
		ranks[sorted[i]] = rank;
	}
	for (i = 1; i < nr_ids; i++)
		if (ranks[i] == AS_BEFORE)
			ranks[i] = ranks[i - 1];
	for (i = 0; i < nr; i++)
		v[i] = ranks[v[i]];
	free(ranks);
	free(sorted);
	free(ids);
}

/* Adds symbols as three criteria that together compare as key_symbol_order() does. */
static void add_symbols(struct deciders *c, const u64 *ids)
{
	u64 *marked = new_column(c), *start = new_column(c), *end = new_column(c);
	u32 i;

	for (i = 0; i < c->nr; i++) {
		const struct hist_symbol *sym = hist_symbol(c->h->d, (u32)ids[i]);

		marked[i] = sym->dso;
		start[i] = sym->start;
		end[i] = sym->name ? sym->end : 0;
	}
	rank_ids(c->h, NULL, false, marked, c->nr);
	for (i = 0; i < c->nr; i++)
		marked[i] = marked[i] << 1 | !hist_symbol(c->h->d, (u32)ids[i])->name;
	order_tree_add(c->order, ORDER_MARKED, marked);
	order_tree_add(c->order, ORDER_ADDR, start);
	order_tree_add(c->order, ORDER_ADDR, end);
}

static void add_key(struct deciders *c, size_t key, bool display)
{
	const struct key_inst *k = &c->h->layout->keys[key];
	u64 *v = new_column(c);

	for (u32 i = 0; i < c->nr; i++)
		v[i] = hist_key_id(c->h, &c->h->entries[c->entries[i]], key);
	if (k->key->order == key_symbol_order && !(display && k->key->sort)) {
		add_symbols(c, v);
		free(v);
	} else if (k->key->flags & KEY_ADDR) {
		order_tree_add(c->order, ORDER_ADDR, v);
	} else if (k->key->flags & KEY_UNORDERED) {
		order_tree_add(c->order, display ? ORDER_LATEST : ORDER_OLDEST, v);
	} else {
		rank_ids(c->h, k, display, v, c->nr);
		order_tree_add(c->order, ORDER_WORD, v);
	}
}

/* Whether a figure decides the order of display. */
static bool decides(const struct hist *h, const struct hist_field *f)
{
	return !f->is_key && (!hist_numbers[f->number].needs_children || h->children);
}

/* Adds a field of the layout to the criteria of an order. */
static void add_field(struct deciders *c, const struct hist_field *field, bool display)
{
	if (field->is_key) {
		if (!display || !field->elided)
			add_key(c, field->key, display);
	} else if (display && decides(c->h, field)) {
		add_numbers(c, field->number);
	}
}

bool hist_order_go_on(const struct hist *h, bool display, struct order_tree *order, size_t *field)
{
	struct deciders c = { .h = h, .entries = h->shown, .nr = (u32)h->nr_lines, .order = order };

	if (*field == h->layout->nr_sort)
		return false;
	add_field(&c, &h->layout->sort[(*field)++], display);
	return true;
}

/* Returns the criteria for display, or those of perf while it reads the file. */
static struct order_tree *order_of(const struct hist *h, bool display, const u32 *entries,
				   size_t nr)
{
	struct deciders c = { .h = h, .entries = entries, .nr = (u32)nr };

	c.order = order_tree_new(c.nr);
	for (size_t f = 0; f < h->layout->nr_sort; f++)
		add_field(&c, &h->layout->sort[f], display);
	return c.order;
}

void hist_pick_shown(struct hist *h)
{
	u32 nr = 0, i;

	h->shown = xcalloc(h->nr + 1, sizeof(*h->shown));
	h->lines = xcalloc(h->nr + 1, sizeof(*h->lines));
	for (i = 0; i < h->nr; i++)
		if (!h->entries[i].filtered) {
			h->lines[nr] = nr;
			h->shown[nr++] = i;
		}
	h->nr_lines = nr;
}

bool hist_sorts_twice(const struct hist *h, const struct order_tree *found)
{
	return h->layout->flags & KEY_TWICE && !order_tree_is_plain(found);
}

void hist_sort_found(struct hist *h)
{
	struct order_tree *order = order_of(h, false, h->shown, h->nr_lines);

	order_tree_sort(order, h->lines, (u32)h->nr_lines);
	if (hist_sorts_twice(h, order))
		order_tree_sort(order, h->lines, (u32)h->nr_lines);
	order_tree_free(order);
}

struct order_tree *hist_display_order(const struct hist *h)
{
	return order_of(h, true, h->shown, h->nr_lines);
}

struct order_tree *hist_display_order_of(const struct hist *h, const u32 *entries, size_t nr)
{
	return order_of(h, true, entries, nr);
}

u64 *hist_first_decider(const struct hist *h)
{
	const struct hist_layout *l = h->layout;
	struct deciders c = { .h = h, .entries = h->shown, .nr = (u32)h->nr_lines };

	for (size_t f = 0; f < l->nr_sort; f++) {
		if (decides(h, &l->sort[f]))
			return first_figures(&c, l->sort[f].number);
		if (l->sort[f].is_key && !l->sort[f].elided)
			break;
	}
	return NULL;
}

bool hist_sorts_by_share(const struct hist *h)
{
	const struct hist_layout *l = h->layout;
	enum hist_number share = h->children ? HIST_CHILDREN : HIST_OVERHEAD;
	size_t f = 0, *events, first;

	while (f < l->nr_sort && !decides(h, &l->sort[f]) &&
	       !(l->sort[f].is_key && !l->sort[f].elided))
		f++;
	if (f == l->nr_sort || l->sort[f].is_key || l->sort[f].number != share)
		return false;
	events = xcalloc(h->nr_events, sizeof(*events));
	(void)deciding_events(h, share, events);
	first = events[0];
	free(events);
	return !first;
}

void hist_sort(struct hist *h, struct order_tree *display)
{
	u32 i;

	order_tree_sort(display, h->lines, (u32)h->nr_lines);
	order_tree_free(display);
	for (i = 0; i < h->nr_lines; i++)
		h->lines[i] = h->shown[h->lines[i]];
	free(h->shown);
	h->shown = NULL;
}
