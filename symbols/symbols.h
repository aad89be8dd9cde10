/* SPDX-License-Identifier: MIT */
/*
 * The door of symbols/: an address in an object -> a name. The session describes each object it
 * meets (dso_desc); the object's file is searched for and loaded on the first lookup only.
 *
 * Address spaces. `ip` is a run-time address. A dso address is what an object's symbols are kept
 * in: for files the file offset (ip - map start + map pgoff); for the kernel, JIT maps and other
 * identity maps the ip itself; for modules either, depending on what was found (dso_find takes
 * care).
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include "symbols/table/dso_desc.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/table/symtab.h"

struct symbols; /* all objects of one session */
struct dso;     /* one object; identity = pointer */

/* cfg's strings are borrowed until symbols_free. */
struct symbols *symbols_new(const struct symbols_config *cfg);
void symbols_free(struct symbols *s);

/* As given to symbols_new, with what that added. */
const struct symbols_config *symbols_get_config(const struct symbols *s);

/* All objects, by their numbers. *ret is valid until the next one is added. */
size_t symbols_get_dsos(const struct symbols *s, struct dso *const **ret);

/* A new object; desc's strings are copied. Owned by s. */
struct dso *symbols_add_dso(struct symbols *s, const struct dso_desc *desc);

/* Adds one symbol to a DSO_BPF object (or any object not loaded yet): addresses are ips. */
void dso_add_symbol(struct dso *d, u64 start, u64 len, const char *name);

/*
 * May be called by several threads at once, also while objects are added.
 * Looks ip up in object d, mapped at [map_start, ..) from file offset map_pgoff. Loads d's symbols
 * first where that has not been done. False when no symbol's range holds it. Never fails: why
 * nothing was found is dso_get_status().
 */
bool dso_find(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret);

/*
 * The source line of the code at ip, by the DWARF line tables of the file that d's symbols came
 * from; for functions that they leave out, the file that its symbol table names, else "??", with
 * line 0. May be called by several threads at once. False when there is none; ret->vaddr is filled
 * all the same for a DSO_USER.
 */
bool dso_find_line(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct line_hit *ret);

/*
 * The functions that the code at ip was inlined from, by the DWARF of d's files: innermost first,
 * the last one is the function with the symbol that dso_find gives. Returns how many: 0 for
 * kernels, without a symbol, and where the DWARF knows no function; 1 where nothing was inlined. An
 * inlined function that has the symbol's own name is marked as not inlined. May be called by
 * several threads at once; *ret lives until symbols_free. Their files and lines are told by the
 * second one only, which may have to read line tables; that of the innermost is dso_find_line's.
 */
size_t dso_find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			const struct inline_frame **ret);
size_t dso_find_inlines_with_lines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
				   const struct inline_frame **ret);

/*
 * Copies up to n bytes of the code at ip out of the mapped file itself; returns how many, 0 when it
 * is not there. *ret_is_64 tells a 64-bit object from a 32-bit one.
 */
size_t dso_read_code(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, void *buf, size_t n,
		     bool *ret_is_64);

/* Whether functions inlined in d can be told. Loads it; may be called by several threads at once.
 */
bool dso_has_debuginfo(struct dso *d);
/*
 * As dso_has_debuginfo, for callers that will ask for inlined functions. Opening DWARF is slow: for
 * the first 4 objects it starts now, in another thread.
 */
bool dso_expect_inlines(struct dso *d);
/*
 * Announces a later dso_find_inlines for this address, so that the lookup can start in another
 * thread. Only after dso_expect_inlines returned true. sym: dso_find's answer for the address.
 */
void dso_will_find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			   const struct sym_hit *sym);

/*
 * The file that is mapped and the one with its debug information, which may be the same; NULL where
 * it was not found. They live until symbols_free. May be called by several threads at once.
 */
struct object;
void dso_find_files(struct dso *d, const struct object **ret_code, const struct object **ret_debug);

enum dso_status dso_get_status(const struct dso *d);
const struct dso_desc *dso_get_desc(const struct dso *d);
/* How many objects were added before it. */
u32 dso_get_number(const struct dso *d);
/* Path the symbols came from, NULL when none; for -v and --show-kernel-path. */
const char *dso_get_symbols_path(const struct dso *d);
/* The letter perf shows for that source with -v (FORMAT.md 7.8), '!' for none. */
char dso_get_origin(const struct dso *d);

/*
 * What a DSO_KERNEL covers from its first lookup on, instead of the recorded map: perf then goes by
 * the first and the last symbol of kallsyms, or by the sections of vmlinux. Returns the number of
 * parts, which live as long as d; 0 before the first lookup and when no symbols were found: the
 * recorded map stays as it is. Parts are in no order and may overlap each other and modules.
 */
size_t dso_get_kernel_parts(const struct dso *d, const struct dso_part **ret);

#endif
