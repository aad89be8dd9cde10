/* SPDX-License-Identifier: MIT */
/*
 * Names of nodes, by what their callers call. A function calls few others, so a node's name is a
 * small number: the place in the list of those that are called from the function above it, of which
 * the most frequent comes first.
 */
#include "base/hash.h"
#include "picture/page_priv.h"

struct callee {
	u32 caller; /* number of the name above + 1; 0: the top */
	u32 name;   /* number of the name */
	u32 nodes;
	u32 place; /* in the caller's list */
};

struct callees {
	struct callee *all;
	size_t nr, cap;
	u32 *slots; /* hash table: index in all + 1; 0: free */
	size_t mask;
};

static u32 *slot_of(const struct callees *t, u32 caller, u32 name)
{
	size_t at = hash_pair(caller, name) & t->mask;

	while (t->slots[at] &&
	       (t->all[t->slots[at] - 1].caller != caller || t->all[t->slots[at] - 1].name != name))
		at = (at + 1) & t->mask;
	return &t->slots[at];
}

static void grow(struct callees *t)
{
	t->mask = t->mask * 2 + 1;
	free(t->slots);
	t->slots = xcalloc(t->mask + 1, sizeof(*t->slots));
	for (size_t i = 0; i < t->nr; i++)
		*slot_of(t, t->all[i].caller, t->all[i].name) = (u32)i + 1;
}

/* Counts a node that has this name below this caller; returns the index of the pair. */
static u32 count_pair(struct callees *t, u32 caller, u32 name)
{
	u32 *slot;

	if (t->nr * 2 >= t->mask)
		grow(t);
	slot = slot_of(t, caller, name);
	if (!*slot) {
		vec_push(t->all, t->nr, t->cap,
			 ((struct callee){ .caller = caller, .name = name }));
		*slot = (u32)t->nr;
	}
	t->all[*slot - 1].nodes++;
	return *slot - 1;
}

static int compare_callees(const void *a, const void *b)
{
	const struct callee *x = *(struct callee *const *)a, *y = *(struct callee *const *)b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? 1 : -1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Writes the streams "callees" and "callee", and gives each callee its place. */
static void encode_lists(struct page *p, struct callees *t)
{
	struct callee **sorted = xcalloc(t->nr + 1, sizeof(struct callee *));
	size_t from = p->block.n;

	for (size_t i = 0; i < t->nr; i++)
		sorted[i] = &t->all[i];
	qsort(sorted, t->nr, sizeof(*sorted), compare_callees);
	for (size_t caller = 0, i = 0; caller <= p->nr_names; caller++) {
		u32 place = 0;

		for (; i < t->nr && sorted[i]->caller == caller; i++)
			sorted[i]->place = place++;
		page_put_int(&p->block, place);
	}
	page_end_stream(p, "callees", from);
	from = p->block.n;
	for (size_t i = 0; i < t->nr; i++)
		page_put_int(&p->block, sorted[i]->name);
	page_end_stream(p, "callee", from);
	free(sorted);
}

void page_encode_callees(struct page *p, const u32 *order, const u32 *numbers)
{
	struct callees t = { .mask = 511 };
	u32 *pairs = xcalloc(p->nr_nodes, sizeof(*pairs));
	size_t from;

	grow(&t);
	for (u32 i = 1; i < p->nr_nodes; i++) {
		u32 parent = p->nodes[i].parent;

		pairs[i] =
			count_pair(&t, parent == PAGE_TOP ? 0 : numbers[p->nodes[parent].name] + 1,
				   numbers[p->nodes[i].name]);
	}
	encode_lists(p, &t);
	from = p->block.n;
	for (size_t i = 1; i < p->nr_nodes; i++)
		page_put_int(&p->block, t.all[pairs[order[i]]].place);
	page_end_stream(p, "name", from);
	free(pairs);
	free(t.all);
	free(t.slots);
}
