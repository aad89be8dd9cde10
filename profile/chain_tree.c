/* SPDX-License-Identifier: MIT */
#include "profile/chain_tree_priv.h"

#include "base/mem.h"
#include "profile/chain_keys.h"

#define AHEAD 16 /* how many rows before its turn a row is prefetched */
#define CACHE_LINE 64
#define BLOCK 8 /* ids that are compared at once */

/* A row of the entry. */
struct row {
	struct chain_path path;
	u32 group; /* 1 + its group at the current node; 0: the row ends there */
	u64 period, samples;
};

/* The rows of a node that continue with the same frame. */
struct group {
	u32 key;
	u32 nr_rows;
	u32 at;    /* where the next of its rows is moved to */
	u32 first; /* its first row */
	u64 period, samples;
	bool wanted;
};

/* The rows of a node, and how many of their frames lie above and in it. */
struct range {
	u32 start, end;
	u32 depth;
};

struct chain_tree {
	const struct chain_option *opt;
	int step; /* from a frame to the next one in memory: 1 or -1 */
	struct chain_keys keys;
	struct row *rows;
	size_t nr_rows, cap_rows;
	/* made by chain_tree_index: */
	struct chain_node *nodes; /* the root first */
	size_t nr, cap;
	struct range *ranges; /* by node */
	size_t cap_ranges;
	struct chain_children children;
	struct row *moved; /* rows that are being sorted by group */
	size_t cap_moved;
	struct group *groups; /* of the current node */
	size_t nr_groups, cap_groups;
	u32 *group_of; /* by key: group + 1 */
	size_t nr_keys;
	u32 *scratch;
	size_t cap_scratch;
};

struct chain_tree *chain_tree_new(const struct chain_option *opt, chain_frame_fn *frame, void *arg)
{
	struct chain_tree *t = xcalloc(1, sizeof(*t));

	t->opt = opt;
	t->step = opt->order == CHAIN_CALLER ? -1 : 1;
	chain_keys_init(&t->keys, opt->key, frame, arg);
	t->keys.full_path = opt->full_path;
	t->keys.by_name = opt->by_name;
	chain_tree_reset(t);
	return t;
}

void chain_tree_free(struct chain_tree *t)
{
	if (!t)
		return;
	chain_keys_fini(&t->keys);
	free(t->rows);
	free(t->nodes);
	free(t->ranges);
	free(t->children.start);
	free(t->children.ids);
	free(t->moved);
	free(t->groups);
	free(t->group_of);
	free(t->scratch);
	free(t);
}

void chain_tree_set_order(struct chain_tree *t, const struct object_order *order)
{
	t->keys.order = order;
}

/* The groups that chain_tree_weigh() has made have no rows any more. */
static void forget_groups(struct chain_tree *t)
{
	for (size_t i = 0; i < t->nr_groups; i++)
		t->group_of[t->groups[i].key] = 0;
	t->nr_groups = 0;
}

void chain_tree_reset(struct chain_tree *t)
{
	t->nr_rows = t->nr = 0;
	forget_groups(t);
}

static struct chain_path path_of(const struct chain_tree *t, const struct chain_row *row)
{
	return (struct chain_path){ .first = t->step > 0 ? row->ids : row->ids + row->nr - 1,
				    .nr = (u32)row->nr + row->more - row->skip,
				    .skip = row->skip,
				    .turn = row->turn,
				    .more = row->more };
}

void chain_tree_add(struct chain_tree *t, const struct chain_row *row)
{
	struct row r = { .period = row->period, .samples = row->samples };

	if (!row->nr)
		return;
	r.path = path_of(t, row);
	vec_push(t->rows, t->nr_rows, t->cap_rows, r);
}

const struct chain_node *chain_tree_node(const struct chain_tree *t, u32 node)
{
	return &t->nodes[node];
}

u32 chain_tree_frame_id(const struct chain_tree *t, const struct chain_node *n, u32 i)
{
	return *chain_path_at(&n->path, t->step, n->depth + i);
}

static const u32 *frame_of(const struct chain_tree *t, const struct row *r, u32 depth)
{
	return chain_path_at(&r->path, t->step, depth);
}

static bool is_same_frame(struct chain_tree *t, u32 a, u32 b)
{
	return a == b || chain_keys_get(&t->keys, a) == chain_keys_get(&t->keys, b);
}

