/* SPDX-License-Identifier: MIT */
/* What was inlined into one function, by address: read in one pass over its DIEs. */
#ifndef SYMBOLS_DWARF_INLINE_TREE_H
#define SYMBOLS_DWARF_INLINE_TREE_H

#include "symbols/dwarf/debuginfo.h"
#include "symbols/dwarf/die_scan.h"

struct inline_tree;

/* An inlined call, inside the call `parent`. */
struct inline_call {
	const u8 *die;
	u32 parent; /* id of the call that it is in, INLINE_NONE: the function itself */
	/* for the caller's notes, zero at first */
	const char *name, *file;
	u32 line;
	bool has_place;
};

#define INLINE_NONE UINT32_MAX

/* Reads the function whose DIE began at addr with this depth. */
struct inline_tree *inline_tree_new(struct debuginfo *d, struct die_scan *s, const u8 *addr,
				    u32 depth);
void inline_tree_free(struct inline_tree *t);

/* The innermost call that vaddr is in, INLINE_NONE when in none. */
u32 inline_tree_find(const struct inline_tree *t, u64 vaddr);
struct inline_call *inline_tree_call(struct inline_tree *t, u32 id);

/*
 * Appends the ranges of a scanned function to *ranges with this id. What linkers leave of dropped
 * code is left out. False when the file's allowance of ranges is spent.
 */
struct sweep_range;
struct range_list {
	struct sweep_range *items;
	size_t nr, cap;
};
bool die_add_ranges(struct debuginfo *d, const struct die_scan *s, const struct scanned_die *die,
		    u32 id, struct range_list *ranges);

#endif
