/* SPDX-License-Identifier: MIT */
/*
 * Which function called which: trees of calls, with one node for all calls of a function from the
 * same callers. A list of nodes is known by its first one, FUNC_NO_NODE: empty. What a call is in
 * is known when it has returned, so trees grow from their leaves.
 */
#ifndef EVENTS_FUNC_FUNC_TREE_H
#define EVENTS_FUNC_FUNC_TREE_H

#include "base/out.h"
#include "base/types.h"

#define FUNC_NO_NODE UINT32_MAX
/* Callers of a call that are written at most. */
#define FUNC_TREE_DEPTH 256

struct func_node {
	u32 func;
	u32 first, next; /* the calls in it; the next one in its list */
	u64 calls;       /* that have returned */
	u64 ns, self;
};

/* The nodes of all lists. */
struct func_nodes {
	struct func_node *v;
	size_t nr, cap, max;
	u32 free;        /* the list of unused ones; valid with nr */
	u64 nr_left_out; /* calls that there was no room for */
};

/* Writes the name of a function. */
typedef void func_name_fn(void *ctx, struct out *o, u32 func);

/* max: how many nodes there may be. */
void func_nodes_init(struct func_nodes *t, size_t max);
void func_nodes_fini(struct func_nodes *t);

/*
 * Adds a call with the list of the calls in it to a list; returns the list. Without room for it
 * `inner` is added in its place.
 */
u32 func_nodes_add(struct func_nodes *t, u32 list, u32 func, u64 ns, u64 self, u32 inner);
/* Adds one list to another one; returns that one. The other one is no more. */
u32 func_nodes_merge(struct func_nodes *t, u32 list, u32 other);
/* Adds calls, sums->calls, ns and self, to the node that path, n numbers with the outermost first,
 * leads to. Returns the list. */
u32 func_nodes_add_path(struct func_nodes *t, u32 list, const u32 *path, size_t n,
			const struct func_node *sums);
/* Gives each node of a list without calls the time of those in it. */
void func_nodes_sum(struct func_nodes *t, u32 list);
/* Removes a list. */
void func_nodes_drop(struct func_nodes *t, u32 list);

/* Writes a list, what took longest first: calls, total and self in us with three digits behind the
 * point, or in ns, and names indented by callers. */
void func_nodes_put(const struct func_nodes *t, u32 list, struct out *o, bool in_ns,
		    func_name_fn *name, void *ctx);
/* Writes a list as flame graphs read it, with self times in ns. */
void func_nodes_put_folded(const struct func_nodes *t, u32 list, struct out *o, func_name_fn *name,
			   void *ctx);

#endif
