/* SPDX-License-Identifier: MIT */
/* Sorts the symbols of a table. Only symtab.c uses it, which keeps the table's indexes valid. */
#ifndef SYMBOLS_TABLE_SYMTAB_ORDER_H
#define SYMBOLS_TABLE_SYMTAB_ORDER_H

#include "symbols/table/symtab.h"

/* Sorts all symbols by start; symbols of equal start stay in the order in which they were added. */
void symtab_order(struct symtab *t);

#endif
