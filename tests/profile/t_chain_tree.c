/* SPDX-License-Identifier: MIT */
#include "profile/chain_tree_priv.h"

#include <stdlib.h>
#include <string.h>

#include "tests/frame/unit.h"

/* Frames 0..25 are functions a..z at 0x1000 * n; 26..51 other addresses in them; others unknown. */
static void fake_frame(void *arg, u32 id, struct chain_frame *ret)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i",
					     "j", "k", "l", "m", "n", "o", "p", "q", "r",
					     "s", "t", "u", "v", "w", "x", "y", "z" };

	(void)arg;
	ret->ip = 0x1000 * (u64)(id % 26) + (id >= 26 ? 0x10 + id : 0);
	if (id < 52) {
		ret->name = names[id % 26];
		ret->sym_start = 0x1000 * (u64)(id % 26);
	}
}

static struct chain_tree *new_tree(struct chain_option *o, enum chain_order order)
{
	chain_option_init(o);
	o->order = order;
	return chain_tree_new(o, fake_frame, NULL);
}

static void add(struct chain_tree *t, const u32 *ids, size_t nr, u64 period, u64 samples)
{
	struct chain_row row = { ids, nr, period, samples };

	chain_tree_add(t, &row);
}

static bool all(void *arg, const struct chain_node *n, const struct chain_node *parent)
{
	(void)arg;
	(void)n;
	(void)parent;
	return true;
}

/* Nodes of the whole tree. */
static size_t nr_nodes_of(struct chain_tree *t)
{
	chain_tree_index(t, all, NULL);
	return chain_tree_nr_nodes(t);
}

static const struct chain_node *child(struct chain_tree *t, const struct chain_children *c,
				      u32 parent, u32 i)
{
	CHECK(c->start[parent] + i < c->start[parent + 1]);
	return chain_tree_node(t, c->ids[c->start[parent] + i]);
}

/* Frames 2n and 2n + 1 are two functions of one name. */
static void frame_of_two(void *arg, u32 id, struct chain_frame *ret)
{
	fake_frame(arg, id / 2, ret);
	ret->ip = ret->sym_start = 0x1000 * (u64)id;
}

/* The nodes of two stacks of functions that differ in their addresses alone. */
static size_t nr_nodes_by_name(bool by_name)
{
	static const u32 a[] = { 2, 0 }, b[] = { 3, 0 };
	struct chain_option o;
	struct chain_tree *t;
	size_t nr;

	chain_option_init(&o);
	o.order = CHAIN_CALLER;
	o.by_name = by_name;
	t = chain_tree_new(&o, frame_of_two, NULL);
	add(t, a, 2, 10, 1);
	add(t, b, 2, 10, 1);
	nr = nr_nodes_of(t);
	chain_tree_free(t);
	return nr;
}

TEST(by_name_functions_of_one_name_are_one_node)
{
	CHECK_EQ(nr_nodes_by_name(true), 1);
	CHECK_EQ(nr_nodes_by_name(false), 3);
}

TEST(equal_stacks_are_one_node)
{
	static const u32 ids[] = { 2, 1, 0 };
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, CHAIN_CALLEE);
	const struct chain_children *c;
	const struct chain_node *n;

	for (int i = 0; i < 5; i++)
		add(t, ids, 3, 10, 2);
	add(t, ids, 0, 7, 7);
	c = chain_tree_index(t, all, NULL);
	CHECK_EQ(chain_tree_nr_nodes(t), 1);
	n = child(t, c, CHAIN_ROOT, 0);
	CHECK_EQ(n->nr, 3);
	CHECK_EQ(n->hit, 50);
	CHECK_EQ(n->samples, 10);
	CHECK_EQ(n->below, 0);
	CHECK_EQ(chain_tree_frame_id(t, n, 0), 2);
	CHECK_EQ(chain_tree_frame_id(t, n, 2), 0);
	CHECK_EQ(chain_tree_node(t, CHAIN_ROOT)->below, 50);
	chain_tree_free(t);
}

