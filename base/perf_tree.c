/* SPDX-License-Identifier: MIT */
#include "base/perf_tree.h"

#include "base/mem.h"

#define NONE PERF_TREE_NONE

void perf_tree_init(struct perf_tree *t, size_t nr)
{
	t->nodes = xmalloc((nr + 1) * sizeof(*t->nodes));
	t->root = NONE;
}

void perf_tree_fini(struct perf_tree *t)
{
	free(t->nodes);
	t->nodes = NULL;
	t->root = NONE;
}

static enum perf_tree_side side_of(const struct perf_tree *t, u32 n)
{
	return t->nodes[t->nodes[n].parent].child[PERF_TREE_RIGHT] == n ? PERF_TREE_RIGHT
									: PERF_TREE_LEFT;
}

/* Moves n down to the given side; its child of the other side takes its place. */
static void rotate(struct perf_tree *t, u32 n, enum perf_tree_side side)
{
	struct perf_tree_node *v = t->nodes;
	u32 up = v[n].child[!side], parent = v[n].parent, moved = v[up].child[side];

	if (parent == NONE)
		t->root = up;
	else
		v[parent].child[side_of(t, n)] = up;
	v[up].parent = parent;
	v[up].child[side] = n;
	v[n].parent = up;
	v[n].child[!side] = moved;
	if (moved != NONE)
		v[moved].parent = n;
}

/* The textbook's repair after insertion of the red node n. */
static void rebalance(struct perf_tree *t, u32 n)
{
	struct perf_tree_node *v = t->nodes;
	u32 parent;

	while ((parent = v[n].parent) != NONE && v[parent].red) {
		u32 grand = v[parent].parent;
		enum perf_tree_side side = side_of(t, parent);
		u32 uncle = v[grand].child[!side];

		if (uncle != NONE && v[uncle].red) {
			v[parent].red = false;
			v[uncle].red = false;
			v[grand].red = true;
			n = grand;
			continue;
		}
		if (side_of(t, n) != side) {
			rotate(t, parent, side);
			parent = n;
		}
		v[parent].red = false;
		v[grand].red = true;
		rotate(t, grand, !side);
		break;
	}
	v[t->root].red = false;
}

void perf_tree_insert(struct perf_tree *t, u32 n, u32 parent, enum perf_tree_side side)
{
	t->nodes[n] =
		(struct perf_tree_node){ .child = { NONE, NONE }, .parent = parent, .red = true };
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
