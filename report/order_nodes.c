/* SPDX-License-Identifier: MIT */
#include "report/order_nodes.h"

#include "base/mem.h"

#define MAX_DEPTH 64 /* a red-black tree of 2^31 nodes is no deeper than 62 */
#define FLAG (1u << 31)
#define NUMBER (FLAG - 1)
/*
 * Items that go down the tree side by side: each step of one waits for memory and for what its
 * comparison says, so that several take little longer than one.
 */
#define BATCH 8
#define WORD_SHIFT 4            /* of nodes of one word */
#define MAX_CHANGED (BATCH * 8) /* an insertion changes the children of 6 nodes at most */

/*
 * Item i is node i + 1; 0 is none, and a child of itself. Flags: of child[0] that the node is red,
 * of child[1] that its children are others than when the batch went down.
 */
struct node {
	u32 child[2];
	u64 words[];
};

/*
 * The way from the root to a node: the nodes, and the side that each was left by, from the highest
 * bit on.
 */
struct path {
	u32 nodes[MAX_DEPTH];
	u64 sides;
	u32 nr;
};

/* How nodes are compared. */
enum form {
	FORM_ANY,
	FORM_ADDR, /* one word, of order_pack.h */
	FORM_TASK,
};

/* What stays while items are put in; copied where it is used, as bytes that are written could be
 * it. */
struct nodes {
	u8 *at;
	unsigned int shift; /* a node takes 1 << shift bytes */
	const struct order_words *w;
	struct order_pack pack; /* FORM_ADDR, FORM_TASK */
};

struct tree {
	struct nodes nodes;
	u32 root;
	struct path path; /* to the item put in last, where that is the last in order */
	struct path ways[BATCH];
	u32 changed[MAX_CHANGED];
	u32 nr_changed;
};

static inline struct node *node_of(const struct nodes *nodes, u32 n)
{
	return (struct node *)(void *)(nodes->at + ((size_t)n << nodes->shift));
}

static inline struct node *node_at(const struct tree *t, u32 n)
{
	return node_of(&t->nodes, n);
}

/* The nodes of a form: those of one word are of a size that is known. */
static inline __attribute__((always_inline)) struct nodes nodes_of(const struct tree *t,
								   enum form form)
{
	struct nodes n = t->nodes;

	if (form != FORM_ANY)
		n.shift = WORD_SHIFT;
	return n;
}

static u32 child_of(const struct node *n, int side)
{
	return n->child[side] & NUMBER;
}

static void set_child(struct tree *t, u32 at, int side, u32 child)
{
	struct node *n = node_at(t, at);

	n->child[side] = (n->child[side] & FLAG) | child;
	if (n->child[1] & FLAG)
		return;
	n->child[1] |= FLAG;
	t->changed[t->nr_changed++] = at;
}

static void forget_changes(struct tree *t)
{
	while (t->nr_changed)
		node_at(t, t->changed[--t->nr_changed])->child[1] &= NUMBER;
}

static bool is_red(const struct node *n)
{
	return n->child[0] & FLAG;
}

static void set_red(struct node *n, bool red)
{
	n->child[0] = (n->child[0] & NUMBER) | (red ? FLAG : 0);
}

static int side_of_any(const struct order_words *w, const u64 *x, const u64 *y)
{
	for (size_t i = 0; i < w->nr; i++) {
		u64 a = x[i], b = y[i];

		if (a == b)
			continue;
		switch (w->kinds[i]) {
		case ORDER_WORD: return a >= b;
		case ORDER_ADDR: return (s64)(a - b) >= 0;
		case ORDER_TASK:
			if (a >> 32 != b >> 32)
				continue;
			return a >= b;
		case ORDER_MARKED:
			if (a & b & 1)
				continue;
			return a >= b;
		case ORDER_OLDEST: return 1;
		case ORDER_LATEST: return 0;
		}
	}
	return 1;
}

/* The side of a node with words y that an item with words x belongs on: 0 when x is before y. */
static inline __attribute__((always_inline)) int side_of(const struct nodes *n, enum form form,
							 const u64 *x, const u64 *y)
{
	if (form == FORM_ANY)
		return side_of_any(n->w, x, y);
	return order_pack_side(&n->pack, form == FORM_ADDR ? ORDER_ADDR : ORDER_TASK, *x, *y);
}

