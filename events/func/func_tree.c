/* SPDX-License-Identifier: MIT */
#include "events/func/func_tree.h"

#include <inttypes.h>

#include "base/mem.h"

void func_nodes_init(struct func_nodes *t, size_t max)
{
	*t = (struct func_nodes){ .max = max, .free = FUNC_NO_NODE };
}

void func_nodes_fini(struct func_nodes *t)
{
	free(t->v);
	*t = (struct func_nodes){ 0 };
}

static u32 new_node(struct func_nodes *t)
{
	const struct func_node fresh = { 0 };
	u32 i = t->free;

	if (i != FUNC_NO_NODE) {
		t->free = t->v[i].next;
		return i;
	}
	if (t->nr >= t->max)
		return FUNC_NO_NODE;
	vec_push(t->v, t->nr, t->cap, fresh);
	return (u32)t->nr - 1;
}

static void free_node(struct func_nodes *t, u32 i)
{
	t->v[i].next = t->free;
	t->free = i;
}

/* The node of a function in a list, which becomes its first one; FUNC_NO_NODE: there is none. */
static u32 find(struct func_nodes *t, u32 *list, u32 func)
{
	u32 *link = list, found;

	while (*link != FUNC_NO_NODE && t->v[*link].func != func)
		link = &t->v[*link].next;
	found = *link;
	if (found == FUNC_NO_NODE)
		return found;
	*link = t->v[found].next;
	t->v[found].next = *list;
	*list = found;
	return found;
}

/* A list that goes into the list of a node, or into `list` for FUNC_NO_NODE. */
struct merge {
	u32 into, other;
};

u32 func_nodes_merge(struct func_nodes *t, u32 list, u32 other)
{
	struct merge *todo = NULL, now = { FUNC_NO_NODE, other };
	size_t nr = 0, cap = 0;

	if (list == FUNC_NO_NODE || other == FUNC_NO_NODE)
		return list == FUNC_NO_NODE ? other : list;
	vec_push(todo, nr, cap, now);
	while (nr) {
		now = todo[--nr];
		while (now.other != FUNC_NO_NODE) {
			u32 *to = now.into == FUNC_NO_NODE ? &list : &t->v[now.into].first;
			u32 i = now.other, same = find(t, to, t->v[i].func);

			now.other = t->v[i].next;
			if (same == FUNC_NO_NODE) {
				t->v[i].next = *to;
				*to = i;
				continue;
			}
			t->v[same].calls += t->v[i].calls;
			t->v[same].ns += t->v[i].ns;
			t->v[same].self += t->v[i].self;
			if (t->v[i].first != FUNC_NO_NODE) {
				const struct merge inner = { same, t->v[i].first };

				vec_push(todo, nr, cap, inner);
			}
			free_node(t, i);
		}
	}
	free(todo);
	return list;
}

u32 func_nodes_add(struct func_nodes *t, u32 list, u32 func, u64 ns, u64 self, u32 inner)
{
	u32 i = find(t, &list, func);

	if (i == FUNC_NO_NODE) {
		i = new_node(t);
		if (i == FUNC_NO_NODE) {
			t->nr_left_out++;
			return func_nodes_merge(t, list, inner);
		}
		t->v[i] = (struct func_node){ .func = func, .first = inner, .next = list };
		list = i;
	} else {
		t->v[i].first = func_nodes_merge(t, t->v[i].first, inner);
	}
	t->v[i].calls++;
	t->v[i].ns += ns;
	t->v[i].self += self;
	return list;
}

u32 func_nodes_add_path(struct func_nodes *t, u32 list, const u32 *path, size_t n,
			const struct func_node *sums)
{
	u32 at = FUNC_NO_NODE;

	for (size_t k = 0; k < n; k++) {
		u32 head = at == FUNC_NO_NODE ? list : t->v[at].first, i = find(t, &head, path[k]);

		if (i == FUNC_NO_NODE) {
			i = new_node(t);
			if (i == FUNC_NO_NODE) {
				t->nr_left_out += sums->calls;
				return list;
			}
			t->v[i] = (struct func_node){ .func = path[k],
						      .first = FUNC_NO_NODE,
						      .next = head };
			head = i;
		}
		if (at == FUNC_NO_NODE)
			list = head;
		else
			t->v[at].first = head;
		at = i;
	}
	if (at != FUNC_NO_NODE) {
		t->v[at].calls += sums->calls;
		t->v[at].ns += sums->ns;
		t->v[at].self += sums->self;
	}
	return list;
}

