/* SPDX-License-Identifier: MIT */
/*
 * Scans all DIEs of a DWARF unit in file order and reads each once. To go to the next sibling,
 * libdw decodes all attributes of the DIEs between, again for each level of nesting. This scanner
 * compiles an abbreviation into a list of steps when it is first met, so a DIE without code costs
 * only a few additions. Other attributes of a DIE are then read with libdw, see die_scan_open().
 */
#ifndef SYMBOLS_DWARF_DIE_SCAN_H
#define SYMBOLS_DWARF_DIE_SCAN_H

#include <elfutils/libdw.h>

#include "base/types.h"

struct die_scan;

/* Makes a scanner for the unit whose unit DIE is given; the caller frees it. swap: the file has the
 * other byte order. Returns NULL if the unit's form is not supported. */
struct die_scan *die_scan_new(const Dwarf_Die *unit, bool swap);
void die_scan_free(struct die_scan *s);

/* A position in the unit: before the DIE that begins at p. It can be copied. */
struct die_cursor {
	const u8 *p;
	u32 depth; /* of the DIE at p; 0 for the unit DIE */
};

struct scanned_die {
	const u8 *addr; /* its first byte, for die_scan_open() */
	u32 depth;      /* 0 for the unit DIE */
	u16 tag;
	bool has_children;
	/* Members set for DW_TAG_subprogram and DW_TAG_inlined_subroutine only: */
	bool has_code;   /* it has addresses or a range list */
	bool has_ranges; /* it has DW_AT_ranges, to be read with libdw; low and high are not set */
	u64 low, high;   /* its code is [low, high) */
};

/* Returns the position of the unit DIE. */
struct die_cursor die_scan_begin(const struct die_scan *s);
/* Returns the position after the DIE at addr with this depth: its first child if it has children.
 */
struct die_cursor die_scan_inside(struct die_scan *s, const u8 *addr, u32 depth);

/*
 * Reads the DIE at *c and moves *c to the next one in the file: its first child, its sibling, or a
 * sibling of one of its parents. Subtrees that cannot contain code (the values of an enumeration,
 * say) are skipped if the file gives their length. Returns false at the end of the unit or if it is
 * damaged.
 */
bool die_scan_next(struct die_scan *s, struct die_cursor *c, struct scanned_die *ret);

/* Returns libdw's handle of the DIE of this unit that begins at addr. */
Dwarf_Die die_scan_open(const struct die_scan *s, const u8 *addr);

#endif
