/* SPDX-License-Identifier: MIT */
#include "picture/flame_tree.h"

_Static_assert(FOLD_SIDES == FLAME_SIDES, "a line's counts are a node's weights");

struct ranked {
	const char *text;
	u32 name;
};

static int by_text(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	int cmp = strcmp(a->text, b->text);

	return cmp ? cmp : a->name < b->name ? -1 : 1;
}

/* By name: its place in the order of the texts. */
static u32 *rank_names(const struct flame *f)
{
	struct ranked *list = xmalloc(f->nr_names * sizeof(*list));
	u32 *ranks = xmalloc(f->nr_names * sizeof(*ranks));
	size_t i;

	for (i = 0; i < f->nr_names; i++)
		list[i] = (struct ranked){ f->names[i].text, (u32)i };
	qsort(list, f->nr_names, sizeof(*list), by_text);
	for (i = 0; i < f->nr_names; i++)
		ranks[list[i].name] = (u32)i;
	free(list);
	return ranks;
}

/* A node that is still to be added, and its place among its siblings. */
struct pending {
	u32 node, depth;
	u64 weight; /* heavier ones come first */
	u32 rank;
};

struct walk {
	const struct fold_tree *t;
	const u32 *ranks;
	const u64 *weights;      /* by node of t; NULL: order by name */
	struct pending *pending; /* a stack: the last one is added next */
	size_t nr, cap;
};

static int last_first(const void *pa, const void *pb)
{
	const struct pending *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return a->rank > b->rank ? -1 : 1;
}

static void add_pending(struct walk *w, u32 node, u32 depth)
{
	size_t first = w->nr;

	for (u32 n = w->t->nodes[node].child; n; n = w->t->nodes[n].next) {
		const struct pending p = { .node = n,
					   .depth = depth,
					   .weight = w->weights ? w->weights[n] : 0,
					   .rank = w->ranks[w->t->nodes[n].name] };

		vec_push(w->pending, w->nr, w->cap, p);
	}
	if (w->nr - first > 1)
		qsort(w->pending + first, w->nr - first, sizeof(*w->pending), last_first);
}

static u64 sum_of(u64 a, u64 b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* By node: the weight of all below it, of all sides. A child is made after its parent. */
static u64 *weigh_nodes(const struct fold_tree *t)
{
	u64 *weights = xcalloc(t->nr_nodes, sizeof(*weights));

	for (size_t i = t->nr_nodes; i--;) {
		const u64 *counts = t->lines[t->nodes[i].line].counts;

		if (t->nodes[i].line)
			for (unsigned int side = 0; side < FOLD_SIDES; side++)
				weights[i] = sum_of(weights[i], counts[side]);
		for (u32 n = t->nodes[i].child; n; n = t->nodes[n].next)
			weights[i] = sum_of(weights[i], weights[n]);
	}
	return weights;
}

void flame_add_tree(struct flame *f, const struct fold_tree *t, enum flame_order order)
{
	u64 *weights = order == FLAME_BY_WEIGHT ? weigh_nodes(t) : NULL;
	u32 *ranks = rank_names(f);
	struct walk w = { .t = t, .ranks = ranks, .weights = weights };

	add_pending(&w, 0, 1);
	while (w.nr) {
		struct pending now = w.pending[--w.nr];
		const struct fold_node *node = &t->nodes[now.node];

		while (f->nr_open > now.depth)
			flame_pop(f);
		flame_push(f, node->name);
		for (unsigned int side = 0; node->line && side < f->nr_sides; side++)
			flame_count(f, side, t->lines[node->line].counts[side]);
		add_pending(&w, now.node, now.depth + 1);
	}
	flame_finish(f);
	free(w.pending);
	free(ranks);
	free(weights);
}

/* --- trees made from finished ones -------------------------------------------------------------
 */

static void make_flame(const struct flame *f, const struct fold_tree *t, enum flame_order order,
		       struct flame *ret)
{
	flame_init(ret, f->nr_sides);
	for (size_t i = 1; i < f->nr_names; i++)
		flame_add_name(ret, f->names[i].text, f->names[i].object, f->names[i].kind);
	for (unsigned int side = 0; side < f->nr_sides; side++)
		flame_count(ret, side, f->self[side][0]);
	flame_add_tree(ret, t, order);
}

/* Adds the own weight of node n to a node of t. */
static void count_node(struct fold_tree *t, u32 node, const struct flame *f, size_t n)
{
	for (unsigned int side = 0; side < f->nr_sides; side++)
		if (f->self[side][n])
			fold_tree_count(t, node, side, f->self[side][n]);
}

static bool has_own(const struct flame *f, size_t n)
{
	return f->self[0][n] || (f->nr_sides > 1 && f->self[1][n]);
}

void flame_sorted(const struct flame *f, enum flame_order order, struct flame *ret)
{
	struct fold_tree t;
	u32 *path = NULL; /* by depth: the node of t */
	size_t cap = 0, n;

	fold_tree_init(&t);
	for (n = 0; n < f->nr; n++) {
		u32 depth = f->depth[n];

		vec_reserve(path, cap, (size_t)depth + 1);
		path[depth] = depth ? fold_tree_child(&t, path[depth - 1], f->name[n]) : 0;
		if (depth)
			count_node(&t, path[depth], f, n);
	}
	make_flame(f, &t, order, ret);
	fold_tree_fini(&t);
	free(path);
}

void flame_reversed(const struct flame *f, enum flame_order order, struct flame *ret)
{
	struct fold_tree t;
	u32 *path = NULL; /* by depth: the name */
	size_t cap = 0, n;

	fold_tree_init(&t);
	for (n = 0; n < f->nr; n++) {
		u32 depth = f->depth[n], node = 0;

		vec_reserve(path, cap, (size_t)depth + 1);
		path[depth] = f->name[n];
		if (!depth || !has_own(f, n))
			continue;
		for (; depth; depth--)
			node = fold_tree_child(&t, node, path[depth]);
		count_node(&t, node, f, n);
	}
	make_flame(f, &t, order, ret);
	fold_tree_fini(&t);
	free(path);
}
