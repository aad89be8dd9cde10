/* SPDX-License-Identifier: MIT */
/*
 * Finds the functions that were inlined at an address, from a file's DWARF. A unit or function is
 * read at the first lookup of an address in it, and the result of each lookup is kept.
 */
#ifndef SYMBOLS_DWARF_INLINES_H
#define SYMBOLS_DWARF_INLINES_H

#include "base/types.h"
#include "symbols/table/demangle.h"

struct debuginfo;
struct inlines;

/* A function at an address: the one with the symbol, or one that is inlined there. */
struct inline_frame {
	const char *name; /* demangled linkage name, else DW_AT_name; never NULL */
	/* With INLINES_LINES: where this function calls the next inner one; NULL and 0 if unknown.
	 */
	const char *file;
	u32 line;
	bool is_inlined; /* false for the last one, the function that has a symbol */
};

/*
 * Flag of inlines_find(): set file and line of the frames too. To get names of files, libdw reads a
 * unit's whole line table, which takes more time and memory than the rest of the lookup. The
 * innermost frame makes no call; lines_find() finds its line.
 */
#define INLINES_LINES (1u << 0)

/*
 * Makes a lookup for the DWARF in d, which is borrowed until inlines_free(). names: how functions
 * are named.
 */
struct inlines *inlines_new(struct debuginfo *d, const struct name_style *names);
void inlines_free(struct inlines *in);

/*
 * Finds the functions at vaddr (st_value space), innermost first; the last is the function into
 * which the others were inlined. Returns their number, 0 if no unit has a function there. symbol:
 * the name of the symbol at vaddr, or NULL; an inlined function of the same name (a recursive one)
 * is marked as not inlined, as perf shows it. The symbol of the first lookup of a vaddr is used for
 * later ones. *ret is valid until inlines_free().
 */
size_t inlines_find(struct inlines *in, u64 vaddr, const char *symbol, unsigned int flags,
		    const struct inline_frame **ret);

#endif
