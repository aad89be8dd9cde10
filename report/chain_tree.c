/* SPDX-License-Identifier: MIT */
#include "report/chain_tree_priv.h"

#include "base/mem.h"
#include "report/chain_keys.h"

#define FIRST_SLOTS 64 /* what an entry of a few nodes has to clear */

struct chain_tree {
	const struct chain_option *opt;
	int step; /* from a frame of a run to the next one */
	struct chain_keys keys;
	struct chain_node *nodes; /* the root first */
	size_t nr, cap;
	u32 *slots; /* node numbers, 0: free; the root is no one's child */
	size_t mask, cap_slots;
	struct chain_children children;
	u32 *scratch;
	size_t cap_scratch;
	/* the last row and the nodes that it went through: the next one has much in common with it
	 */
	const u32 *last;
	size_t last_nr;
	struct step *path;
	size_t nr_path, cap_path;
};

/* A node on the way of a row; its run ends before frame `end` of the row. */
struct step {
	u32 node;
	u32 end;
};

void chain_frame_of_counts(void *arg, u32 id, struct chain_frame *ret)
{
	const struct frame *f = counts_frame(arg, id);

	ret->ip = f->ip;
	ret->map = f->map;
	if (f->has_sym) {
		ret->name = f->sym.name;
		ret->sym_start = f->sym.start;
	}
}

struct chain_tree *chain_tree_new(const struct chain_option *opt, chain_frame_fn *frame, void *arg)
{
	struct chain_tree *t = xcalloc(1, sizeof(*t));

	t->opt = opt;
	t->step = opt->order == CHAIN_CALLER ? -1 : 1;
	chain_keys_init(&t->keys, opt->key, frame, arg);
	chain_tree_reset(t);
	return t;
}

void chain_tree_free(struct chain_tree *t)
{
	if (!t)
		return;
	chain_keys_fini(&t->keys);
	free(t->nodes);
	free(t->slots);
	free(t->children.start);
	free(t->children.ids);
	free(t->scratch);
	free(t->path);
	free(t);
}

void chain_tree_set_order(struct chain_tree *t, const struct object_order *order)
{
	t->keys.order = order;
}

static void clear_slots(struct chain_tree *t, size_t n)
{
	vec_reserve(t->slots, t->cap_slots, n);
	memset(t->slots, 0, n * sizeof(*t->slots));
	t->mask = n - 1;
}

void chain_tree_reset(struct chain_tree *t)
{
	t->nr = 0;
	t->last_nr = t->nr_path = 0;
	vec_push(t->nodes, t->nr, t->cap, ((struct chain_node){ .recent = CHAIN_NO_NODE }));
	clear_slots(t, FIRST_SLOTS);
}

/* The slot of a parent's child with that key: one that holds it, or the free one it belongs in. */
static u32 *slot_of(struct chain_tree *t, u32 parent, u32 key)
{
	size_t i = hash_u64((u64)parent << 32 | key) & t->mask;

	while (t->slots[i]) {
		const struct chain_node *n = &t->nodes[t->slots[i]];

		if (n->parent == parent && n->key == key)
			break;
		i = (i + 1) & t->mask;
	}
	return &t->slots[i];
}

static u32 find_child(struct chain_tree *t, u32 parent, u32 key)
{
	u32 recent = t->nodes[parent].recent, child;

	if (recent != CHAIN_NO_NODE && t->nodes[recent].key == key)
		return recent;
	child = *slot_of(t, parent, key);
	if (!child)
		return CHAIN_NO_NODE;
	t->nodes[parent].recent = child;
	return child;
}

/* Keeps half of the slots free for the nodes there are and one more. */
static void make_room(struct chain_tree *t)
{
	size_t i;

	if ((t->nr + 1) * 2 <= t->mask + 1)
		return;
	clear_slots(t, (t->mask + 1) * 2);
	for (i = 1; i < t->nr; i++)
		*slot_of(t, t->nodes[i].parent, t->nodes[i].key) = (u32)i;
}

static u32 add_node(struct chain_tree *t, const struct chain_node *n)
{
	vec_push(t->nodes, t->nr, t->cap, *n);
	return (u32)(t->nr - 1);
}

