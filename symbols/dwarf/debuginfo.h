/* SPDX-License-Identifier: MIT */
/*
 * The DWARF units of one file, and a search for the unit that covers an address. lines.h and
 * inlines.h share one struct debuginfo for a file. Not thread safe: one thread at a time uses a
 * struct debuginfo and what was made from it; different ones share nothing.
 */
#ifndef SYMBOLS_DWARF_DEBUGINFO_H
#define SYMBOLS_DWARF_DEBUGINFO_H

#include "symbols/dwarf/dwarf_source.h"

struct debuginfo;

/*
 * Opens the DWARF of o; the caller frees *ret with debuginfo_close(). Arguments, lifetimes and
 * errors are those of dwarf_source_open().
 */
int debuginfo_open(const struct symbols_config *cfg, const struct object *o, const char *code_path,
		   struct debuginfo **ret, struct perr *e) MUST_CHECK;
void debuginfo_close(struct debuginfo *d);

/* Makes line tables readable. Call it before libdw functions that return lines or names of files.
 */
void debuginfo_need_lines(struct debuginfo *d);

/* True if the file has the other byte order than this machine. */
bool debuginfo_is_swapped(const struct debuginfo *d);

/* Returns the number of units that may have code: compile units and skeletons of split units. */
size_t debuginfo_nr_units(const struct debuginfo *d);

/* Finds the DIE of a unit; of a split unit, the DIE of its skeleton. Returns false if it cannot be
 * read. */
bool debuginfo_unit(const struct debuginfo *d, size_t unit, Dwarf_Die *ret);

/*
 * Finds the unit DIE that contains the unit's functions; of a split unit it is in a .dwo file,
 * which is searched for at the first call. Returns false if that file is missing.
 */
bool debuginfo_full_unit(struct debuginfo *d, size_t unit, Dwarf_Die *ret);

/* A search for the units whose ranges contain vaddr (st_value space). */
struct unit_search {
	u64 vaddr;
	size_t next;
	unsigned int tried;
};
/*
 * Starts a search in .debug_aranges, or, if that does not have the address, in the ranges of all
 * units.
 */
void unit_search_init(struct unit_search *s, struct debuginfo *d, u64 vaddr);
/* Finds the next unit; units with ranges that begin nearest to vaddr come first, and of those the
 * narrowest. Returns false after the last. */
bool unit_search_next(struct unit_search *s, const struct debuginfo *d, size_t *ret_unit);

/*
 * Counts n ranges against the file's limit; returns false when the limit is reached. In a sound
 * file each range takes at least 2 bytes of the file, but in a damaged one many DIEs may point at
 * the same long list, which would take too much time.
 */
bool debuginfo_spend_ranges(struct debuginfo *d, size_t n);

/*
 * Calls dwarf_ranges() and limits its time. In one call it skips all entries of a list that give no
 * range, so in a damaged file its time may grow with the square of the file's size. After 5 seconds
 * in all, every further call returns an error; the largest sound files take a tenth of a second.
 */
ptrdiff_t debuginfo_next_range(struct debuginfo *d, Dwarf_Die *die, ptrdiff_t off, Dwarf_Addr *base,
			       Dwarf_Addr *start, Dwarf_Addr *end);

#endif