static inline int side_at(const struct path *p, size_t at)
{
	return (int)(p->sides << at >> 63);
}

/* Goes on from the end of a path at node `at`. */
static inline void step(struct path *p, u32 at, int side)
{
	u64 bit = 1ull << (MAX_DEPTH - 1 - p->nr);

	p->sides = (p->sides & ~bit) | (side ? bit : 0);
	p->nodes[p->nr++] = at;
}

/* Hangs a node where the one at p->nodes[at] hangs. */
static void hang(struct tree *t, const struct path *p, size_t at, u32 n)
{
	if (at)
		set_child(t, p->nodes[at - 1], side_at(p, at - 1), n);
	else
		t->root = n;
}

/*
 * The textbook's repair of a red-black tree after the last node of the path was put in. Of a path
 * along the end of the tree the nodes that are no more on it are taken out.
 */
static void rebalance(struct tree *t, struct path *p)
{
	size_t at = p->nr - 1; /* a red node */

	while (at >= 2) {
		u32 n = p->nodes[at], parent = p->nodes[at - 1], grand = p->nodes[at - 2], uncle;
		int side = side_at(p, at - 2);

		if (!is_red(node_at(t, parent)))
			return;
		uncle = child_of(node_at(t, grand), !side);
		if (uncle && is_red(node_at(t, uncle))) {
			set_red(node_at(t, parent), false);
			set_red(node_at(t, uncle), false);
			set_red(node_at(t, grand), true);
			at -= 2;
			continue;
		}
		if (side_at(p, at - 1) != side) {
			set_child(t, parent, !side, child_of(node_at(t, n), side));
			set_child(t, n, side, parent);
			parent = n;
		}
		set_child(t, grand, side, child_of(node_at(t, parent), !side));
		set_child(t, parent, !side, grand);
		set_red(node_at(t, parent), false);
		set_red(node_at(t, grand), true);
		hang(t, p, at - 2, parent);
		p->nr--;
		memmove(p->nodes + at - 2, p->nodes + at - 1, (p->nr - (at - 2)) * sizeof(u32));
		return;
	}
	set_red(node_at(t, t->root), false);
}

/* From the end of the path at node `at` on down, then puts the item in. */
static inline __attribute__((always_inline)) void put_in(struct tree *t, enum form form,
							 struct path *p, u32 at, u32 item)
{
	const struct nodes nodes = nodes_of(t, form);
	struct node *n = node_of(&nodes, item);

	while (at) {
		const struct node *x = node_of(&nodes, at);
		int side = side_of(&nodes, form, n->words, x->words);

		step(p, at, side);
		at = child_of(x, side);
	}
	n->child[0] = FLAG;
	n->child[1] = 0;
	hang(t, p, p->nr, item);
	p->nodes[p->nr++] = item;
	rebalance(t, p);
}

/* An item on its way down. */
struct lane {
	const u64 *words; /* in memory */
	u64 word;         /* the first of them */
	u32 *nodes;       /* of the way */
	struct path *way;
	u64 sides; /* the last one lowest */
	u32 at;
};

static void end_lane(const struct lane *l, u32 depth)
{
	l->way->nodes[depth] = 0;
	l->way->sides = depth ? l->sides << (MAX_DEPTH - depth) : 0;
}

/* The ways of some items, in the tree as it is now. */
static inline __attribute__((always_inline)) void go_down(struct tree *t, enum form form,
							  const u32 *items, u32 n)
{
	const struct nodes nodes = nodes_of(t, form);
	struct lane lanes[BATCH], *end = lanes, *l;
	u32 depth = 0;

	for (u32 i = 0; i < n; i++) {
		const u64 *words = node_of(&nodes, items[i] + 1)->words;

		*end = (struct lane){ .words = words,
				      .word = *words,
				      .nodes = t->ways[i].nodes,
				      .way = &t->ways[i],
				      .at = t->root };
		if (t->root)
			end++;
		else
			end_lane(end, 0);
	}
	for (; end != lanes; depth++) {
		for (l = lanes; l != end;) {
			const struct node *x = node_of(&nodes, l->at);
			int side = side_of(&nodes, form, form == FORM_ANY ? l->words : &l->word,
					   x->words);
			u32 child = child_of(x, side);

			__builtin_prefetch(node_of(&nodes, child));
			l->nodes[depth] = l->at;
			l->sides += l->sides + (u64)side;
			l->at = child;
			if (child) {
				l++;
				continue;
			}
			end_lane(l, depth + 1);
			*l = *--end;
		}
	}
}

