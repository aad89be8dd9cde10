/* SPDX-License-Identifier: MIT */
/*
 * What the families of sort keys have in common: how a cell is printed, what stands for a place
 * without a symbol, and how symbols and addresses are compared.
 */
#ifndef REPORT_TABLE_KEY_TEXT_H
#define REPORT_TABLE_KEY_TEXT_H

#include "report/table/sort_key.h"

/* Appends s left-aligned: filled with blanks, or cut, to width characters. */
void key_print_text(struct out *o, const char *s, int width);

/*
 * Appends "[k] name" of a frame, cut to the width; "[k] 0x..." with addr if the frame has no
 * symbol, "[k] name+0x..." if the symbol is data.
 */
void key_print_symbol(struct out *o, const struct frame *fr, u64 addr, char level, int width);

/* Appends a size in bytes as "4K" or "2M", 0 as "N/A". */
void key_print_page_size(struct out *o, u64 size, int width);

/*
 * The address that is shown for a frame without a symbol: the address in its object. For callers
 * (own is false) and in tables of branches it is the instruction pointer.
 */
u64 key_address(const struct hist_data *d, const struct frame *fr, bool own);

/* Negative when address a comes first: by the sign of the difference, which may wrap. */
static inline int key_addr_order(u64 a, u64 b)
{
	return (s64)(a - b) < 0 ? -1 : a != b;
}

/*
 * sort_key.order of symbol ids: named symbols first, by object where no key tells objects apart,
 * then by address.
 */
int key_symbol_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
/* sort_key.sort of symbol ids: by name, those without a name last and equal to each other. */
int key_symbol_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
/* Characters that key_print_symbol prints for a symbol, uncut. */
int key_symbol_width(const struct hist_symbol *sym);

#endif
