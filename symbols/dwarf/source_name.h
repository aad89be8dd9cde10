/* SPDX-License-Identifier: MIT */
/*
 * Finds the source file of a function in the symbol table (its STT_FILE symbols), for code without
 * line tables. Symbol tables have it for local functions only.
 */
#ifndef SYMBOLS_DWARF_SOURCE_NAME_H
#define SYMBOLS_DWARF_SOURCE_NAME_H

#include "symbols/elf/object.h"

struct source_names;

/* Makes an index of the functions in o's symbol table. o is borrowed until source_names_free(). */
struct source_names *source_names_new(const struct object *o);
void source_names_free(struct source_names *s);

/*
 * Finds the file of the function that contains vaddr, or of the function before vaddr in the same
 * section, as binutils choose. *ret_file may be "", and is "??" if the file is unknown. Returns
 * false if there is no such function.
 */
bool source_names_find(const struct source_names *s, u64 vaddr, const char **ret_file);

#endif
