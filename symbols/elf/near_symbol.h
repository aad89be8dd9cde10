/* SPDX-License-Identifier: MIT */
/*
 * Finds the names that objdump prints for addresses: the symbol at or nearest before each address
 * in an ELF file's symbol table, however far away. All addresses are looked up in one pass over the
 * table, so a large table is neither sorted nor copied.
 */
#ifndef SYMBOLS_ELF_NEAR_SYMBOL_H
#define SYMBOLS_ELF_NEAR_SYMBOL_H

#include "base/types.h"

struct object;

struct near_symbol {
	u64 addr;         /* the address to look up, in st_value space; set by the caller */
	u64 value;        /* st_value of the symbol found */
	const char *name; /* of the symbol, not demangled; NULL: no symbol at or before addr */
	bool is_slot;     /* set by near_symbols_find_slots() */
	int rank;         /* of the symbol among others of the same value; internal */
};

/*
 * Finds the symbols for nr entries, which the caller has sorted by addr. It may be called in turn
 * for several objects of one address space (a program and its debug file): the nearest symbol of
 * all is kept. Names are borrowed from the objects.
 */
void near_symbols_find(const struct object *o, struct near_symbol *s, size_t nr);

/*
 * Finds entries whose addr is a slot that the dynamic linker fills with a symbol's address, such as
 * a GOT entry: sets is_slot, value to addr, and name to the symbol's name. Other entries do not
 * change. The nr entries are sorted by addr.
 */
void near_symbols_find_slots(const struct object *o, struct near_symbol *s, size_t nr);

/* Finds st_value and section index of the symbol with this name (not demangled). Returns false if o
 * does not have it. */
bool near_symbol_by_name(const struct object *o, const char *name, u64 *ret_value,
			 u16 *ret_section);

#endif
