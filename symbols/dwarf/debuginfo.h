/* SPDX-License-Identifier: MIT */
/*
 * The DWARF of one file, opened once for all that read it (lines, inlines), and which of its units
 * covers an address. Nothing in here is locked: one thread at a time uses what hangs on one
 * struct debuginfo. Different ones share nothing.
 */
#ifndef SYMBOLS_DWARF_DEBUGINFO_H
#define SYMBOLS_DWARF_DEBUGINFO_H

#include "symbols/dwarf/dwarf_source.h"

struct debuginfo;

/*
 * Opens o, which has the debug information itself, as dwarf_source_open does: what is borrowed, and
 * the errors, are its.
 */
int debuginfo_open(const struct symbols_config *cfg, const struct object *o, const char *code_path,
		   struct debuginfo **ret, struct perr *e) MUST_CHECK;
void debuginfo_close(struct debuginfo *d);

/* To be called before libdw is asked for lines or names of files. */
void debuginfo_need_lines(struct debuginfo *d);

/* True when the file's byte order is not this machine's. */
bool debuginfo_is_swapped(const struct debuginfo *d);

/* Units that may have code: compile units and skeletons of split ones. */
size_t debuginfo_nr_units(const struct debuginfo *d);

/* The unit's DIE, of the skeleton where it is split. False where it cannot be read. */
bool debuginfo_unit(const struct debuginfo *d, size_t unit, Dwarf_Die *ret);

/*
 * The DIE that holds the unit's functions: as above, or that of the .dwo file, which is looked for
 * at the first call. False where that file is missing.
 */
bool debuginfo_full_unit(struct debuginfo *d, size_t unit, Dwarf_Die *ret);

/*
 * Units whose ranges hold vaddr (st_value space), the narrowest of those that begin last first:
 * by .debug_aranges, and where that knows none by what all units say themselves.
 */
struct unit_search {
	u64 vaddr;
	size_t next;
	unsigned int tried;
};
void unit_search_init(struct unit_search *s, struct debuginfo *d, u64 vaddr);
/* False: no more units. */
bool unit_search_next(struct unit_search *s, const struct debuginfo *d, size_t *ret_unit);

/*
 * Takes n from what reading range lists of this file may still cost; false when it is spent. An
 * honest list spends 2 bytes of the file or more on each range, but many DIEs of a damaged file may
 * point at one long list.
 */
bool debuginfo_spend_ranges(struct debuginfo *d, size_t n);

/*
 * dwarf_ranges, which goes over the entries of a list that give no range in one call: DIEs of a
 * damaged file can make that take time by the square of its size. So the time is measured, and no
 * list is read any more after 5 seconds of it, where the largest honest files take a tenth of one.
 */
ptrdiff_t debuginfo_next_range(struct debuginfo *d, Dwarf_Die *die, ptrdiff_t off, Dwarf_Addr *base,
			       Dwarf_Addr *start, Dwarf_Addr *end);

#endif
