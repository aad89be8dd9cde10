/* SPDX-License-Identifier: MIT */
/* Names for the slots of procedure linkage tables, which no symbol table has (FORMAT.md 7.7). */
#ifndef SYMBOLS_ELF_PLT_H
#define SYMBOLS_ELF_PLT_H

#include "symbols/elf/object.h"
#include "symbols/table/symtab.h"

/*
 * Adds a symbol with is_plt for every slot of runtime's .plt, .plt.sec and .plt.got, and ".plt" for
 * the header, to the finished t, by file offset. Names are borrowed from runtime. Damaged tables
 * add nothing. With t->format perf 6.1: the slots of .plt alone, counted as it does.
 */
void plt_add_symbols(const struct object *runtime, struct symtab *t);

#endif
