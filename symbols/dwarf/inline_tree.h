/* SPDX-License-Identifier: MIT */
/* The inlined calls in one function, found by address. They are read in one pass over its DIEs. */
#ifndef SYMBOLS_DWARF_INLINE_TREE_H
#define SYMBOLS_DWARF_INLINE_TREE_H

#include "symbols/dwarf/debuginfo.h"
#include "symbols/dwarf/die_scan.h"

struct inline_tree;

/* An inlined call, inside the call `parent`. */
struct inline_call {
	const u8 *die; /* the first byte of its DIE */
	u32 parent;    /* id of the call that contains it; INLINE_NONE: the function itself */
	/* For the caller's use, zero at first: */
	const char *name, *file;
	u32 line;
	bool has_place;
};

#define INLINE_NONE UINT32_MAX

/* Reads the function whose DIE begins at addr and has this depth; the caller frees the result. */
struct inline_tree *inline_tree_new(struct debuginfo *d, struct die_scan *s, const u8 *addr,
				    u32 depth);
void inline_tree_free(struct inline_tree *t);

/* Returns the id of the innermost inlined call that contains vaddr, INLINE_NONE if none does. */
u32 inline_tree_find(const struct inline_tree *t, u64 vaddr);
/* Returns the call with this id, valid as long as t. */
struct inline_call *inline_tree_call(struct inline_tree *t, u32 id);

/*
 * Appends the address ranges of a scanned function to *ranges with this id. Ranges of code that the
 * linker has dropped are left out. Returns false when debuginfo_spend_ranges() allows no more
 * ranges.
 */
struct sweep_range;
struct range_list {
	struct sweep_range *items;
	size_t nr, cap;
};
bool die_add_ranges(struct debuginfo *d, const struct die_scan *s, const struct scanned_die *die,
		    u32 id, struct range_list *ranges);

#endif
