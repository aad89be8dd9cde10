/* SPDX-License-Identifier: MIT */
/*
 * A call tree in arrays, for what draws it: each node is a function below its callers. It knows no
 * recording. Nodes lie in pre-order: a node, then all nodes below its first child, then those below
 * the second. Node 0 is above all stacks and has the name 0, which is "".
 *
 *	stacks          node  name  depth  end  self  total
 *	a;b 2              0           0    4     0      6
 *	a;c 3              1  a        1    4     1      6
 *	a 1                2  b        2    3     2      2
 *	                   3  c        2    4     3      3
 *
 * So the first child of n is n + 1 (if n + 1 < end[n]), and the next sibling of n is end[n] (if
 * that is below end[] of the parent).
 */
#ifndef PICTURE_FLAME_H
#define PICTURE_FLAME_H

#include "base/mem.h"
#include "base/types.h"

#define FLAME_SIDES 2 /* recordings whose weights are kept apart */

/* Where a function's code comes from. */
enum flame_kind {
	FLAME_USER,
	FLAME_KERNEL,
	FLAME_INLINED, /* into the function above it */
	FLAME_JIT,
	FLAME_WAKER, /* a stack that woke the one below it */
	FLAME_GAP,   /* no function: the own weight of the node above, where it has a place */
	FLAME_NR_KINDS
};

struct flame_name {
	const char *text;   /* as recorded: hostile, and perhaps no UTF-8 */
	const char *object; /* file of the code; NULL: not known */
	enum flame_kind kind;
};

struct flame {
	unsigned int nr_sides; /* 1; 2 in a comparison */
	size_t nr;             /* nodes */
	u32 *name;             /* by node: index in names */
	u32 *depth;            /* by node: 0 for node 0 */
	u32 *end;              /* by node: the first node that is not below it */
	/* By side, then by node: its own weight; and that of all below it as well. Sums that do not
	 * fit are UINT64_MAX. self[1] and total[1] are NULL when nr_sides is 1. */
	u64 *self[FLAME_SIDES], *total[FLAME_SIDES];
	struct flame_name *names;
	size_t nr_names;
	/* private */
	size_t cap, cap_names;
	struct arena texts;
	u32 *open; /* while it is built: the path to the node that was pushed last */
	size_t nr_open, cap_open;
};

/* Makes f a tree of node 0 alone, which is open: its children can be pushed. */
void flame_init(struct flame *f, unsigned int nr_sides);
void flame_fini(struct flame *f);

/*
 * Adds a name and returns its id, which is the number of names before it. The texts are copied.
 * Names are equal if their ids are: the caller adds each name once.
 */
u32 flame_add_name(struct flame *f, const char *text, const char *object, enum flame_kind kind);

/* Adds a child below the open node, after those that it has; the child is open then. */
u32 flame_push(struct flame *f, u32 name);
/* Adds to the own weight of the open node. */
void flame_count(struct flame *f, unsigned int side, u64 weight);
/* Closes the open node; its parent is open then. Node 0 cannot be closed. */
void flame_pop(struct flame *f);

/*
 * Adds a stack, outermost name first, and opens its last node. The nodes that it shares with the
 * open path are used, so sorted stacks give each node once, and stacks in order of time give one
 * node for each stretch of time.
 */
void flame_add_stack(struct flame *f, const u32 *names, size_t n);

/* Closes all nodes and sums up `end` and `total`, which are not valid before. Call it once. */
void flame_finish(struct flame *f);

/* The sum of all weights of a side. */
static inline u64 flame_total(const struct flame *f, unsigned int side)
{
	return f->total[side][0];
}

/* --- made from a finished tree ---------------------------------------------------------------- */

enum flame_order {
	FLAME_BY_NAME,   /* by the bytes of the text */
	FLAME_BY_WEIGHT, /* heaviest first (of all sides together), then by name */
};

/* Each makes *ret, a finished tree which the caller frees, and leaves f as it is. */

/* Children of one name become one node, and children are ordered. */
void flame_sorted(const struct flame *f, enum flame_order order, struct flame *ret);

/* The same stacks from the innermost function on: children of a function are its callers. */
void flame_reversed(const struct flame *f, enum flame_order order, struct flame *ret);

/*
 * Without the nodes whose total is below `least` on every side. Totals stay, so the children of a
 * node can have less than it together with its own. Returns the number of nodes left out.
 */
size_t flame_pruned(const struct flame *f, u64 least, struct flame *ret);

#endif
