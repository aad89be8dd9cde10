/* SPDX-License-Identifier: MIT */
/*
 * The interface of symbols/: finds the symbol, source line and inlined functions of an address in
 * an object (dso: a mapped file, the kernel, a kernel module, JIT code). Callers describe each
 * object with a struct dso_desc; its file is searched for and loaded at the first lookup.
 *
 * Address spaces: `ip` is a run-time address. A dso address is the address in which an object's
 * symbols are stored: for a mapped file the file offset (ip - map start + map pgoff); for the
 * kernel and JIT maps the ip itself; for a kernel module one of the two, depending on the file with
 * its symbols. The functions here take ips and convert them.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include "symbols/table/dso_desc.h"
#include "symbols/dwarf/data_types.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/table/symtab.h"

struct symbols; /* all objects of one session */
struct dso;     /* one object; identity = pointer */

/* Makes an empty table of objects. The strings of cfg are borrowed until symbols_free(). Call it
 * before other threads start: it may set an environment variable for debuginfod. */
struct symbols *symbols_new(const struct symbols_config *cfg);
void symbols_free(struct symbols *s);
/*
 * Gives the memory of mapped files back to the system; what is needed again is read again. Not
 * while other threads use the objects.
 */
void symbols_give_pages_back(struct symbols *s);

/*
 * About how many bytes of memory were taken for what was read of files of processes and of their
 * JITs' maps so far, without the pages of mapped files: it only grows. Any thread may call it.
 */
u64 symbols_loaded_bytes(const struct symbols *s);

/* Returns the config that symbols_new() was called with, completed by members it sets itself. */
const struct symbols_config *symbols_get_config(const struct symbols *s);

/* Sets *ret to the array of all objects, ordered by dso_get_number(), and returns its length. The
 * array is valid until an object is added. In the place of one that was removed is NULL. */
size_t symbols_get_dsos(const struct symbols *s, struct dso *const **ret);

/* Adds an object and returns it. It is valid until symbols_free() or symbols_remove_dso().
 * desc's strings are copied. */
struct dso *symbols_add_dso(struct symbols *s, const struct dso_desc *desc);
/*
 * Frees an object with all that was read of it: a map of it, a symbol, or a pointer to d may not be
 * used any more. Its number is given to an object that is added later. Only while no other thread
 * uses the table.
 */
void symbols_remove_dso(struct symbols *s, struct dso *d);

/* Adds a symbol at ips [start, start + len) to a DSO_BPF object, or to any object that has not been
 * loaded. The name is copied. */
void dso_add_symbol(struct dso *d, u64 start, u64 len, const char *name);

/*
 * Finds the symbol at ip in object d, which is mapped at map_start from file offset map_pgoff on.
 * The first call loads d's symbols. Returns false if no symbol covers ip; dso_get_status() then
 * says whether d has symbols at all, and why not. Any thread may call it, also while objects are
 * added.
 */
bool dso_find(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret);

/*
 * Sets *ret to d's symbols in the order of their addresses, an array that the caller frees, and
 * returns their number. Loads d's symbols if that has not been done. Aliases are not listed, nor
 * the symbols of jitdumps. Any thread may call these functions.
 */
size_t dso_list_symbols(struct dso *d, struct sym_listed **ret);
/* Returns the name as dso_find() gives it, valid until symbols_free(). */
const char *dso_listed_name(struct dso *d, u32 id);

/*
 * Finds the source line of the code at ip in the DWARF line tables of d's files. For a function
 * without line table it gives the file that the symbol table names, else "??", with line 0. Returns
 * false if nothing is known; ret->vaddr is set even then for a DSO_USER. Any thread may call it.
 */
bool dso_find_line(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct line_hit *ret);

/*
 * Appends the type of the data that the instruction at ip reads or writes at a place, see
 * data_types_find(). Returns false if d's files do not tell it. Any thread may call it.
 */