/* Prefetches n frames of a later row: the ids of rows lie scattered in memory. */
static inline void fetch_row(const struct chain_tree *t, const struct range *r, u32 i, u32 n)
{
	const struct chain_path *p;
	const u32 *first;

	if (r->end - i <= AHEAD)
		return;
	p = &t->rows[i + AHEAD].path;
	/* a repeated part has few frames in memory */
	first = p->first + (ptrdiff_t)(p->turn ? 0 : p->skip + r->depth) * t->step;
	n = n < p->skip + p->nr - p->more ? n : p->skip + p->nr - p->more;
	for (u32 k = 0; k < n; k += CACHE_LINE / sizeof(u32))
		__builtin_prefetch(first + (ptrdiff_t)k * t->step);
}

/* 1 + the group of a key at the current node; makes the group when it is new. */
static u32 group_of_key(struct chain_tree *t, u32 key, u32 row)
{
	size_t had = t->nr_keys;

	if (key >= had) {
		vec_reserve(t->group_of, t->nr_keys, (size_t)key + 1);
		memset(t->group_of + had, 0, (t->nr_keys - had) * sizeof(*t->group_of));
	}
	if (!t->group_of[key]) {
		vec_push(t->groups, t->nr_groups, t->cap_groups,
			 ((struct group){ .key = key, .first = row }));
		t->group_of[key] = (u32)t->nr_groups;
	}
	return t->group_of[key];
}

bool chain_tree_weigh(struct chain_tree *t, const struct chain_row *row, u64 *ret_total)
{
	struct chain_path path;
	u32 key, group;

	if (!row->nr)
		return false;
	path = path_of(t, row);
	if (!path.nr)
		return false;
	key = chain_keys_get(&t->keys, *chain_path_at(&path, t->step, 0));
	group = group_of_key(t, key, 0);
	*ret_total = t->groups[group - 1].period += row->period;
	return true;
}

/* Finds the group of each row of a node, and sums up their weights. */
static void find_groups(struct chain_tree *t, u32 node)
{
	const struct range *r = &t->ranges[node];
	struct chain_node *n = &t->nodes[node];

	t->nr_groups = 0;
	for (u32 i = r->start; i < r->end; i++) {
		struct row *row = &t->rows[i];
		struct group *g;

		fetch_row(t, r, i, 1);
		row->group = 0;
		if (row->path.nr == r->depth) {
			n->hit += row->period;
			n->samples += row->samples;
			continue;
		}
		row->group =
			group_of_key(t, chain_keys_get(&t->keys, *frame_of(t, row, r->depth)), i);
		g = &t->groups[row->group - 1];
		g->nr_rows++;
		g->period += row->period;
		g->samples += row->samples;
	}
	for (size_t i = 0; i < t->nr_groups; i++) {
		n->below += t->groups[i].period;
		n->samples_below += t->groups[i].samples;
		t->group_of[t->groups[i].key] = 0;
	}
}

/* Moves the rows of wanted groups together, group by group; within a group their order stays. */
static void move_rows(struct chain_tree *t, const struct range *r)
{
	u32 nr = 0, i;

	for (i = 0; i < t->nr_groups; i++) {
		t->groups[i].at = nr;
		if (t->groups[i].wanted)
			nr += t->groups[i].nr_rows;
	}
	if (nr == r->end - r->start && t->nr_groups == 1)
		return;
	vec_reserve(t->moved, t->cap_moved, nr);
	for (i = r->start; i < r->end; i++) {
		const struct row *row = &t->rows[i];

		if (row->group && t->groups[row->group - 1].wanted)
			t->moved[t->groups[row->group - 1].at++] = *row;
	}
	if (nr)
		memcpy(t->rows + r->start, t->moved, nr * sizeof(*t->moved));
}

/* Whether the BLOCK frames from a on and from b on have the same ids. */
static bool same_block(const struct chain_tree *t, const u32 *a, const u32 *b)
{
	ptrdiff_t low = t->step > 0 ? 0 : 1 - BLOCK;

	return !memcmp(a + low, b + low, BLOCK * sizeof(*a));
}

/* How many of n frames from a on and from b on are equal; all of them follow each other in memory.
 */
static u32 common_ids(struct chain_tree *t, const u32 *a, const u32 *b, u32 n)
{
	u32 k = 0, end;

	while (k < n) {
		if (n - k >= BLOCK && same_block(t, a, b)) {
			k += BLOCK;
			a += BLOCK * t->step;
			b += BLOCK * t->step;
			continue;
		}
		for (end = n - k < BLOCK ? n : k + BLOCK; k < end; k++) {
			if (!is_same_frame(t, *a, *b))
				return k;
			a += t->step;
			b += t->step;
		}
	}
	return n;
}

/* How many frames from `depth` on are in repeated parts with turns of equal length. */
static u32 both_turn(const struct chain_path *a, const struct chain_path *b, int step, u32 depth)
{
	u32 x, y;

	if (!a->turn || a->turn != b->turn)
		return 0;
	x = chain_path_turning(a, step, depth);
	y = chain_path_turning(b, step, depth);
	return x < y ? x : y;
}

