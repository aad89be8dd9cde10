/* SPDX-License-Identifier: MIT */
/*
 * The names that objdump gives to addresses: the symbol at or nearest before each, however far that
 * is, of the symbol table of an ELF file. One pass over the table for any number of addresses:
 * nothing of a large file is sorted or kept.
 */
#ifndef SYMBOLS_ELF_NEAR_SYMBOL_H
#define SYMBOLS_ELF_NEAR_SYMBOL_H

#include "base/types.h"

struct object;

struct near_symbol {
	u64 addr; /* asked for, st_value space; the table of them is ascending */
	u64 value;
	const char *name; /* in the file, not demangled; NULL: none lies before */
	bool is_slot;     /* see near_symbols_find_slots */
	int rank;         /* of the one chosen so far among those that share a value */
};

/*
 * Fills value and name of nr entries, whose addr are set and ascend. May be called for
 * several objects with addresses of one space (the file that runs, and the one with its debug
 * information): the nearest wins. Names live as long as their objects.
 */
void near_symbols_find(const struct object *o, struct near_symbol *s, size_t nr);

/*
 * Names those of nr entries (ascending addr) that are slots which the dynamic linker fills with the
 * address of a symbol, as of the GOT: value is addr, name the symbol's. Others are left alone.
 */
void near_symbols_find_slots(const struct object *o, struct near_symbol *s, size_t nr);

/* Of a symbol with this (not demangled) name, as near_symbols_find: false where there is none. */
bool near_symbol_by_name(const struct object *o, const char *name, u64 *ret_value,
			 u16 *ret_section);

#endif
