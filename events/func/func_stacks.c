/* SPDX-License-Identifier: MIT */
#include "events/func/func_stacks.h"

#include "base/mem.h"

#define MAX_NODES (1u << 20)

enum { KEY_STACK, KEY_FUNC, KEY_WORDS };

void func_stacks_init(struct func_stacks *t, struct session *s, u32 max_stack, u32 max_user)
{
	*t = (struct func_stacks){ 0 };
	stack_texts_init(&t->texts, s, max_stack, max_user);
	tuple_table_init(&t->keys, KEY_WORDS, 0);
}

void func_stacks_fini(struct func_stacks *t)
{
	stack_texts_fini(&t->texts);
	tuple_table_fini(&t->keys);
	free(t->sums);
	*t = (struct func_stacks){ 0 };
}

void func_stacks_restart(struct func_stacks *t)
{
	tuple_table_fini(&t->keys);
	tuple_table_init(&t->keys, KEY_WORDS, 0);
	t->nr_without = 0;
}

void func_stacks_add(struct func_stacks *t, u32 stack, u32 func, u64 ns, u64 self)
{
	/* with a stack, its top is the function */
	const u64 key[KEY_WORDS] = { stack, stack ? 0 : func };
	size_t before = t->keys.nr;
	u32 id = tuple_table_id(&t->keys, key);

	if (id == before) {
		vec_reserve(t->sums, t->cap_sums, before + 1);
		memset(&t->sums[id], 0, sizeof(t->sums[id]));
	}
	t->sums[id].calls++;
	t->sums[id].ns += ns;
	t->sums[id].self += self;
	t->nr_without += !stack;
}

/* The names of frames, numbered, and the tree of their stacks. */
struct tree {
	struct intern names;
	struct func_nodes nodes;
	u32 *path;
	size_t nr_path, cap_path;
};

/* Puts the stack of a key into tree->path, outermost first. */
static void find_path(struct func_stacks *t, struct tree *tree, const u64 *key, func_name_fn *name,
		      void *ctx)
{
	struct out text;

	tree->nr_path = 0;
	if (key[KEY_STACK]) {
		const char *all = intern_text(&t->texts.texts, (u32)key[KEY_STACK]);
		const char *end = all + strlen(all);

		while (end > all) {
			const char *line = end - 1;

			while (line > all && line[-1] != '\n')
				line--;
			vec_push(tree->path, tree->nr_path, tree->cap_path,
				 intern_n(&tree->names, line, (size_t)(end - 1 - line)));
			end = line;
		}
		return;
	}
	out_init_mem(&text);
	name(ctx, &text, (u32)key[KEY_FUNC]);
	vec_push(tree->path, tree->nr_path, tree->cap_path,
		 intern_n(&tree->names, text.buf, text.len));
	(void)out_fini(&text);
}

static void put_name(void *ctx, struct out *o, u32 id)
{
	const struct tree *tree = ctx;

	out_str(o, intern_text(&tree->names, id));
}

void func_stacks_put(struct func_stacks *t, struct out *o, bool in_ns, func_name_fn *name,
		     void *ctx)
{
	struct tree tree = { 0 };
	u32 list = FUNC_NO_NODE;

	intern_init(&tree.names);
	func_nodes_init(&tree.nodes, MAX_NODES);
	for (size_t i = 0; i < t->keys.nr; i++) {
		find_path(t, &tree, tuple_table_get(&t->keys, (u32)i), name, ctx);
		list = func_nodes_add_path(&tree.nodes, list, tree.path, tree.nr_path,
					   &(struct func_node){ .calls = t->sums[i].calls,
								.ns = t->sums[i].ns,
								.self = t->sums[i].self });
	}
	func_nodes_sum(&tree.nodes, list);
	func_nodes_put(&tree.nodes, list, o, in_ns, put_name, &tree);
	if (tree.nodes.nr_left_out)
		out_printf(o, "# calls left out of the tree, which is full: %llu\n",
			   (unsigned long long)tree.nodes.nr_left_out);
	func_nodes_fini(&tree.nodes);
	intern_fini(&tree.names);
	free(tree.path);
}

void func_stacks_put_folded(struct func_stacks *t, struct out *o, func_name_fn *name, void *ctx)
{
	for (size_t i = 0; i < t->keys.nr; i++) {
		const u64 *key = tuple_table_get(&t->keys, (u32)i);

		if (!t->sums[i].self)
			continue;
		if (key[KEY_STACK])
			stack_texts_put_folded(&t->texts, o, (u32)key[KEY_STACK]);
		else
			name(ctx, o, (u32)key[KEY_FUNC]);
		out_char(o, ' ');
		out_dec(o, t->sums[i].self, 0);
		out_char(o, '\n');
	}
}
