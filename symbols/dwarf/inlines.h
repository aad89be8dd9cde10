/* SPDX-License-Identifier: MIT */
/*
 * Which functions were inlined at an address, by a file's DWARF. Units, functions and what was
 * inlined into a function are each read once, when an address in them is first asked for, and so is
 * each address.
 */
#ifndef SYMBOLS_DWARF_INLINES_H
#define SYMBOLS_DWARF_INLINES_H

#include "base/text_format.h"
#include "base/types.h"

struct debuginfo;
struct inlines;

/* One of the functions that an address is in. */
struct inline_frame {
	const char *name; /* demangled linkage name, else the plain one; never NULL */
	/* With INLINES_LINES only: of the call in this function, NULL and 0 where not known. */
	const char *file;
	u32 line;
	bool is_inlined; /* false for the function that has a symbol: the last one */
};

/*
 * Files and lines as well. libdw reads a unit's whole line table for its names of files, which
 * costs more time and memory than all else here. The innermost frame calls nothing: its line is
 * that of the address itself, which lines_find knows.
 */
#define INLINES_LINES (1u << 0)

struct inlines_config {
	bool demangle;
	enum text_format format;
};

/* d is borrowed until inlines_free. */
struct inlines *inlines_new(struct debuginfo *d, const struct inlines_config *cfg);
void inlines_free(struct inlines *in);

/*
 * The functions at vaddr (st_value space), innermost first; the last one is the function that they
 * were inlined into. Returns how many, 0 where no unit knows a function there. symbol: name of the
 * symbol at vaddr, NULL for none: an inlined function of this name (one inlined into itself) is
 * marked as not inlined, as perf shows it. It counts at the first look at a vaddr only. *ret lives
 * until inlines_free.
 */
size_t inlines_find(struct inlines *in, u64 vaddr, const char *symbol, unsigned int flags,
		    const struct inline_frame **ret);

#endif