/* How many of the n frames of two rows from `depth` on are equal. */
static u32 common_frames(struct chain_tree *t, const struct chain_path *a,
			 const struct chain_path *b, u32 depth, u32 n)
{
	u32 turning = both_turn(a, b, t->step, depth), k = 0, same;

	while (k < n) {
		u32 reach_a, reach_b, len;
		const u32 *x = chain_path_run(a, t->step, depth + k, &reach_a);
		const u32 *y = chain_path_run(b, t->step, depth + k, &reach_b);

		len = reach_a < reach_b ? reach_a : reach_b;
		len = len < n - k ? len : n - k;
		same = common_ids(t, x, y, len);
		k += same;
		if (same < len)
			break;
		/* frames that were equal for a whole turn stay equal */
		if (k < turning && k >= a->turn)
			k = turning < n ? turning : n;
	}
	return k;
}

/* How many frames from its depth on are equal in all rows of a range. */
static u32 count_common_frames(struct chain_tree *t, const struct range *r)
{
	const struct chain_path *first = &t->rows[r->start].path;
	u32 n = first->nr - r->depth;

	/* the first frame is equal in all of them: they are one group */
	for (u32 i = r->start + 1; i < r->end && n > 1; i++) {
		const struct chain_path *p = &t->rows[i].path;

		fetch_row(t, r, i, n);
		if (n > p->nr - r->depth)
			n = p->nr - r->depth;
		n = 1 + common_frames(t, first, p, r->depth + 1, n - 1);
	}
	return n;
}

static void add_child(struct chain_tree *t, u32 parent, const struct range *r)
{
	struct range below = *r;
	struct chain_node n = {
		.path = t->rows[r->start].path,
		.depth = r->depth,
		.nr = count_common_frames(t, r),
		.parent = parent,
	};

	below.depth += n.nr;
	vec_reserve(t->ranges, t->cap_ranges, t->nr + 1);
	t->ranges[t->nr] = below;
	vec_push(t->nodes, t->nr, t->cap, n);
}

static void add_children(struct chain_tree *t, u32 node, chain_wanted_fn *wanted, void *arg)
{
	struct range r = t->ranges[node], child;

	for (size_t i = 0; i < t->nr_groups; i++) {
		struct group *g = &t->groups[i];
		struct chain_node n = { .below = g->period, .samples_below = g->samples };

		g->wanted = wanted(arg, &n, &t->nodes[node]);
	}
	move_rows(t, &r);
	child = (struct range){ r.start, r.start, r.depth };
	for (size_t i = 0; i < t->nr_groups; i++) {
		if (!t->groups[i].wanted)
			continue;
		child.start = child.end;
		child.end += t->groups[i].nr_rows;
		add_child(t, node, &child);
	}
}

/* Makes nodes level by level, so that the children of a node follow each other. */
const struct chain_children *chain_tree_index(struct chain_tree *t, chain_wanted_fn *wanted,
					      void *arg)
{
	struct chain_children *c = &t->children;
	u32 node;

	t->nr = 0;
	vec_reserve(t->ranges, t->cap_ranges, 1);
	t->ranges[0] = (struct range){ 0, (u32)t->nr_rows, 0 };
	vec_push(t->nodes, t->nr, t->cap, ((struct chain_node){ 0 }));
	for (node = CHAIN_ROOT; node < t->nr; node++) {
		vec_reserve(c->start, c->cap_start, node + 2);
		c->start[node] = (u32)t->nr - 1;
		find_groups(t, node);
		add_children(t, node, wanted, arg);
		c->start[node + 1] = (u32)t->nr - 1;
	}
	vec_reserve(c->ids, c->cap_ids, t->nr);
	for (node = 1; node < t->nr; node++)
		c->ids[node - 1] = node;
	t->nr_rows = 0;
	return c;
}

static bool is_before(struct chain_tree *t, u32 a, u32 b, bool by_total)
{
	const struct chain_node *x = &t->nodes[a], *y = &t->nodes[b];
	int c;

	if (by_total && chain_node_total(x) != chain_node_total(y))
		return chain_node_total(x) > chain_node_total(y);
	c = chain_keys_compare(&t->keys, chain_tree_frame_id(t, x, 0),
			       chain_tree_frame_id(t, y, 0));
	return c ? c > 0 : a < b;
}

/* Merge sort, because the comparison is not always transitive, which qsort requires. */
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

size_t chain_tree_nr_rows(const struct chain_tree *t)
{
	return t->nr_rows;
}

size_t chain_tree_nr_nodes(const struct chain_tree *t)
{
	return t->nr ? t->nr - 1 : 0;
}
