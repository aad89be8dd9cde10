/* SPDX-License-Identifier: MIT */
/* Sorting the symbols of a table: for symtab.c, which has what follows from their order. */
#ifndef SYMBOLS_TABLE_SYMTAB_ORDER_H
#define SYMBOLS_TABLE_SYMTAB_ORDER_H

#include "symbols/table/symtab.h"

/* Sorts all symbols by start, those with the same start in the order in which they were added. */
void symtab_order(struct symtab *t);

#endif
