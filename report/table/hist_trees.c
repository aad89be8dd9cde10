/* SPDX-License-Identifier: MIT */
#include "report/table/hist_trees.h"

#include "base/mem.h"
#include "profile/chain_tree_priv.h"
#include "report/table/hist_uses.h"

static bool is_wanted(void *arg, const struct chain_node *n, const struct chain_node *parent)
{
	const struct hist_trees *t = arg;
	const struct chain_option *chain = t->h->chain;
	u64 total = chain->mode == CHAIN_FRACTAL ? parent->below : t->limit_total;

	return chain_node_total(n) >= chain_least(t->shown.least, total);
}

/* Adds frame nth of a node that is a part of `of`; share: it is not all of it. */
static void add_row(struct hist_trees *t, u32 node, u32 nth, u64 of, bool share)
{
	const struct chain_node *n = chain_tree_node(t->tree, node);
	struct hist_tree_row r = { .node = node,
				   .nth = nth,
				   .frame = chain_tree_frame_id(t->tree, n, nth),
				   .period = chain_node_total(n),
				   .samples = n->samples + n->samples_below,
				   .of = of,
				   .share = share };

	vec_push(t->rows, t->nr_rows, t->cap_rows, r);
}

/* Adds the children of a node; returns how many there are. */
static u32 add_children(struct hist_trees *t, const struct chain_children *c, u32 node, u64 of)
{
	u32 start = c->start[node], nr = c->start[node + 1] - start;

	chain_tree_sort(t->tree, c->ids + start, nr, true);
	for (u32 i = 0; i < nr; i++) {
		u32 child = c->ids[start + i];

		add_row(t, child, 0, of,
			nr > 1 || chain_node_total(chain_tree_node(t->tree, child)) != of);
	}
	return nr;
}

/* Makes the rows of an entry's call tree level by level, so that children of a row are adjacent. */
static void make_tree(struct hist_trees *t, u32 entry, struct hist_tree_top *top)
{
	const struct hist_stat *s = hist_stat_of(t->h, entry, 0);
	const struct chain_children *c;
	size_t at = t->nr_rows;

	top->made = true;
	hist_gather_more(t->h, t->shown.least, &entry, 1);
	if (!t->h->entries[entry].nr_uses)
		return;
	hist_fill_tree(t->h, entry, t->tree);
	c = chain_tree_index(t->tree, is_wanted, t);
	top->first = (u32)at;
	top->nr = add_children(t, c, CHAIN_ROOT, t->h->children ? s->acc_period : s->period);
	for (; at < t->nr_rows; at++) {
		u32 node = t->rows[at].node, next = t->rows[at].nth + 1, nr = 1;
		const struct chain_node *n = chain_tree_node(t->tree, node);

		t->rows[at].first = (u32)t->nr_rows;
		if (next < n->nr)
			add_row(t, node, next, t->rows[at].of, false);
		else
			nr = add_children(t, c, node, n->below);
		t->rows[at].nr = nr;
	}
}

static struct hist_tree_top *top_of(struct hist_trees *t, u32 entry)
{
	struct hist_tree_top **block = &t->shown.tops[entry / HIST_TREE_TOPS];

	if (!*block)
		*block = xcalloc(HIST_TREE_TOPS, sizeof(**block));
	return &(*block)[entry % HIST_TREE_TOPS];
}

u32 hist_trees_of_entry(struct hist_trees *t, u32 entry, size_t *ret_nr)
{
	struct hist_tree_top *top;

	*ret_nr = 0;
	if (!t->nr_sets)
		return 0;
	top = top_of(t, entry);
	if (!top->made)
		make_tree(t, entry, top);
	*ret_nr = top->nr;
	return top->first;
}

bool hist_trees_has_rows(struct hist_trees *t, u32 entry)
{
	struct hist_tree_top *top;
	size_t nr;

	if (!t->nr_sets)
		return false;
	top = top_of(t, entry);
	/* the least percentage may be a share of all branches of the entry */
	if (top->made || t->h->chain->mode == CHAIN_FRACTAL) {
		(void)hist_trees_of_entry(t, entry, &nr);
		return nr;
	}
	if (!top->looked) {
		u64 least = chain_least(t->shown.least, t->limit_total);

		hist_gather_more(t->h, t->shown.least, &entry, 1);

		top->some = hist_branch_reaches(t->h, entry, least, t->tree);
		top->looked = true;
	}
	return top->some;
}

void hist_trees_expect(struct hist_trees *t, const u32 *entries, size_t nr)
{
	if (t->nr_sets)
		hist_gather_more(t->h, t->shown.least, entries, nr);
}

void hist_trees_init(struct hist_trees *t, struct hist *h, struct chain_tree *tree)
{
	*t = (struct hist_trees){ .h = h, .tree = tree, .limit_total = h->totals[0].period };
	if (tree)
		hist_trees_limit(t, h->chain->min_percent);
}

static size_t nr_blocks(const struct hist_trees *t)
{
	return t->h->nr / HIST_TREE_TOPS + 1;
}

void hist_trees_limit(struct hist_trees *t, double percent)
{
	size_t i = 0;

	if (!t->tree)
		return;
	while (i < t->nr_sets && (t->sets[i].least < percent || t->sets[i].least > percent))
		i++;
	if (i == t->nr_sets) {
		struct hist_tree_set set = { .least = percent };

		set.tops = xcalloc(nr_blocks(t), sizeof(*set.tops));
		vec_push(t->sets, t->nr_sets, t->cap_sets, set);
	}
	t->shown = t->sets[i];
}

void hist_trees_fini(struct hist_trees *t)
{
	for (size_t i = 0; i < t->nr_sets; i++) {
		for (size_t k = 0; k < nr_blocks(t); k++)
			free(t->sets[i].tops[k]);
		free(t->sets[i].tops);
	}
	free(t->sets);
	free(t->rows);
}
