/* SPDX-License-Identifier: MIT */
#include "picture/fold_tree.h"

#include "base/hash.h"

/* Start large and double: growing copies every node, and both arrays are resident meanwhile. */
#define FIRST_NODES 65536

static u32 add_node(struct fold_tree *t, u32 name)
{
	if (t->nr_nodes == t->cap_nodes) {
		vec_reserve(t->nodes, t->cap_nodes, t->cap_nodes ? t->cap_nodes * 2 : FIRST_NODES);
		vec_reserve(t->lasts, t->cap_lasts, t->cap_nodes);
	}
	t->nodes[t->nr_nodes] = (struct fold_node){ .name = name };
	t->lasts[t->nr_nodes++] = (struct fold_last){ 0 };
	return (u32)t->nr_nodes - 1;
}

#define FIRST_CHILDREN 4096
#define LISTED 8 /* up to that many children are searched one by one; most nodes have one */

static size_t child_slot(const struct fold_tree *t, u32 parent, u32 name)
{
	return hash_u64((u64)parent << 32 | name) & t->children_mask;
}

static void grow_children(struct fold_tree *t)
{
	struct fold_child *old = t->children;
	size_t nr_old = t->children_mask + 1, i, k;

	t->children_mask = nr_old * 4 - 1;
	t->children = table_alloc(nr_old * 4 * sizeof(*old));
	for (i = 0; i < nr_old; i++) {
		if (!old[i].node)
			continue;
		k = child_slot(t, old[i].parent, old[i].name);
		while (t->children[k].node)
			k = (k + 1) & t->children_mask;
		t->children[k] = old[i];
	}
	table_free(old, nr_old * sizeof(*old));
}

/* The slot of a child, or the free one where it belongs. */
static size_t find_child_slot(const struct fold_tree *t, u32 parent, u32 name)
{
	size_t i = child_slot(t, parent, name);

	while (t->children[i].node &&
	       (t->children[i].parent != parent || t->children[i].name != name))
		i = (i + 1) & t->children_mask;
	return i;
}

static void put_child(struct fold_tree *t, u32 parent, u32 node)
{
	u32 name = t->nodes[node].name;

	t->children[find_child_slot(t, parent, name)] = (struct fold_child){ parent, name, node };
	if (++t->nr_children * 2 > t->children_mask)
		grow_children(t);
}

/* The child of that name; 0: none has it. */
static u32 find_known_child(const struct fold_tree *t, u32 parent, u32 name)
{
	u32 n;

	if (t->lasts[parent].nr > LISTED)
		return t->children[find_child_slot(t, parent, name)].node;
	for (n = t->nodes[parent].child; n && t->nodes[n].name != name;)
		n = t->nodes[n].next;
	return n;
}

/* Makes a node that has no parent the first child of one. */
static void link_child(struct fold_tree *t, u32 parent, u32 node)
{
	u32 n;

	t->nodes[node].next = t->nodes[parent].child;
	t->nodes[parent].child = node;
	if (++t->lasts[parent].nr > LISTED + 1)
		put_child(t, parent, node);
	else if (t->lasts[parent].nr == LISTED + 1)
		for (n = node; n; n = t->nodes[n].next)
			put_child(t, parent, n);
}

static u32 add_child(struct fold_tree *t, u32 parent, u32 name)
{
	u32 node = add_node(t, name);

	link_child(t, parent, node);
	return node;
}

void fold_tree_init(struct fold_tree *t)
{
	*t = (struct fold_tree){ 0 };
	intern_init(&t->names);
	vec_push(t->lines, t->nr_lines, t->cap_lines, (struct fold_line){ 0 });
	t->children_mask = FIRST_CHILDREN - 1;
	t->children = table_alloc(FIRST_CHILDREN * sizeof(*t->children));
	add_node(t, 0);
}

void fold_tree_fini(struct fold_tree *t)
{
	intern_fini(&t->names);
	table_free(t->children, (t->children_mask + 1) * sizeof(*t->children));
	free(t->nodes);
	free(t->lasts);
	free(t->lines);
	*t = (struct fold_tree){ 0 };
}

