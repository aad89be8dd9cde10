/* SPDX-License-Identifier: MIT */
#include "report/tui/graph/flame_change.h"

#include "picture/flame_tree.h"

enum { KEEP, DROP, MERGE };

/* By name: what becomes of it. */
static u8 *actions_of(const struct flame *f, const struct flame_changes *c)
{
	u8 *actions = xcalloc(f->nr_names, sizeof(*actions));

	for (size_t i = 0; i < c->nr; i++)
		actions[c->items[i].name] = c->items[i].kind == FLAME_DROP ? DROP : MERGE;
	return actions;
}

/* Adds the own weight of a node; node 0 of t is the top of ret. */
static void count_node(struct fold_tree *t, u32 node, const struct flame *f, u32 n,
		       struct flame *ret)
{
	for (unsigned int side = 0; side < f->nr_sides; side++)
		if (node && f->self[side][n])
			fold_tree_count(t, node, side, f->self[side][n]);
		else
			flame_count(ret, side, f->self[side][n]);
}

/* The nodes that are left, in no order. */
static void add_nodes(const struct flame *f, const struct flame_changes *c, struct fold_tree *t,
		      struct flame *ret)
{
	u8 *actions = actions_of(f, c);
	u32 *path = NULL, *names = NULL; /* by depth: the node of t, its name */
	size_t cap_path = 0, cap_names = 0;

	for (u32 n = 0; n < f->nr;) {
		u32 depth = f->depth[n], name = f->name[n];

		vec_reserve(path, cap_path, (size_t)depth + 1);
		vec_reserve(names, cap_names, (size_t)depth + 1);
		if (actions[name] == DROP) {
			n = f->end[n];
			continue;
		}
		if (!depth) {
			path[0] = names[0] = 0;
		} else if (actions[name] == MERGE || (c->no_commands && depth == 1) ||
			   (c->no_recursion && names[depth - 1] == name)) {
			path[depth] = path[depth - 1];
			names[depth] = names[depth - 1];
		} else {
			path[depth] = fold_tree_child(t, path[depth - 1], name);
			names[depth] = name;
		}
		count_node(t, path[depth], f, n, ret);
		n++;
	}
	free(path);
	free(names);
	free(actions);
}

void flame_changed(const struct flame *f, const struct flame_changes *c, struct flame *ret)
{
	struct fold_tree t;

	fold_tree_init(&t);
	flame_init(ret, f->nr_sides);
	add_nodes(f, c, &t, ret);
	for (size_t i = 1; i < f->nr_names; i++)
		flame_add_name(ret, f->names[i].text, f->names[i].object, f->names[i].kind);
	flame_add_tree(ret, &t, FLAME_BY_WEIGHT);
	fold_tree_fini(&t);
}
