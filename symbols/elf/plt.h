/* SPDX-License-Identifier: MIT */
/* Makes symbols for the slots of procedure linkage tables (PLT), which symbol tables do not have
 * (docs/FORMAT.md 7.7). */
#ifndef SYMBOLS_ELF_PLT_H
#define SYMBOLS_ELF_PLT_H

#include "symbols/elf/object.h"
#include "symbols/table/symtab.h"

/*
 * Adds a symbol with is_plt set for every slot of .plt, .plt.sec and .plt.got in runtime, and one
 * named ".plt" for the header, to the finished table t, by file offset. Names are borrowed from
 * runtime. A damaged PLT adds nothing. If t->format is perf 6.1, only slots of .plt are added, and
 * numbered as that version does.
 */
void plt_add_symbols(const struct object *runtime, struct symtab *t);

#endif