bool dso_find_data_type(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			const struct data_place *place, struct out *o);

/*
 * Finds the functions at ip by the DWARF of d's files: the inlined ones, innermost first, and last
 * the function that dso_find() names. Returns their number: 1 if nothing was inlined, 0 for
 * kernels, for an ip without a symbol, and if the DWARF has no function there. An inlined function
 * that has the same name as the symbol is marked as not inlined, as perf shows it. *ret is valid
 * until symbols_free(). Any thread may call these functions.
 *
 * Only dso_find_inlines_with_lines() sets file and line of the frames, because that may read line
 * tables. The innermost frame has none; use dso_find_line().
 */
size_t dso_find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			const struct inline_frame **ret);
size_t dso_find_inlines_with_lines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
				   const struct inline_frame **ret);

/*
 * Copies up to n bytes of machine code at ip from the mapped file to buf. Returns the number of
 * bytes copied, 0 if the file was not found or has no code there. *ret_is_64: the object is a
 * 64-bit one. Any thread may call it.
 */
size_t dso_read_code(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, void *buf, size_t n,
		     bool *ret_is_64);

/* True if d has debug information, in which dso_find_inlines() can find functions. Loads d's
 * symbols if that has not been done. Any thread may call it. */
bool dso_has_debuginfo(struct dso *d);
/*
 * Returns the same as dso_has_debuginfo(), for callers that will call dso_find_inlines(). Opening
 * DWARF is slow, so for the first 4 objects it starts now, in another thread. Any thread may call
 * it.
 */
bool dso_expect_inlines(struct dso *d);
/*
 * Announces a later dso_find_inlines() call for this address, so that the lookup can start in
 * another thread. Call it only if dso_expect_inlines() has returned true. sym: the result of
 * dso_find() for the address.
 */
void dso_will_find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			   const struct sym_hit *sym);

/*
 * Finds the mapped file of d and the file with its debug information, which may be the same. Sets
 * the pointer of a file that was not found to NULL. The objects are valid until symbols_free(). Any
 * thread may call it.
 */
struct object;
void dso_find_files(struct dso *d, const struct object **ret_code, const struct object **ret_debug);

/* Of a DSO_JIT: it has this code from now on. No lookup may be in work. */
void dso_set_jit(struct dso *d, const struct jit_code *code);

/* Returns DSO_LOADED, or why d has no symbols; DSO_NOT_LOADED before the first lookup. */
enum dso_status dso_get_status(const struct dso *d);
/* Returns the description that symbols_add_dso() copied. */
const struct dso_desc *dso_get_desc(const struct dso *d);
/* Returns d's number, which no other object has: unless some were removed, the number of those that
 * were added before d. */
u32 dso_get_number(const struct dso *d);
/* Returns the path of the file with d's symbols, NULL without one; for -v and --show-kernel-path.
 */
const char *dso_get_symbols_path(const struct dso *d);
/* Returns the path of d's mapped file, as it was found, NULL if it was not. Of DSO_USER objects. */
const char *dso_get_file_path(const struct dso *d);
/*
 * True if the file with d's symbols has the exported ones only, those of .dynsym: it was stripped,
 * and its other functions have no names. Of DSO_USER objects, after the first lookup.
 */
bool dso_has_exported_only(const struct dso *d);
/* Returns the letter by which perf -v shows the kind of file with d's symbols (docs/FORMAT.md 7.8);
 * '!' without one. */
char dso_get_origin(const struct dso *d);

/*
 * Returns the address ranges of a DSO_KERNEL that replace its recorded map after the first lookup,
 * as in perf: from the first to the last symbol of kallsyms, or the sections of vmlinux. The result
 * is the number of ranges in *ret, which are valid as long as d; 0 before the first lookup or
 * without symbols: the recorded map then stays. The ranges are not sorted and may overlap each
 * other and kernel modules.
 */
size_t dso_get_kernel_parts(const struct dso *d, const struct dso_part **ret);

#endif
