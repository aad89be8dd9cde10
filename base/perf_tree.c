/* SPDX-License-Identifier: MIT */
#include "base/perf_tree.h"

#include "base/mem.h"

#define NONE PERF_TREE_NONE

void perf_tree_init(struct perf_tree *t, size_t nr)
{
	t->nr = nr + 1;
	t->nodes = table_alloc_any(t->nr * sizeof(*t->nodes));
	t->links = table_alloc_any(t->nr * sizeof(*t->links));
	t->root = NONE;
}

void perf_tree_fini(struct perf_tree *t)
{
	table_free(t->nodes, t->nr * sizeof(*t->nodes));
	table_free(t->links, t->nr * sizeof(*t->links));
	t->nodes = NULL;
	t->links = NULL;
	t->root = NONE;
}

static enum perf_tree_side side_of(const struct perf_tree *t, u32 n)
{
	return t->nodes[t->links[n].parent].child[PERF_TREE_RIGHT] == n ? PERF_TREE_RIGHT
									: PERF_TREE_LEFT;
}

/* Rotates n down to the given side: its child on the other side takes its place. */
static void rotate(struct perf_tree *t, u32 n, enum perf_tree_side side)
{
	struct perf_tree_node *v = t->nodes;
	struct perf_tree_link *l = t->links;
	u32 up = v[n].child[!side], parent = l[n].parent, moved = v[up].child[side];

	if (parent == NONE)
		t->root = up;
	else
		v[parent].child[side_of(t, n)] = up;
	l[up].parent = parent;
	v[up].child[side] = n;
	l[n].parent = up;
	v[n].child[!side] = moved;
	if (moved != NONE)
		l[moved].parent = n;
}

/* Restores the red-black properties after the red node n was inserted, as in textbooks. */
static void rebalance(struct perf_tree *t, u32 n)
{
	struct perf_tree_link *l = t->links;
	u32 parent;

	while ((parent = l[n].parent) != NONE && l[parent].red) {
		u32 grand = l[parent].parent;
		enum perf_tree_side side = side_of(t, parent);
		u32 uncle = t->nodes[grand].child[!side];

		if (uncle != NONE && l[uncle].red) {
			l[parent].red = false;
			l[uncle].red = false;
			l[grand].red = true;
			n = grand;
			continue;
		}
		if (side_of(t, n) != side) {
			rotate(t, parent, side);
			parent = n;
		}
		l[parent].red = false;
		l[grand].red = true;
		rotate(t, grand, !side);
		break;
	}
	l[t->root].red = false;
}

void perf_tree_insert(struct perf_tree *t, u32 n, u32 parent, enum perf_tree_side side)
{
	t->nodes[n].child[PERF_TREE_LEFT] = NONE;
	t->nodes[n].child[PERF_TREE_RIGHT] = NONE;
	t->links[n] = (struct perf_tree_link){ .parent = parent, .red = true };
	if (parent == NONE)
		t->root = n;
	else
		t->nodes[parent].child[side] = n;
	rebalance(t, n);
}

size_t perf_tree_list(const struct perf_tree *t, u32 *ret)
{
	u32 stack[PERF_TREE_MAX_DEPTH], depth = 0, at = t->root;
	size_t nr = 0;

	while (at != NONE || depth) {
		for (; at != NONE; at = t->nodes[at].child[PERF_TREE_LEFT])
			stack[depth++] = at;
		at = stack[--depth];
		ret[nr++] = at;
		at = t->nodes[at].child[PERF_TREE_RIGHT];
	}
	return nr;
}