/* Rows that begin with the same function are weighed together, whatever else they share. */
TEST(first_branches_are_weighed_alone)
{
	static const u32 abc[] = { 2, 1, 0 }, dba[] = { 26, 1, 3 };
	static const struct {
		enum chain_order order;
		u32 skip;
		u64 want; /* of dba after abc */
	} cases[] = {
		{ CHAIN_CALLER, 0, 5 }, { CHAIN_CALLER, 1, 12 }, { CHAIN_CALLER, 2, 5 },
		{ CHAIN_CALLEE, 0, 5 }, { CHAIN_CALLEE, 1, 12 }, { CHAIN_CALLEE, 2, 5 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct chain_row row = { abc, 3, 7, 1, .skip = cases[i].skip };
		struct chain_option o;
		struct chain_tree *t = new_tree(&o, cases[i].order);
		u64 total;

		CHECK(chain_tree_weigh(t, &row, &total));
		CHECK_EQ(total, 7);
		row.ids = dba;
		row.period = 5;
		CHECK(chain_tree_weigh(t, &row, &total));
		CHECK_EQ(total, cases[i].want);
		row.nr = 0;
		CHECK(!chain_tree_weigh(t, &row, &total));
		chain_tree_reset(t);
		row.nr = 3;
		CHECK(chain_tree_weigh(t, &row, &total));
		CHECK_EQ(total, 5);
		/* nothing of it is left in a tree */
		chain_tree_reset(t);
		add(t, abc, 3, 10, 1);
		CHECK_EQ(nr_nodes_of(t), 1);
		chain_tree_free(t);
	}
}

/* a;b;c and a;b;d fork behind b; then a;b ends where they fork, and a alone cuts once more. */
TEST(runs_are_cut_where_rows_part)
{
	static const u32 abc[] = { 2, 1, 0 }, abd[] = { 3, 1, 0 };
	static const struct chain_row rows[] = {
		{ abc, 3, 1, 1 },     { abd, 3, 2, 1 },  { abc + 1, 2, 4, 1 },
		{ abc + 2, 1, 8, 1 }, { abc, 3, 16, 1 },
	};
	static const size_t nodes[] = { 0, 1, 3, 3, 4, 4 };
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, CHAIN_CALLER);
	const struct chain_children *c;
	const struct chain_node *a, *b;

	for (size_t n = 0; n <= ARRAY_SIZE(rows); n++) {
		for (size_t i = 0; i < n; i++)
			chain_tree_add(t, &rows[i]);
		c = chain_tree_index(t, all, NULL);
		CHECK_EQ(chain_tree_nr_nodes(t), nodes[n]);
	}
	CHECK_EQ(c->start[1] - c->start[0], 1);
	a = child(t, c, CHAIN_ROOT, 0);
	CHECK_EQ(a->nr, 1);
	CHECK_EQ(a->hit, 8);
	CHECK_EQ(a->below, 23);
	CHECK_EQ(a->samples_below, 4);
	b = child(t, c, c->ids[c->start[CHAIN_ROOT]], 0);
	CHECK_EQ(b->nr, 1);
	CHECK_EQ(b->hit, 4);
	CHECK_EQ(b->below, 19);
	chain_tree_free(t);
}

TEST(addresses_of_a_function_are_one_frame)
{
	static const u32 one[] = { 1, 0 }, two[] = { 27, 0 };
	struct chain_option o;
	struct chain_tree *t;

	chain_option_init(&o);
	t = chain_tree_new(&o, fake_frame, NULL);
	add(t, one, 2, 1, 1);
	add(t, two, 2, 1, 1);
	CHECK_EQ(nr_nodes_of(t), 1);
	chain_tree_free(t);
	o.key = CHAIN_KEY_ADDRESS;
	t = chain_tree_new(&o, fake_frame, NULL);
	add(t, one, 2, 1, 1);
	add(t, two, 2, 1, 1);
	CHECK_EQ(nr_nodes_of(t), 2);
	chain_tree_free(t);
}

/* perf's tree compares a function with an address without a symbol by their addresses, and
 * functions by their starts: that is no order, so that it can miss a function and make a second
 * node of it. */
TEST(addresses_without_symbols_do_not_part_a_function)
{
	static const u32 stacks[][2] = { { 0, 31 }, { 0, 57 }, { 0, 58 },
					 { 0, 5 },  { 0, 83 }, { 0, 31 } };
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, CHAIN_CALLEE);

	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
		add(t, stacks[i], 2, 1, 1);
	CHECK_EQ(nr_nodes_of(t), 5); /* the leaf, its caller with a symbol, three without */
	chain_tree_free(t);
}

TEST(reset_forgets_rows)
{
	static const u32 ids[] = { 2, 1, 0 };
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, CHAIN_CALLER);
	u32 gone[] = { 2, 1, 0 };

	add(t, gone, 3, 1, 1);
	chain_tree_reset(t);
	memset(gone, 0xff, sizeof(gone));
	CHECK_EQ(chain_tree_nr_rows(t), 0);
	add(t, ids, 3, 1, 1);
	CHECK_EQ(chain_tree_nr_rows(t), 1);
	CHECK_EQ(child(t, chain_tree_index(t, all, NULL), CHAIN_ROOT, 0)->hit, 1);
	chain_tree_free(t);
}

