/* SPDX-License-Identifier: MIT */
/*
 * The source file of a function by the symbol table alone (its STT_FILE symbols): what is known
 * where there are no line tables. It is there for local functions only.
 */
#ifndef SYMBOLS_DWARF_SOURCE_NAME_H
#define SYMBOLS_DWARF_SOURCE_NAME_H

#include "symbols/elf/object.h"

struct source_names;

/* Names are borrowed from o. */
struct source_names *source_names_new(const struct object *o);
void source_names_free(struct source_names *s);

/*
 * Name of the file of the function that holds vaddr, or else of the one before it in its section,
 * as binutils choose: may be "", and is "??" when it is not known. False when there is no function.
 */
bool source_names_find(const struct source_names *s, u64 vaddr, const char **ret_file);

#endif