/* Puts the first m frames of a node into a node of their own above it; returns that one. */
static u32 cut(struct chain_tree *t, u32 lower, u32 m)
{
	struct chain_node *n, upper;
	u32 made;

	make_room(t);
	upper = t->nodes[lower];
	upper.nr = m;
	upper.hit = upper.samples = 0;
	upper.recent = lower;
	*slot_of(t, upper.parent, upper.key) = (u32)t->nr;
	made = add_node(t, &upper);
	n = &t->nodes[lower];
	n->ids += (ptrdiff_t)m * t->step;
	n->nr -= m;
	n->parent = made;
	n->key = chain_keys_get(&t->keys, *n->ids);
	*slot_of(t, made, n->key) = lower;
	t->nodes[upper.parent].recent = made;
	return made;
}

static u32 add_leaf(struct chain_tree *t, u32 parent, u32 key, const u32 *ids, size_t nr)
{
	struct chain_node n = {
		.ids = ids,
		.nr = (u32)nr,
		.parent = parent,
		.key = key,
		.recent = CHAIN_NO_NODE,
	};
	u32 *slot, made;

	make_room(t);
	slot = slot_of(t, parent, key);
	made = add_node(t, &n);
	*slot = made;
	t->nodes[parent].recent = made;
	return made;
}

static bool same(struct chain_tree *t, u32 a, u32 b)
{
	return a == b || chain_keys_get(&t->keys, a) == chain_keys_get(&t->keys, b);
}

/* How many frames the row and the last one begin with alike. */
static size_t common_frames(const struct chain_tree *t, const u32 *at, size_t nr)
{
	size_t n = nr < t->last_nr ? nr : t->last_nr, i;
	const u32 *last = t->last;

	if (t->step > 0)
		for (i = 0; i < n && at[i] == last[i]; i++)
			;
	else
		for (i = 0; i < n && *(at - i) == *(last - i); i++)
			;
	return i;
}

static void push_step(struct chain_tree *t, u32 node, size_t end)
{
	vec_push(t->path, t->nr_path, t->cap_path, ((struct step){ node, (u32)end }));
}

/*
 * From the node at the end of the path, whose first `m` frames are known to be those of the row, to
 * the one that the row ends in.
 */
static u32 walk(struct chain_tree *t, const u32 *first, size_t nr, u32 m)
{
	size_t start;
	u32 node = CHAIN_ROOT, key;
	const u32 *at;

	if (t->nr_path) {
		node = t->path[--t->nr_path].node;
		start = t->nr_path ? t->path[t->nr_path - 1].end : 0;
	} else {
		start = 0;
	}
	for (;;) {
		const struct chain_node *n = &t->nodes[node];
		size_t left = nr - start;

		at = first + (ptrdiff_t)start * t->step;
		for (; m < n->nr && m < left; m++)
			if (!same(t, at[(ptrdiff_t)m * t->step], n->ids[(ptrdiff_t)m * t->step]))
				break;
		if (m < n->nr)
			node = cut(t, node, m);
		start += m;
		if (node != CHAIN_ROOT)
			push_step(t, node, start);
		if (start == nr)
			return node;
		at = first + (ptrdiff_t)start * t->step;
		key = chain_keys_get(&t->keys, *at);
		m = find_child(t, node, key);
		if (m == CHAIN_NO_NODE) {
			node = add_leaf(t, node, key, at, nr - start);
			push_step(t, node, nr);
			return node;
		}
		node = m;
		m = 1;
	}
}

void chain_tree_add(struct chain_tree *t, const struct chain_row *row)
{
	const u32 *first;
	size_t common, start;
	u32 end;

	if (!row->nr)
		return;
	first = t->step > 0 ? row->ids : row->ids + row->nr - 1;
	common = common_frames(t, first, row->nr);
	while (t->nr_path && (t->nr_path > 1 ? t->path[t->nr_path - 2].end : 0) >= common)
		t->nr_path--;
	start = t->nr_path > 1 ? t->path[t->nr_path - 2].end : 0;
	end = walk(t, first, row->nr, (u32)(common - start));
	t->nodes[end].hit += row->period;
	t->nodes[end].samples += row->samples;
	t->last = first;
	t->last_nr = row->nr;
}

const struct chain_node *chain_tree_node(const struct chain_tree *t, u32 node)
{
	return &t->nodes[node];
}

u32 chain_tree_frame_id(const struct chain_tree *t, const struct chain_node *n, u32 i)
{
	return n->ids[(ptrdiff_t)i * t->step];
}

