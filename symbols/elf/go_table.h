/* SPDX-License-Identifier: MIT */
/*
 * Go's own table of functions, .gopclntab: where each begins, what it is called, and how far it has
 * moved the stack pointer at each pc. The runtime needs it, so that stripping leaves it.
 *
 * Layout (runtime/symtab.go of each release): u32 magic, two zeros, u8 code quantum, u8 bytes of a
 * pointer, then
 *
 *	0xfffffffb (1.2)	word nr; pairs of words {start, function}
 *	0xfffffffa (1.16)	words nr, files, names, cu, filetab, pctab, functions
 *	0xfffffff0 (1.18)	words nr, files, text, names, cu, filetab, pctab, functions
 *	0xfffffff1 (1.20)	the same
 *
 * Since 1.16 the part of functions begins with the pairs; since 1.18 they are of u32, and starts
 * count from text. An end follows the last. A function is
 *
 *	word start (u32 since 1.18), u32 name, u32 args, u32 deferreturn, u32 pcsp
 *	since 1.16		u32 pcfile, u32 pcln, u32 npcdata, u32 cu
 *	since 1.20		u32 line
 *	since 1.16		u8 id, u8 flags
 *
 * Offsets count from the table; of functions, names and pcsp since 1.16 from their parts.
 */
#ifndef SYMBOLS_ELF_GO_TABLE_H
#define SYMBOLS_ELF_GO_TABLE_H

#include "symbols/elf/object.h"
#include "symbols/table/symtab.h"

struct go_table {
	const struct object *o;
	struct span names, pctab, functions, starts;
	u64 text; /* what starts count from */
	u32 nr;
	u8 word, quantum;
	bool small;  /* u32 instead of words */
	u8 to_flags; /* in a function, from behind pcsp; 0: there are none */
};

/* One function; addresses are vaddrs. */
struct go_function {
	u64 start, end;
	const char *name; /* borrowed from the object */
	u32 pcsp;         /* 0: nothing is said */
	bool is_top;      /* nobody has called it: rt0_go, mstart, goexit */
	bool moves_sp;    /* to another stack, unknown to pcsp: systemstack, mcall, morestack */
};

#define GO_NO_FUNCTION UINT32_MAX

/* The section, NULL where o is no Go program. */
const struct obj_section *go_table_section(const struct object *o);

/* False when o has no table that is understood. Borrows o. Takes no memory. */
bool go_table_open(const struct object *o, struct go_table *ret);

/* False when entry i < t->nr is damaged. */
bool go_table_function(const struct go_table *t, u32 i, struct go_function *ret);
/* The last that begins at or before vaddr, which may lie behind its end; GO_NO_FUNCTION: none. */
u32 go_table_find(const struct go_table *t, u64 vaddr);

/*
 * Calls each for the ranges of f's code, ascending: there the stack pointer is that many bytes
 * below the return address. Stops when it returns false, and where the table is damaged.
 */
void go_table_stack(const struct go_table *t, const struct go_function *f,
		    bool (*each)(void *ctx, u64 start, u64 end, u32 bytes), void *ctx);

/*
 * Adds the functions of o, in file offsets, and finishes tab; names are borrowed from o. False when
 * there are none.
 */
bool go_table_add_symbols(const struct object *o, struct symtab *tab);

#endif