TEST(row_of_an_accumulated_entry)
{
	static const u32 ids[] = { 3, 2, 1, 0 };
	struct chain_row r, whole = { ids, 4, 5, 1 };
	struct chain_option o;

	chain_option_init(&o);
	r = chain_row_of_caller(&o, &whole, 1);
	CHECK(r.ids == ids && r.skip == 1);
	o.order = CHAIN_CALLER;
	r = chain_row_of_caller(&o, &whole, 1);
	CHECK(r.ids == ids && r.skip == 2);
}

#define ROWS 400
#define DEPTH 12

struct model_row {
	u32 ids[DEPTH]; /* root first */
	size_t nr;
	u64 period;
};

static bool begins_with(const struct model_row *r, const u32 *prefix, size_t nr)
{
	if (r->nr < nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (r->ids[i] % 26 != prefix[i] % 26)
			return false;
	return true;
}

/* What a node has to hold, by counting through all rows. */
static void check_node(struct chain_tree *t, u32 node, const struct model_row *rows)
{
	u32 prefix[DEPTH], turned[DEPTH];
	size_t nr = 0, i;
	u64 hit = 0, below = 0;
	const struct chain_node *n;

	for (u32 at = node; at != CHAIN_ROOT; at = chain_tree_node(t, at)->parent) {
		n = chain_tree_node(t, at);
		for (u32 k = n->nr; k-- > 0;) {
			CHECK(nr < DEPTH);
			turned[nr++] = chain_tree_frame_id(t, n, k);
		}
	}
	for (i = 0; i < nr; i++)
		prefix[i] = turned[nr - 1 - i];
	for (i = 0; i < ROWS; i++)
		if (begins_with(&rows[i], prefix, nr)) {
			hit += rows[i].nr == nr ? rows[i].period : 0;
			below += rows[i].nr > nr ? rows[i].period : 0;
		}
	n = chain_tree_node(t, node);
	CHECK_EQ(n->hit, hit);
	CHECK_EQ(n->below, below);
}

TEST(random_rows_sum_up)
{
	static struct model_row rows[ROWS];
	static u32 ids[ROWS][DEPTH];
	u32 rnd = 12345;

	for (int order = 0; order < 2; order++) {
		struct chain_option o;
		struct chain_tree *t = new_tree(&o, order ? CHAIN_CALLER : CHAIN_CALLEE);
		const struct chain_children *c;
		size_t listed = 0;

		for (size_t i = 0; i < ROWS; i++) {
			struct model_row *r = &rows[i];

			rnd = rnd * 1664525u + 1013904223u;
			r->nr = 1 + (rnd >> 16) % DEPTH;
			r->period = (rnd >> 8) % 100;
			for (size_t k = 0; k < r->nr; k++) {
				rnd = rnd * 1664525u + 1013904223u;
				r->ids[k] = (rnd >> 16) % 2 + (rnd >> 20) % 2 * 26;
				ids[i][order ? r->nr - 1 - k : k] = r->ids[k];
			}
			add(t, ids[i], r->nr, r->period, 1);
		}
		c = chain_tree_index(t, all, NULL);
		for (u32 n = 0; n <= chain_tree_nr_nodes(t); n++) {
			check_node(t, n, rows);
			listed += c->start[n + 1] - c->start[n];
		}
		CHECK_EQ(listed, chain_tree_nr_nodes(t));
		CHECK(chain_tree_nr_nodes(t) < 2 * ROWS);
		chain_tree_free(t);
	}
}

/* A tree of stacks that end in circles is that of the same stacks with all turns. */
static void check_circles(enum chain_order order, u32 seed)
{
	static u32 ids[ROWS][DEPTH], whole[ROWS][DEPTH * 8];
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, order), *w = new_tree(&o, order);

	for (size_t i = 0; i < ROWS; i++) {
		struct chain_row row = { ids[i], 0, 1 + i % 5, 1 };

		for (size_t k = 0; k < DEPTH; k++) {
			seed = seed * 1664525u + 1013904223u;
			ids[i][k] = (seed >> 16) % 2 + (seed >> 20) % 2 * 26;
		}
		row.nr = 1 + (seed >> 8) % DEPTH;
		row.turn = (u32)(i % 3 ? 1 + (seed >> 12) % row.nr : 0);
		row.more = row.turn * (1 + (seed >> 24) % 5);
		for (size_t k = 0; k < row.nr + row.more; k++)
			whole[i][k] = k < row.nr ? ids[i][k] : whole[i][k - row.turn];
		row.skip = i % 2 ? (seed >> 4) % (u32)(row.nr + row.more) : 0;
		chain_tree_add(t, &row);
		row.ids = whole[i] + (order == CHAIN_CALLEE ? row.skip : 0);
		row.nr = row.nr + row.more - row.skip;
		row.turn = row.more = row.skip = 0;
		chain_tree_add(w, &row);
	}
	chain_tree_index(t, all, NULL);
	chain_tree_index(w, all, NULL);
	CHECK_EQ(chain_tree_nr_nodes(t), chain_tree_nr_nodes(w));
	CHECK(chain_tree_nr_nodes(t) > ROWS / 4);
	for (u32 n = 0; n <= chain_tree_nr_nodes(t); n++) {
		const struct chain_node *a = chain_tree_node(t, n), *b = chain_tree_node(w, n);

		CHECK_EQ(a->nr, b->nr);
		CHECK_EQ(a->parent, b->parent);
		CHECK_EQ(a->hit, b->hit);
		CHECK_EQ(a->below, b->below);
		for (u32 k = 0; k < a->nr; k++)
			CHECK_EQ(chain_tree_frame_id(t, a, k) % 26,
				 chain_tree_frame_id(w, b, k) % 26);
	}
	chain_tree_free(t);
	chain_tree_free(w);
}

