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
	u32 name;   /* number of the name; UINT32_MAX: a free slot */
	u32 nodes;
	u32 place; /* in the caller's list */
};

struct callees {
	struct callee *slots;
	size_t mask, nr;
};

static struct callee *slot_of(const struct callees *t, u32 caller, u32 name)
{
	size_t at = hash_pair(caller, name) & t->mask;

	while (t->slots[at].name != UINT32_MAX &&
	       (t->slots[at].caller != caller || t->slots[at].name != name))
		at = (at + 1) & t->mask;
	return &t->slots[at];
}

static void grow(struct callees *t)
{
	struct callees old = *t;

	t->mask = old.mask * 2 + 1;
	t->slots = xcalloc(t->mask + 1, sizeof(*t->slots));
	for (size_t i = 0; i <= t->mask; i++)
		t->slots[i].name = UINT32_MAX;
	for (size_t i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].name != UINT32_MAX)
			*slot_of(t, old.slots[i].caller, old.slots[i].name) = old.slots[i];
	free(old.slots);
}

static void count_pair(struct callees *t, u32 caller, u32 name)
{
	struct callee *c;

	if (t->nr * 2 > t->mask)
		grow(t);
	c = slot_of(t, caller, name);
	if (c->name == UINT32_MAX) {
		*c = (struct callee){ .caller = caller, .name = name };
		t->nr++;
	}
	c->nodes++;
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
	size_t nr = 0, from = p->block.n;

	for (size_t i = 0; i <= t->mask; i++)
		if (t->slots[i].name != UINT32_MAX)
			sorted[nr++] = &t->slots[i];
	qsort(sorted, nr, sizeof(*sorted), compare_callees);
	for (size_t caller = 0, i = 0; caller <= p->nr_names; caller++) {
		u32 place = 0;

		for (; i < nr && sorted[i]->caller == caller; i++)
			sorted[i]->place = place++;
		page_put_int(&p->block, place);
	}
	page_end_stream(p, "callees", from);
	from = p->block.n;
	for (size_t i = 0; i < nr; i++)
		page_put_int(&p->block, sorted[i]->name);
	page_end_stream(p, "callee", from);
	free(sorted);
}

static u32 caller_of(const struct page *p, u32 node, const u32 *numbers)
{
	u32 parent = p->nodes[node].parent;

	return parent == PAGE_TOP ? 0 : numbers[p->nodes[parent].name] + 1;
}

void page_encode_callees(struct page *p, const u32 *order, const u32 *numbers)
{
	struct callees t = { .mask = 511 };
	size_t from;

	grow(&t);
	for (u32 i = 1; i < p->nr_nodes; i++)
		count_pair(&t, caller_of(p, i, numbers), numbers[p->nodes[i].name]);
	encode_lists(p, &t);
	from = p->block.n;
	for (size_t i = 1; i < p->nr_nodes; i++)
		page_put_int(&p->block, slot_of(&t, caller_of(p, order[i], numbers),
						numbers[p->nodes[order[i]].name])
						->place);
	page_end_stream(p, "name", from);
	free(t.slots);
}
