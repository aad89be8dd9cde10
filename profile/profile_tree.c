/* SPDX-License-Identifier: MIT */
#include "profile/profile_tree.h"

#include "base/hash.h"
#include "base/mem.h"

struct profile_tree {
	struct profile_node *nodes;
	size_t nr;
};

/* A tree that stacks are added to: its nodes are in the order in which they were first met. */
struct tree_maker {
	const struct profile *p;
	const struct profile_tree_config *cfg;
	struct profile_node *nodes;
	size_t nr, cap;
	struct idmap children; /* (parent, key of the frame) -> node */
	frame_id *stack;       /* of the row at hand, leaf first */
	size_t cap_stack;
};

/* Equal for frames that are one node. Functions, objects and frames have keys of their own ranges.
 */
static u64 key_of(const struct tree_maker *m, frame_id id)
{
	const struct profile_frame *fr = profile_get_frame(m->p, id);

	if (m->cfg->key == PROFILE_TREE_BY_FRAME)
		return id.n;
	return fr->function.n != PROFILE_NONE ? fr->function.n : 1ull << 32 | fr->object.n;
}

static u32 child_of(struct tree_maker *m, u32 parent, frame_id id)
{
	u64 key = key_of(m, id);
	u32 node = idmap_get(&m->children, parent, key);

	if (node != IDMAP_NONE)
		return node;
	node = (u32)m->nr;
	idmap_put(&m->children, parent, key, node);
	vec_push(m->nodes, m->nr, m->cap, ((struct profile_node){ .frame = id, .parent = parent }));
	m->nodes[parent].nr_children++;
	return node;
}

static void add_weight(struct profile_weight *w, const struct profile_row *row)
{
	w->samples += row->samples;
	w->period += row->period;
}

static void add_row(struct tree_maker *m, const struct profile_row *row)
{
	struct profile_stack_iter it = profile_stack(m->p, row->stack);
	bool from_leaf = m->cfg->root == PROFILE_TREE_FROM_LEAF;
	u32 node = PROFILE_TREE_TOP;
	size_t nr = 0, i;
	frame_id id;

	while (profile_stack_next(&it, &id))
		vec_push(m->stack, nr, m->cap_stack, id);
	add_weight(&m->nodes[node].total, row);
	for (i = 0; i < nr; i++) {
		node = child_of(m, node, m->stack[from_leaf ? i : nr - 1 - i]);
		add_weight(&m->nodes[node].total, row);
	}
	add_weight(&m->nodes[node].self, row);
}

static int by_weight(const void *pa, const void *pb, void *ctx)
{
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	const struct tree_maker *m = ctx;
	const struct profile_weight *x = &m->nodes[a].total, *y = &m->nodes[b].total;
	u64 v = m->cfg->by_samples ? x->samples : x->period;
	u64 w = m->cfg->by_samples ? y->samples : y->period;

	if (v != w)
		return v > w ? -1 : 1;
	return a < b ? -1 : a != b;
}

/* The children of each node side by side; start[node] is where those of a node begin. */
static u32 *list_children(const struct tree_maker *m, u32 **ret_start)
{
	u32 *start = xcalloc(m->nr + 1, sizeof(*start)), *list = xcalloc(m->nr, sizeof(*list));
	u32 *at, i;

	for (i = 0; i < m->nr; i++)
		start[i + 1] = start[i] + m->nodes[i].nr_children;
	at = xmalloc((m->nr + 1) * sizeof(*at));
	memcpy(at, start, (m->nr + 1) * sizeof(*at));
	for (i = 1; i < m->nr; i++)
		list[at[m->nodes[i].parent]++] = i;
	free(at);
	*ret_start = start;
	return list;
}

/* Numbers the nodes level by level, the children of each by their weight. */
static void put_in_order(struct tree_maker *m, struct profile_tree *t)
{
	u32 *start, *list = list_children(m, &start), *old = xmalloc(m->nr * sizeof(*old));
	size_t nr = 1;

	t->nr = m->nr;
	t->nodes = xmalloc(m->nr * sizeof(*t->nodes));
	t->nodes[0] = m->nodes[0];
	old[0] = PROFILE_TREE_TOP;
	for (u32 i = 0; i < m->nr; i++) {
		struct profile_node *n = &t->nodes[i];
		u32 *children = &list[start[old[i]]];

		n->first_child = (u32)nr;
		qsort_r(children, n->nr_children, sizeof(*children), by_weight, m);
		for (u32 k = 0; k < n->nr_children; k++, nr++) {
			old[nr] = children[k];
			t->nodes[nr] = m->nodes[children[k]];
			t->nodes[nr].parent = i;
		}
	}
	free(old);
	free(list);
	free(start);
}

struct profile_tree *profile_tree_new(const struct profile *p,
				      const struct profile_tree_config *cfg)
{
	struct tree_maker m = { .p = p, .cfg = cfg };
	struct profile_tree *t = xcalloc(1, sizeof(*t));
	size_t i;

	vec_push(m.nodes, m.nr, m.cap, ((struct profile_node){ .frame = { PROFILE_NONE } }));
	for (i = 0; i < profile_nr_rows(p); i++) {
		struct profile_row row = profile_get_row(p, i);

		if (!cfg->wanted || cfg->wanted[row.event])
			add_row(&m, &row);
	}
	put_in_order(&m, t);
	free(m.nodes);
	free(m.stack);
	idmap_fini(&m.children);
	return t;
}

void profile_tree_free(struct profile_tree *t)
{
	if (!t)
		return;
	free(t->nodes);
	free(t);
}

size_t profile_tree_nr_nodes(const struct profile_tree *t)
{
	return t->nr;
}

const struct profile_node *profile_tree_get(const struct profile_tree *t, u32 node)
{
	return &t->nodes[node];
}