/* Lists the children of all nodes. */
static void list_children(struct chain_tree *t)
{
	struct chain_children *c = &t->children;
	u32 total = 0;
	size_t i;

	vec_reserve(c->start, c->cap_start, t->nr + 1);
	vec_reserve(c->ids, c->cap_ids, t->nr);
	memset(c->start, 0, (t->nr + 1) * sizeof(*c->start));
	for (i = 1; i < t->nr; i++)
		c->start[t->nodes[i].parent]++;
	for (i = 0; i <= t->nr; i++)
		c->start[i] = total += c->start[i];
	/* filled from the end, which leaves each start where it belongs */
	for (i = t->nr; i-- > 1;)
		c->ids[--c->start[t->nodes[i].parent]] = (u32)i;
}

/* Parents are listed before their children and summed up behind them. */
static void sum_up(struct chain_tree *t)
{
	const struct chain_children *c = &t->children;
	size_t done, nr = 0;
	struct chain_node *n, *parent;
	u32 i;

	vec_reserve(t->scratch, t->cap_scratch, t->nr);
	t->scratch[nr++] = CHAIN_ROOT;
	for (done = 0; done < nr; done++) {
		u32 node = t->scratch[done];

		t->nodes[node].below = t->nodes[node].samples_below = 0;
		for (i = c->start[node]; i < c->start[node + 1]; i++)
			t->scratch[nr++] = c->ids[i];
	}
	while (nr-- > 1) {
		n = &t->nodes[t->scratch[nr]];
		parent = &t->nodes[n->parent];
		parent->below += n->hit + n->below;
		parent->samples_below += n->samples + n->samples_below;
	}
}

static void drop_unwanted(struct chain_tree *t, chain_wanted_fn *wanted, void *arg)
{
	struct chain_children *c = &t->children;
	u32 kept = 0, i = 0, end;
	size_t node;

	for (node = 0; node < t->nr; node++) {
		end = c->start[node + 1];
		c->start[node] = kept;
		for (; i < end; i++)
			if (wanted(arg, &t->nodes[c->ids[i]], &t->nodes[node]))
				c->ids[kept++] = c->ids[i];
	}
	c->start[t->nr] = kept;
}

const struct chain_children *chain_tree_index(struct chain_tree *t, chain_wanted_fn *wanted,
					      void *arg)
{
	list_children(t);
	sum_up(t);
	drop_unwanted(t, wanted, arg);
	return &t->children;
}

static bool is_before(struct chain_tree *t, u32 a, u32 b, bool by_total)
{
	const struct chain_node *x = &t->nodes[a], *y = &t->nodes[b];
	int c;

	if (by_total && chain_node_total(x) != chain_node_total(y))
		return chain_node_total(x) > chain_node_total(y);
	c = chain_keys_compare(&t->keys, *x->ids, *y->ids);
	return c ? c > 0 : a < b;
}

/* Merge sort from small runs up: no comparison that contradicts another one can break it. */
void chain_tree_sort(struct chain_tree *t, u32 *nodes, size_t n, bool by_total)
{
	size_t width, lo, mid, hi, i, j, k;

	vec_reserve(t->scratch, t->cap_scratch, n);
	for (width = 1; width < n; width *= 2) {
		for (lo = 0; lo < n; lo = hi) {
			mid = lo + width < n ? lo + width : n;
			hi = mid + width < n ? mid + width : n;
			for (i = lo, j = mid, k = lo; k < hi; k++)
				t->scratch[k] =
					i < mid && (j == hi ||
						    !is_before(t, nodes[j], nodes[i], by_total))
						? nodes[i++]
						: nodes[j++];
		}
		memcpy(nodes, t->scratch, n * sizeof(*nodes));
	}
}

void chain_tree_describe(struct chain_tree *t, u32 id, struct chain_frame *ret)
{
	chain_keys_describe(&t->keys, id, ret);
}

const struct chain_option *chain_tree_option(const struct chain_tree *t)
{
	return t->opt;
}

size_t chain_tree_nr_nodes(const struct chain_tree *t)
{
	return t->nr - 1;
}

size_t chain_tree_bytes(const struct chain_tree *t)
{
	return t->cap * sizeof(*t->nodes) + t->cap_slots * sizeof(*t->slots) +
	       (t->children.cap_start + t->children.cap_ids + t->cap_scratch) * sizeof(u32) +
	       chain_keys_bytes(&t->keys);
}
