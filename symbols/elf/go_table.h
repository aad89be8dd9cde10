/* SPDX-License-Identifier: MIT */
/*
 * Reads .gopclntab, the table of functions in Go programs: their addresses, names, and for each pc
 * how far the function has moved the stack pointer. The Go runtime needs it, so stripped programs
 * have it too.
 *
 * Layout (runtime/symtab.go of each release): u32 magic, two zeros, u8 code quantum, u8 bytes of a
 * pointer, then
 *
 *	0xfffffffb (1.2)	word nr; pairs of words {start, function}
 *	0xfffffffa (1.16)	words nr, files, names, cu, filetab, pctab, functions
 *	0xfffffff0 (1.18)	words nr, files, text, names, cu, filetab, pctab, functions
 *	0xfffffff1 (1.20)	the same
 *
 * Since Go 1.16 the pairs are at the start of the `functions` part; since 1.18 they are pairs of
 * u32, and starts are relative to `text`. The end address of the last function follows the pairs. A
 * function is
 *
 *	word start (u32 since 1.18), u32 name, u32 args, u32 deferreturn, u32 pcsp
 *	since 1.16		u32 pcfile, u32 pcln, u32 npcdata, u32 cu
 *	since 1.20		u32 line
 *	since 1.16		u8 id, u8 flags
 *
 * Offsets are relative to the table's start; since 1.16 those of functions, names and pcsp are
 * relative to their parts.
 */
#ifndef SYMBOLS_ELF_GO_TABLE_H
#define SYMBOLS_ELF_GO_TABLE_H

#include "symbols/elf/object.h"
#include "symbols/table/symtab.h"

struct go_table {
	const struct object *o;
	struct span names, pctab, functions, starts;
	u64 text;         /* base of the functions' start addresses */
	u32 nr;           /* functions */
	u8 word, quantum; /* bytes of a pointer; code quantum: unit of pc deltas, in bytes */
	bool small;       /* the pairs are u32s instead of words */
	u8 to_flags;      /* offset of `flags` in a function, from the end of pcsp; 0: no flags */
};

/* One function. Addresses are vaddrs (st_value space). */
struct go_function {
	u64 start, end;
	const char *name; /* borrowed from the object */
	u32 pcsp;         /* offset of its stack pointer table; 0: it has none */
	bool is_top;      /* it has no caller: rt0_go, mstart, goexit */
	bool moves_sp;    /* it switches stacks, which pcsp does not show: systemstack, mcall,
			   * morestack */
};

#define GO_NO_FUNCTION UINT32_MAX

/* Returns the section with the table, NULL if o is not a Go program. */
const struct obj_section *go_table_section(const struct object *o);

/* Opens the table of o, which is borrowed; nothing has to be freed. Returns false if o has no table
 * of a known version. */
bool go_table_open(const struct object *o, struct go_table *ret);

/* Decodes function i, which is below t->nr. Returns false if its entry is damaged. */
bool go_table_function(const struct go_table *t, u32 i, struct go_function *ret);
/* Returns the number of the last function that begins at or before vaddr, even if vaddr is past its
 * end; GO_NO_FUNCTION if no function begins there. */
u32 go_table_find(const struct go_table *t, u64 vaddr);

/*
 * Calls each(ctx, start, end, bytes) for consecutive ranges of f's code, in ascending order: in
 * [start, end) the stack pointer is `bytes` bytes below the return address. Stops when each()
 * returns false, or when the table is damaged.
 */
void go_table_stack(const struct go_table *t, const struct go_function *f,
		    bool (*each)(void *ctx, u64 start, u64 end, u32 bytes), void *ctx);

/*
 * Adds the functions in the table of o to tab, by file offset, and finishes tab. Names are borrowed
 * from o. Returns false if o has no functions in such a table.
 */
bool go_table_add_symbols(const struct object *o, struct symtab *tab);

#endif
