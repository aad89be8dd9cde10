/* SPDX-License-Identifier: MIT */
/*
 * Finds the type of the data that an instruction reads or writes, from the variables that DWARF
 * knows at it: a pointer in the register of its address, or a variable at that address. Types that
 * only other instructions tell (of a pointer that was just loaded) are not found.
 */
#ifndef SYMBOLS_DWARF_DATA_TYPES_H
#define SYMBOLS_DWARF_DATA_TYPES_H

#include "base/out.h"
#include "base/types.h"

struct debuginfo;
struct data_types;

/* Where an instruction's data is. */
struct data_place {
	int reg; /* DWARF's number of the register that offset is added to; -1: the address of the
		    instruction */
	s64 offset; /* bytes */
};

/* Makes a lookup for the DWARF in d, which is borrowed until data_types_free(). */
struct data_types *data_types_new(struct debuginfo *d);
void data_types_free(struct data_types *t);

/*
 * Appends the type of the data at a place of the instruction at vaddr (st_value space), as perf
 * annotate shows it: "struct node +0x10 (next)". Names are not escaped unless o escapes. Returns
 * false and appends nothing if it is not known. Lookups in one function after another are cheap.
 */
bool data_types_find(struct data_types *t, u64 vaddr, const struct data_place *place,
		     struct out *o);

#endif