/*
 * The end of a way, or where it has to be gone anew since others of the batch changed the tree: the
 * node to go on from, 0 at its end.
 */
static inline __attribute__((always_inline)) u32 check_way(const struct tree *t, enum form form,
							   struct path *p, u32 old_root)
{
	const struct nodes nodes = nodes_of(t, form);
	const u32 *at;

	if (t->root != old_root) {
		p->nr = 0;
		return t->root;
	}
	for (at = p->nodes; *at; at++) {
		const struct node *x = node_of(&nodes, *at);

		if (x->child[1] & FLAG) {
			p->nr = (u32)(at - p->nodes) + 1;
			return child_of(x, side_at(p, p->nr - 1));
		}
	}
	p->nr = (u32)(at - p->nodes);
	return 0;
}

static inline __attribute__((always_inline)) void put_in_batch(struct tree *t, enum form form,
							       const u32 *items, u32 n)
{
	u32 root = t->root;

	go_down(t, form, items, n);
	for (u32 i = 0; i < n; i++) {
		u32 at = check_way(t, form, &t->ways[i], root);

		put_in(t, form, &t->ways[i], at, items[i] + 1);
	}
	forget_changes(t);
}

/* Whether the way was along the end of the tree, to a place behind all others: t->path is it. */
static bool find_end(struct tree *t, const struct path *way)
{
	struct path *p = &t->path;

	/* the last node is the item itself */
	if (~way->sides >> (MAX_DEPTH - way->nr) >> 1)
		return false;
	p->nr = 0;
	for (u32 at = t->root; at; at = child_of(node_at(t, at), 1))
		step(p, at, 1);
	return true;
}

/*
 * What is known of the words along the end of the tree: none has a higher first column than the
 * last one, and the addresses of those with the same one are on the way from low to high, which is
 * less than half the circle. So most items are known to belong behind them all.
 */
struct arc {
	u64 low, high; /* high: word of the item put in last */
	bool known;
};

static inline bool same_first(const struct order_pack *p, u64 x, u64 y)
{
	return !((x ^ y) >> (64 - p->first_bits));
}

/* How far it is from one address to the other. */
static inline u64 way_between(const struct order_pack *p, u64 from, u64 to)
{
	return ((to << p->first_bits) & p->middle) - ((from << p->first_bits) & p->middle);
}

static inline bool is_behind(const struct order_pack *p, const struct arc *a, u64 x)
{
	u64 way, whole;

	if (!a->known || !same_first(p, x, a->high))
		return a->known && x > a->high;
	way = way_between(p, a->low, x);
	whole = way_between(p, a->low, a->high);
	return (s64)way >= 0 && (way > whole || (way == whole && x >= a->high));
}

/* The arc to an item that was found to belong behind all of the path. */
static struct arc arc_to(const struct nodes *nodes, const struct path *p, u64 x)
{
	struct arc a = { x, x, true };

	for (u32 k = 0; k < p->nr; k++) {
		u64 y = node_of(nodes, p->nodes[k])->words[0];

		if (same_first(&nodes->pack, x, y) &&
		    way_between(&nodes->pack, y, x) > way_between(&nodes->pack, a.low, x))
			a.low = y;
	}
	return a;
}

/* The first node of the path that an item is before; 0: none. The path is cut behind it. */
static inline __attribute__((always_inline)) u32 turn_of(const struct nodes *nodes, enum form form,
							 struct path *p, const u64 *words)
{
	for (u32 k = 0; k < p->nr; k++)
		if (!side_of(nodes, form, words, node_of(nodes, p->nodes[k])->words)) {
			p->nr = k;
			return p->nodes[k];
		}
	return 0;
}