TEST(stacks_with_circles)
{
	for (u32 seed = 1; seed <= 50; seed++) {
		check_circles(CHAIN_CALLEE, seed);
		check_circles(CHAIN_CALLER, seed);
	}
}

static bool above(void *arg, const struct chain_node *n, const struct chain_node *parent)
{
	(void)parent;
	return chain_node_total(n) >= *(const u64 *)arg;
}

/* What is below the limit is never made, and changes nothing of what is above it. */
TEST(unwanted_nodes_are_not_made)
{
	static u32 ids[ROWS][DEPTH];
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, CHAIN_CALLEE);
	size_t nr[2] = { 0, 0 }, lengths[ROWS];
	u64 limit = ROWS / 5, sums[2] = { 0, 0 };
	u32 rnd = 99;

	for (size_t i = 0; i < ROWS; i++) {
		for (size_t k = 0; k < DEPTH; k++) {
			rnd = rnd * 1664525u + 1013904223u;
			ids[i][k] = (rnd >> 16) % 3;
		}
		lengths[i] = 1 + (rnd >> 24) % DEPTH;
	}
	for (int pruned = 0; pruned < 2; pruned++) {
		for (size_t i = 0; i < ROWS; i++)
			add(t, ids[i], lengths[i], 1, 1);
		chain_tree_index(t, pruned ? above : all, &limit);
		for (u32 n = 0; n <= chain_tree_nr_nodes(t); n++) {
			const struct chain_node *node = chain_tree_node(t, n);

			if (chain_node_total(node) < limit)
				continue;
			nr[pruned]++;
			sums[pruned] += node->hit * 3 + node->below * 7 + node->nr;
		}
	}
	CHECK(nr[0] > 3);
	CHECK_EQ(nr[0], nr[1]);
	CHECK_EQ(sums[0], sums[1]);
	CHECK_EQ(chain_tree_nr_nodes(t) + 1, nr[1]);
	chain_tree_free(t);
}

static u32 first_frame(const struct chain_tree *t, u32 node)
{
	return chain_tree_frame_id(t, chain_tree_node(t, node), 0);
}

TEST(equal_weights_are_ordered_by_address)
{
	static const u32 a[] = { 0 }, b[] = { 1 }, d[] = { 3 };
	struct chain_option o;
	struct chain_tree *t = new_tree(&o, CHAIN_CALLEE);
	u32 nodes[] = { 1, 2, 3 };

	add(t, b, 1, 5, 1);
	add(t, d, 1, 5, 1);
	add(t, a, 1, 6, 1);
	chain_tree_index(t, all, NULL);
	chain_tree_sort(t, nodes, 3, true);
	CHECK_EQ(first_frame(t, nodes[0]), 0);
	CHECK_EQ(first_frame(t, nodes[1]), 3);
	CHECK_EQ(first_frame(t, nodes[2]), 1);
	chain_tree_sort(t, nodes, 3, false);
	CHECK_EQ(first_frame(t, nodes[0]), 3);
	CHECK_EQ(first_frame(t, nodes[2]), 0);
	chain_tree_free(t);
}
