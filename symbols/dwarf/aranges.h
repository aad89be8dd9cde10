/* SPDX-License-Identifier: MIT */
/*
 * .debug_aranges (DWARF 6.1.2): which unit has which code. libdw makes an element on the heap and
 * one in a table of each range, which took as long as finding the functions of a usual recording.
 */
#ifndef SYMBOLS_DWARF_ARANGES_H
#define SYMBOLS_DWARF_ARANGES_H

#include "base/bytes.h"

/* One set of ranges: those of one unit. */
struct aranges_set {
	u64 unit; /* offset of its header in .debug_info */
	struct cursor tuples;
	unsigned int word; /* bytes of an address */
};

/*
 * The next set of the section that c walks; of ones that are no sets of version 2, or whose
 * addresses have segments or another size than 4 or 8, none of the ranges are read. False at the
 * end, or where a set goes beyond it.
 */
bool aranges_next_set(struct cursor *c, struct aranges_set *ret);

/* The next range of a set, in the object's addresses. False: there are no more. */
bool aranges_next(struct aranges_set *s, u64 *ret_start, u64 *ret_size);

#endif
