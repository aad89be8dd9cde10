/* SPDX-License-Identifier: MIT */
/*
 * Names of nodes, by what their callers call. A function calls few others, so a node's name is a
 * small number: the place in the list of those that are called from the function above it, of which
 * the most frequent comes first.
 */
#include "picture/page_priv.h"

#define OFTEN 255 /* callees of fewer nodes are sorted without comparing them */

/* A node and what it is sorted by: a number of its caller, or of its name. */
struct keyed_node {
	u32 key, node;
};

struct callee {
	u32 name;  /* its number */
	u32 nodes; /* at least 1 */
	u32 first; /* its first node in keyed_node[] */
};

struct callees {
	struct keyed_node *nodes; /* by caller, then by name */
	u32 *ends;                /* by caller: where its nodes end */
	struct callee *list, *spare;
	u32 *places; /* by node: its place in the list of its caller */
};

/* Number of the name above a node + 1; 0: the top. */
static u32 caller_of(const struct page *p, const u32 *numbers, u32 node)
{
	u32 parent = p->nodes[node].parent;

	return parent == PAGE_TOP ? 0 : numbers[p->nodes[parent].name] + 1;
}

/* Counts become places: ends[k] is where those of k begin, until they are put there. */
static void begin_runs(u32 *ends, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		ends[i] += ends[i - 1];
}

/* Two passes of a counting sort: by name, then by caller. */
static void sort_nodes(const struct page *p, const u32 *numbers, struct callees *c)
{
	size_t nr = p->nr_nodes, nr_keys = p->nr_names + 2, size = nr * sizeof(*c->nodes);
	struct keyed_node *by_name = table_alloc_any(size);
	u32 *ends = xcalloc(nr_keys, sizeof(*ends)), at = 0;

	for (u32 i = 1; i < nr; i++) {
		ends[numbers[p->nodes[i].name] + 1]++;
		c->ends[caller_of(p, numbers, i) + 1]++;
	}
	begin_runs(ends, nr_keys);
	begin_runs(c->ends, nr_keys);
	for (u32 i = 1; i < nr; i++)
		by_name[ends[numbers[p->nodes[i].name]]++] =
			(struct keyed_node){ caller_of(p, numbers, i), i };
	for (u32 name = 0; name < p->nr_names; name++)
		for (; at < ends[name]; at++)
			c->nodes[c->ends[by_name[at].key]++] =
				(struct keyed_node){ name, by_name[at].node };
	table_free(by_name, size);
	free(ends);
}

static int compare_callees(const void *a, const void *b)
{
	const struct callee *x = a, *y = b;

	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? 1 : -1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Callees in the order of their names: the most frequent comes first. */
static void sort_callees(struct callees *c, size_t nr)
{
	u32 ends[OFTEN + 1] = { 0 };

	for (size_t i = 0; i < nr; i++)
		ends[OFTEN - (c->list[i].nodes < OFTEN ? c->list[i].nodes : OFTEN) + 1]++;
	begin_runs(ends, OFTEN + 1);
	for (size_t i = 0; i < nr; i++) {
		u32 few = c->list[i].nodes < OFTEN ? c->list[i].nodes : OFTEN;

		c->spare[ends[OFTEN - few]++] = c->list[i];
	}
	memcpy(c->list, c->spare, nr * sizeof(*c->list));
	qsort(c->list, ends[0], sizeof(*c->list), compare_callees);
}

/* Lists what the nodes from begin to end call, and gives each its place. Returns how many they
 * are. */
static size_t list_callees(struct callees *c, u32 begin, u32 end)
{
	size_t nr = 0;

	for (u32 i = begin; i < end; i++) {
		if (i == begin || c->nodes[i].key != c->nodes[i - 1].key)
			c->list[nr++] = (struct callee){ .name = c->nodes[i].key, .first = i };
		c->list[nr - 1].nodes++;
	}
	if (nr > 1)
		sort_callees(c, nr);
	for (u32 k = 0; k < nr; k++)
		for (u32 i = 0; i < c->list[k].nodes; i++)
			c->places[c->nodes[c->list[k].first + i].node] = k;
	return nr;
}

/* Writes the streams "callees" and "callee". */
static void encode_lists(struct page *p, struct callees *c)
{
	struct wbuf names = { 0 };
	size_t from = p->block.n, nr;

	for (size_t caller = 0; caller <= p->nr_names; caller++) {
		nr = list_callees(c, caller ? c->ends[caller - 1] : 0, c->ends[caller]);
		page_put_int(&p->block, nr);
		for (size_t k = 0; k < nr; k++)
			page_put_int(&names, c->list[k].name);
	}
	page_end_stream(p, "callees", from);
	from = p->block.n;
	wb_mem(&p->block, names.p, names.n);
	page_end_stream(p, "callee", from);
	wb_fini(&names);
}

void page_encode_callees(struct page *p, const u32 *order, const u32 *numbers)
{
	size_t nr = p->nr_nodes, from;
	struct callees c = {
		.nodes = table_alloc_any(nr * sizeof(*c.nodes)),
		.places = table_alloc_any(nr * sizeof(*c.places)),
		.ends = xcalloc(p->nr_names + 2, sizeof(*c.ends)),
		.list = xmalloc((p->nr_names + 1) * sizeof(*c.list)),
		.spare = xmalloc((p->nr_names + 1) * sizeof(*c.spare)),
	};

	sort_nodes(p, numbers, &c);
	encode_lists(p, &c);
	from = p->block.n;
	for (size_t i = 1; i < nr; i++)
		page_put_int(&p->block, c.places[order[i]]);
	page_end_stream(p, "name", from);
	table_free(c.nodes, nr * sizeof(*c.nodes));
	table_free(c.places, nr * sizeof(*c.places));
	free(c.ends);
	free(c.list);
	free(c.spare);
}
