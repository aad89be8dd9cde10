/* SPDX-License-Identifier: MIT */
/*
 * Every DIE of a unit, in the order of its bytes, each read once. libdw goes from DIE to sibling by
 * decoding all attributes of all that lies between, for each level of nesting again; here an
 * abbreviation is made into a list of steps the first time it is met, and DIEs that hold no code
 * cost a few additions. What is of interest is then asked of libdw: a scanned DIE is one of its.
 */
#ifndef SYMBOLS_DWARF_DIE_SCAN_H
#define SYMBOLS_DWARF_DIE_SCAN_H

#include <elfutils/libdw.h>

#include "base/types.h"

struct die_scan;

/* unit: a unit's own DIE. swap: its file has the other byte order. NULL: it cannot be scanned. */
struct die_scan *die_scan_new(const Dwarf_Die *unit, bool swap);
void die_scan_free(struct die_scan *s);

/* A place between two DIEs. Copying one makes another. */
struct die_cursor {
	const u8 *p;
	u32 depth; /* of the DIE at p; the unit's own has 0 */
};

struct scanned_die {
	const u8 *addr; /* its first byte, by which scan_die_open gets it back */
	u32 depth;
	u16 tag;
	bool has_children;
	/* The rest is told of DW_TAG_subprogram and DW_TAG_inlined_subroutine only. */
	bool has_code;   /* an address or a range list */
	bool has_ranges; /* DW_AT_ranges: libdw has to be asked, below is nothing */
	u64 low, high;
};

/* The unit's first DIE. */
struct die_cursor die_scan_begin(const struct die_scan *s);
/* The first child, or what follows it, of the DIE that began at addr with this depth. */
struct die_cursor die_scan_inside(struct die_scan *s, const u8 *addr, u32 depth);

/*
 * Reads the DIE at *c and moves on to the next in the file, be it child, sibling or a parent's
 * sibling. False at the unit's end, or where it is damaged. Subtrees that cannot hold code (the
 * values of an enumeration) are left out where the file says how long they are.
 */
bool die_scan_next(struct die_scan *s, struct die_cursor *c, struct scanned_die *ret);

/* libdw's handle of a DIE of this unit. */
Dwarf_Die die_scan_open(const struct die_scan *s, const u8 *addr);

#endif