/*
 * Puts in items from the end as long as they belong there: what is in order already costs little,
 * as the nodes to compare with are known beforehand. Returns how many it put in, one of which may
 * have belonged elsewhere.
 */
static inline __attribute__((always_inline)) u32 put_in_at_end(struct tree *t, enum form form,
							       const u32 *items, u32 n)
{
	const struct nodes nodes = nodes_of(t, form);
	struct path *p = &t->path;
	struct arc a = { 0 };
	u32 i = 0, at = 0;

	while (i < n && !at) {
		const u64 *words = node_of(&nodes, items[i] + 1)->words;

		p->sides = UINT64_MAX;
		if (form != FORM_ADDR || !is_behind(&nodes.pack, &a, *words)) {
			at = turn_of(&nodes, form, p, words);
			if (form == FORM_ADDR)
				a = arc_to(&nodes, p, *words);
		} else {
			a.low = same_first(&nodes.pack, *words, a.high) ? a.low : *words;
			a.high = *words;
		}
		put_in(t, form, p, at, items[i++] + 1);
		forget_changes(t);
	}
	return i;
}

static inline __attribute__((always_inline)) void put_in_all(struct tree *t, enum form form,
							     const u32 *items, u32 n)
{
	u32 i = 0, nr;

	while (i < n) {
		nr = n - i < BATCH ? n - i : BATCH;
		for (u32 k = i + nr; k < i + 2 * nr && k < n; k++)
			__builtin_prefetch(node_at(t, items[k] + 1));
		put_in_batch(t, form, items + i, nr);
		i += nr;
		if (find_end(t, &t->ways[nr - 1]))
			i += put_in_at_end(t, form, items + i, n - i);
	}
}

/* The right side of the node is listed soon: it is in the cache, what hangs there is fetched. */
static void fetch_below(const struct tree *t, u32 at)
{
	const struct node *right = node_at(t, child_of(node_at(t, at), 1));

	__builtin_prefetch(node_at(t, child_of(right, 0)));
	__builtin_prefetch(node_at(t, child_of(right, 1)));
}

static void list(const struct tree *t, u32 *items)
{
	u32 stack[MAX_DEPTH], nr = 0, n = 0, at = t->root;

	while (at || nr) {
		for (; at; at = child_of(node_at(t, at), 0)) {
			stack[nr++] = at;
			__builtin_prefetch(node_at(t, child_of(node_at(t, at), 1)));
		}
		at = stack[--nr];
		if (nr)
			fetch_below(t, stack[nr - 1]);
		items[n++] = at - 1;
		at = child_of(node_at(t, at), 1);
	}
}

static void sort_any(struct tree *t, u32 *items, u32 n)
{
	const struct order_words *w = t->nodes.w;

	for (u32 i = 0; i < w->nr_items; i++)
		for (size_t k = 0; k < w->nr; k++)
			node_at(t, i + 1)->words[k] = w->columns[k][i];
	put_in_all(t, FORM_ANY, items, n);
}

static void sort_packed(struct tree *t, u32 *items, u32 n)
{
	const u64 *words = t->nodes.pack.words;

	for (u32 i = 0; i < t->nodes.w->nr_items; i++)
		node_at(t, i + 1)->words[0] = words[i];
	if (t->nodes.pack.kind == ORDER_ADDR)
		put_in_all(t, FORM_ADDR, items, n);
	else
		put_in_all(t, FORM_TASK, items, n);
}

void order_nodes_sort(const struct order_words *w, const struct order_pack *pack, u32 *items, u32 n)
{
	struct tree t = { .nodes.w = w };
	size_t nr_words = pack ? 1 : w->nr, size;

	while ((size_t)1 << t.nodes.shift < sizeof(struct node) + nr_words * sizeof(u64))
		t.nodes.shift++;
	size = ((size_t)w->nr_items + 1) << t.nodes.shift;
	t.nodes.at = table_alloc_any(size);
	memset(t.nodes.at, 0, (size_t)1 << t.nodes.shift);
	if (pack) {
		t.nodes.pack = *pack;
		sort_packed(&t, items, n);
	} else {
		sort_any(&t, items, n);
	}
	list(&t, items);
	table_free(t.nodes.at, size);
}
