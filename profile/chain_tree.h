/* SPDX-License-Identifier: MIT */
/*
 * The call tree of one histogram entry. One tree object serves all entries of a report, one after
 * the other, so that memory is bounded by the largest entry and entries that are not printed cost
 * nothing:
 *
 *	t = chain_tree_new(&option, chain_frame_of_frames, frames);
 *	chain_tree_set_order(t, object_order);	(profile/object_order.h)
 *	for each entry that is printed
 *		chain_tree_reset(t);
 *		for each of its rows, in the order of the file
 *			chain_tree_add(t, &row);
 *		chain_print(o, t, &text);		(report/prep/chain_print.h)
 *	chain_tree_free(t);
 *
 * Adding a row only stores a pointer to its ids, which must stay valid until the next reset. Nodes
 * are made later, and only those that are printed.
 *
 * Rows by kind of entry; ids are always leaf first, whatever the order of display:
 *	entry of samples (no children, or the entry of the sample's own leaf): the whole stack
 *	accumulated entry at frame i, caller order: frames [0, i], callee order: [i, nr)
 *	(chain_row_of_caller does this)
 */
#ifndef PROFILE_CHAIN_TREE_H
#define PROFILE_CHAIN_TREE_H

#include "profile/chain_option.h"

struct map;

/* A frame as a tree sees it. */
struct chain_frame {
	u64 ip;
	const struct map *map; /* NULL: none */
	const char *name;      /* of the symbol; NULL: no symbol, the ip is printed */
	u64 sym_start;         /* dso address, with name */
	bool inlined;          /* name is the name of a function inlined at ip */
	const char
		*srcline; /* of inlined frames; the tree looks up the others when it needs them */
};

/*
 * Describes frame `id` (ids of rows; any dense numbers from 0). Called once for each id that rows
 * use and again when it is printed; strings live as long as the tree.
 */
typedef void chain_frame_fn(void *arg, u32 id, struct chain_frame *ret);

struct chain_row {
	const u32 *ids; /* leaf first */
	size_t nr;      /* 0: the row is not in the tree */
	u64 period, samples;
	/* the last `turn` ids repeat for `more` frames, in whole turns; 0, 0: they do not repeat */
	u32 turn, more;
	u32 skip; /* frames that are left out at the beginning in the order of display */
};

struct chain_tree;
struct object_order;

/* opt is borrowed; chain_option_settle has been called. */
struct chain_tree *chain_tree_new(const struct chain_option *opt, chain_frame_fn *frame, void *arg);
void chain_tree_free(struct chain_tree *t);

/* Sets the order of branches with equal weight; borrowed. Default: the order of dso_get_number. */
void chain_tree_set_order(struct chain_tree *t, const struct object_order *order);

/* Removes all rows; the keys of frames are kept. */
void chain_tree_reset(struct chain_tree *t);

void chain_tree_add(struct chain_tree *t, const struct chain_row *row);

/*
 * The row for the accumulated entry of frame `i` of a stack: the frames between it and the leaf in
 * caller order, between it and the root in callee order. With recursion perf counts a sample once
 * for an entry: pass the highest i of its frames in caller order, the lowest in callee order. The
 * entry of the sample's own function has the whole stack instead.
 */
static inline struct chain_row chain_row_of_caller(const struct chain_option *opt,
						   const struct chain_row *whole, size_t i)
{
	struct chain_row r = *whole;

	r.skip = (u32)(opt->order == CHAIN_CALLER ? r.nr + r.more - 1 - i : i);
	return r;
}

/*
 * For finding out what the first branches weigh, without making them: adds a row to those that
 * begin with the same frame. False: the row has no frames. *ret_total: the period of these rows so
 * far. Between a reset and the next one, either call this or chain_tree_add().
 */
bool chain_tree_weigh(struct chain_tree *t, const struct chain_row *row, u64 *ret_total);

/* How many rows were added since the reset. */
size_t chain_tree_nr_rows(const struct chain_tree *t);

#endif
