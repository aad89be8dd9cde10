/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/inline_tree.h"

#include <dwarf.h>

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/dwarf/range_sweep.h"

/* A DIE of an inlined call. Nodes are in the order of the file. */
struct node {
	const u8 *die;
	u32 end; /* index after the last node inside this one */
};

struct inline_tree {
	struct stretch *stretches; /* their values are ids of calls */
	size_t nr_stretches;
	/*
	 * One call per path of nodes. A node may have several parents, depending on the address, if
	 * the compiler placed some of its code outside of its parent's.
	 */
	struct inline_call *calls;
	size_t nr_calls, cap_calls;
};

bool die_add_ranges(struct debuginfo *d, const struct die_scan *s, const struct scanned_die *die,
		    u32 id, struct range_list *ranges)
{
	Dwarf_Die handle = die_scan_open(s, die->addr);
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0, before;

	if (!die->has_ranges) {
		if (!debuginfo_spend_ranges(d, 1))
			return false;
		if (die->low >= 2 && die->low < die->high)
			vec_push(ranges->items, ranges->nr, ranges->cap,
				 ((struct sweep_range){ die->low, die->high, id }));
		return true;
	}
	for (;;) {
		if (!debuginfo_spend_ranges(d, 1))
			return false;
		before = off;
		off = debuginfo_next_range(d, &handle, off, &base, &start, &end);
		if (off <= 0 || off == before)
			return true;
		if (start >= 2 && start < end)
			vec_push(ranges->items, ranges->nr, ranges->cap,
				 ((struct sweep_range){ start, end, id }));
	}
}

/* --- reading ---------------------------------------------------------------------------------- */

struct open_node {
	u32 node, depth;
};

struct tree_reader {
	struct inline_tree *t;
	struct node *nodes;
	size_t nr_nodes, cap_nodes;
	struct open_node *open; /* the nodes that contain the current DIE */
	size_t nr_open, cap_open;
	struct range_list ranges;
	struct idmap by_way; /* (parent call, node) -> call */
};

static void close_nodes(struct tree_reader *r, u32 depth)
{
	while (r->nr_open && r->open[r->nr_open - 1].depth >= depth)
		r->nodes[r->open[--r->nr_open].node].end = (u32)r->nr_nodes;
}

static void read_nodes(struct tree_reader *r, struct debuginfo *d, struct die_scan *s,
		       const u8 *addr, u32 depth)
{
	struct die_cursor c = die_scan_inside(s, addr, depth);
	u32 nested = UINT32_MAX; /* depth of a nested function, which has a tree of its own */
	struct scanned_die die;

	while (c.depth > depth && die_scan_next(s, &c, &die)) {
		close_nodes(r, die.depth);
		if (die.depth <= nested)
			nested = UINT32_MAX;
		if (nested != UINT32_MAX)
			continue;
		if (die.tag == DW_TAG_subprogram)
			nested = die.depth;
		if (die.tag != DW_TAG_inlined_subroutine || !die.has_code)
			continue;
		if (!die_add_ranges(d, s, &die, (u32)r->nr_nodes, &r->ranges))
			break;
		if (die.has_children)
			vec_push(r->open, r->nr_open, r->cap_open,
				 ((struct open_node){ (u32)r->nr_nodes, die.depth }));
		vec_push(r->nodes, r->nr_nodes, r->cap_nodes,
			 ((struct node){ .die = die.addr, .end = (u32)r->nr_nodes + 1 }));
	}
	close_nodes(r, 0);
}

static u32 get_call(struct tree_reader *r, u32 parent, u32 node)
{
	u32 id = idmap_get(&r->by_way, parent, node);

	if (id != IDMAP_NONE)
		return id;
	id = (u32)r->t->nr_calls;
	idmap_put(&r->by_way, parent, node, id);
	vec_push(r->t->calls, r->t->nr_calls, r->t->cap_calls,
		 ((struct inline_call){ .die = r->nodes[node].die, .parent = parent }));
	return id;
}

/*
 * Returns the call of the innermost node at an address, as perf finds it: the first node in the
 * file that contains the address, then the first one inside that node, and so on. A node counts
 * even if it is below a node that does not contain the address.
 */
static u32 innermost(void *ctx, const u32 *nodes, size_t nr)
{
	struct tree_reader *r = ctx;
	u32 call = INLINE_NONE, end = UINT32_MAX;
	size_t i;

	for (i = 0; i < nr && nodes[i] < end; i++) {
		call = get_call(r, call, nodes[i]);
		end = r->nodes[nodes[i]].end;
	}
	return call;
}

struct inline_tree *inline_tree_new(struct debuginfo *d, struct die_scan *s, const u8 *addr,
				    u32 depth)
{
	struct inline_tree *t = xcalloc(1, sizeof(*t));
	struct tree_reader r = { .t = t };

	read_nodes(&r, d, s, addr, depth);
	t->nr_stretches = sweep_ranges(r.ranges.items, r.ranges.nr, innermost, &r, &t->stretches);
	free(r.nodes);
	free(r.open);
	free(r.ranges.items);
	idmap_fini(&r.by_way);
	return t;
}

void inline_tree_free(struct inline_tree *t)
{
	if (!t)
		return;
	free(t->stretches);
	free(t->calls);
	free(t);
}

u32 inline_tree_find(const struct inline_tree *t, u64 vaddr)
{
	return stretch_at(t->stretches, t->nr_stretches, vaddr, INLINE_NONE);
}

struct inline_call *inline_tree_call(struct inline_tree *t, u32 id)
{
	return &t->calls[id];
}