u32 fold_tree_find_child(struct fold_tree *t, u32 node, u32 name)
{
	u32 child = find_known_child(t, node, name);

	if (!child)
		child = add_child(t, node, name);
	t->lasts[node].name = name;
	t->lasts[node].child = child;
	return child;
}

void fold_tree_count(struct fold_tree *t, u32 node, unsigned int side, u64 weight)
{
	u32 *line = &t->nodes[node].line;

	if (!*line) {
		*line = (u32)t->nr_lines;
		vec_push(t->lines, t->nr_lines, t->cap_lines, (struct fold_line){ 0 });
	}
	t->lines[*line].counts[side] += weight;
}

/* A node of one tree, and the node with the same path in another tree. */
struct pair {
	u32 from, to;
};

/* What is added to the numbers of nodes and lines of a tree that is appended to another one. */
struct moved {
	u32 nodes, lines;
};

/* Copies all nodes and lines but the first ones, which stand for nothing. */
static struct moved append(struct fold_tree *t, const struct fold_tree *from)
{
	const struct moved by = { (u32)t->nr_nodes - 1, (u32)t->nr_lines - 1 };

	vec_reserve(t->nodes, t->cap_nodes, by.nodes + from->nr_nodes);
	vec_reserve(t->lasts, t->cap_lasts, by.nodes + from->nr_nodes);
	vec_reserve(t->lines, t->cap_lines, by.lines + from->nr_lines);
	for (size_t i = 1; i < from->nr_nodes; i++) {
		struct fold_node n = from->nodes[i];
		struct fold_last last = from->lasts[i];

		n.child += n.child ? by.nodes : 0;
		n.next += n.next ? by.nodes : 0;
		n.line += n.line ? by.lines : 0;
		last.child += last.child ? by.nodes : 0;
		t->nodes[by.nodes + i] = n;
		t->lasts[by.nodes + i] = last;
	}
	memcpy(t->lines + t->nr_lines, from->lines + 1, (from->nr_lines - 1) * sizeof(*t->lines));
	t->nr_nodes += from->nr_nodes - 1;
	t->nr_lines += from->nr_lines - 1;
	return by;
}

/* Enters the children of appended nodes with many of them. */
static void enter_children(struct fold_tree *t, const struct fold_tree *from, u32 moved)
{
	for (size_t i = 0; i <= from->children_mask; i++) {
		const struct fold_child *c = &from->children[i];

		if (c->node && c->parent && t->lasts[c->parent + moved].nr > LISTED)
			put_child(t, c->parent + moved, c->node + moved);
	}
}

/*
 * All of the other tree is appended. A node whose path the tree has not is linked into it, with all
 * that is below; of others only the children are looked at, and they stay behind, unused.
 */
void fold_tree_merge(struct fold_tree *t, const struct fold_tree *from)
{
	const struct moved by = append(t, from);
	struct pair *waiting = NULL;
	size_t nr = 0, cap = 0;

	vec_push(waiting, nr, cap, ((struct pair){ 0, 0 }));
	while (nr) {
		struct pair p = waiting[--nr];

		for (u32 n = from->nodes[p.from].child; n; n = from->nodes[n].next) {
			const struct fold_node *node = &from->nodes[n];
			u32 to = find_known_child(t, p.to, node->name), moved = n + by.nodes;

			if (!to) {
				link_child(t, p.to, moved);
				continue;
			}
			t->nodes[moved] = (struct fold_node){ .name = node->name };
			t->lasts[moved] = (struct fold_last){ 0 };
			for (unsigned int side = 0; node->line && side < FOLD_SIDES; side++)
				fold_tree_count(t, to, side, from->lines[node->line].counts[side]);
			if (node->line)
				t->lines[node->line + by.lines] = (struct fold_line){ 0 };
			if (node->child)
				vec_push(waiting, nr, cap, ((struct pair){ n, to }));
		}
	}
	free(waiting);
	enter_children(t, from, by.nodes);
}