void func_nodes_sum(struct func_nodes *t, u32 list)
{
	struct merge *all = NULL; /* into: the caller; each behind its caller */
	size_t nr = 0, cap = 0;

	for (u32 i = list; i != FUNC_NO_NODE; i = t->v[i].next) {
		const struct merge m = { FUNC_NO_NODE, i };

		vec_push(all, nr, cap, m);
	}
	for (size_t k = 0; k < nr; k++)
		for (u32 i = t->v[all[k].other].first; i != FUNC_NO_NODE; i = t->v[i].next) {
			const struct merge m = { all[k].other, i };

			vec_push(all, nr, cap, m);
		}
	while (nr--)
		if (all[nr].into != FUNC_NO_NODE && !t->v[all[nr].into].calls)
			t->v[all[nr].into].ns += t->v[all[nr].other].ns;
	free(all);
}

void func_nodes_drop(struct func_nodes *t, u32 list)
{
	u32 *todo = NULL;
	size_t nr = 0, cap = 0;

	if (list != FUNC_NO_NODE)
		vec_push(todo, nr, cap, list);
	while (nr) {
		u32 i = todo[--nr];

		while (i != FUNC_NO_NODE) {
			u32 next = t->v[i].next;

			if (t->v[i].first != FUNC_NO_NODE)
				vec_push(todo, nr, cap, t->v[i].first);
			free_node(t, i);
			i = next;
		}
	}
	free(todo);
}

/* ---- text ---- */

static int by_time(const void *x, const void *y, void *nodes)
{
	const struct func_node *a = (struct func_node *)nodes + *(const u32 *)x;
	const struct func_node *b = (struct func_node *)nodes + *(const u32 *)y;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->func < b->func ? -1 : a->func > b->func;
}

/* Lists on the way down, each sorted: what comes last is next. */
struct walk {
	const struct func_nodes *t;
	u32 *nodes;
	size_t nr, cap;
	size_t *ends; /* by depth: where the list of that depth begins in nodes */
	size_t depth, cap_ends;
};

static void go_down(struct walk *w, u32 list)
{
	size_t from = w->nr;

	vec_push(w->ends, w->depth, w->cap_ends, from);
	for (u32 i = list; i != FUNC_NO_NODE; i = w->t->v[i].next)
		vec_push(w->nodes, w->nr, w->cap, i);
	if (w->nr - from < 2)
		return;
	qsort_r(w->nodes + from, w->nr - from, sizeof(u32), by_time, w->t->v);
	for (size_t a = from, b = w->nr - 1; a < b; a++, b--) {
		u32 swap = w->nodes[a];

		w->nodes[a] = w->nodes[b];
		w->nodes[b] = swap;
	}
}

/* The next node, callers first; FUNC_NO_NODE: the end. *ret_depth: how many callers it has. */
static u32 walk_next(struct walk *w, size_t *ret_depth)
{
	u32 i;

	while (w->depth && w->nr == w->ends[w->depth - 1])
		w->depth--;
	if (!w->depth)
		return FUNC_NO_NODE;
	i = w->nodes[--w->nr];
	*ret_depth = w->depth - 1;
	if (w->depth < FUNC_TREE_DEPTH && w->t->v[i].first != FUNC_NO_NODE)
		go_down(w, w->t->v[i].first);
	return i;
}

static void walk_fini(struct walk *w)
{
	free(w->nodes);
	free(w->ends);
}

static void put_time(struct out *o, u64 ns, bool in_ns)
{
	if (in_ns) {
		out_dec(o, ns, 14);
		return;
	}
	out_dec(o, ns / 1000, 10);
	out_char(o, '.');
	out_dec0(o, ns % 1000, 3);
}

void func_nodes_put(const struct func_nodes *t, u32 list, struct out *o, bool in_ns,
		    func_name_fn *name, void *ctx)
{
	struct walk w = { .t = t };
	size_t depth;
	u32 i;

	go_down(&w, list);
	while ((i = walk_next(&w, &depth)) != FUNC_NO_NODE) {
		out_dec(o, t->v[i].calls, 12);
		put_time(o, t->v[i].ns, in_ns);
		put_time(o, t->v[i].self, in_ns);
		out_fill(o, ' ', 2 + 2 * depth);
		name(ctx, o, t->v[i].func);
		out_char(o, '\n');
	}
	walk_fini(&w);
}

void func_nodes_put_folded(const struct func_nodes *t, u32 list, struct out *o, func_name_fn *name,
			   void *ctx)
{
	u32 path[FUNC_TREE_DEPTH], i;
	struct walk w = { .t = t };
	size_t depth;

	go_down(&w, list);
	while ((i = walk_next(&w, &depth)) != FUNC_NO_NODE) {
		path[depth] = t->v[i].func;
		if (!t->v[i].self)
			continue;
		for (size_t k = 0; k <= depth; k++) {
			name(ctx, o, path[k]);
			out_char(o, k < depth ? ';' : ' ');
		}
		out_printf(o, "%" PRIu64 "\n", t->v[i].self);
	}
	walk_fini(&w);
}
