/* SPDX-License-Identifier: MIT */
/*
 * Reads .debug_aranges (DWARF standard, section 6.1.2), which maps address ranges to compile units.
 * libdw's reader makes two allocations for each range, which took as long as finding the functions
 * of a usual recording.
 */
#ifndef SYMBOLS_DWARF_ARANGES_H
#define SYMBOLS_DWARF_ARANGES_H

#include "base/bytes.h"

/* The address ranges of one unit. */
struct aranges_set {
	u64 unit; /* offset of its header in .debug_info */
	struct cursor tuples;
	unsigned int word; /* bytes of an address */
};

/*
 * Reads the header of the next set at the cursor, which walks the section. Sets of another version
 * than 2, with segments, or with addresses of other than 4 or 8 bytes get no ranges. Returns false
 * at the end of the section, or if a set reaches past it.
 */
bool aranges_next_set(struct cursor *c, struct aranges_set *ret);

/* Reads the next range of a set, in st_value space. Returns false after the last. */
bool aranges_next(struct aranges_set *s, u64 *ret_start, u64 *ret_size);

#endif
