/* SPDX-License-Identifier: MIT */
/*
 * Helpers for callbacks of sort keys: printing texts, symbols and sizes as cells, and comparing
 * symbols and addresses.
 */
#ifndef REPORT_TABLE_KEY_TEXT_H
#define REPORT_TABLE_KEY_TEXT_H

#include "report/table/sort_key.h"

/* Appends s, cut or filled with blanks on the right to exactly width characters. */
void key_print_text(struct out *o, const char *s, int width);

/* A sort_key.print for text ids: cut to the column's width, not filled. */
void key_print_unfilled(struct hist_data *d, struct out *o, const struct key_cell *c);

/*
 * Replaces the first character of a separator (-t) by "." in the text that begins at `start`, so
 * that it never stands within a cell. NULL and "" replace nothing. o must be in memory.
 */
void key_hide_separator(struct out *o, size_t start, const char *separator);

/*
 * Appends "[k] name" of a frame, cut to the width; "[k] 0x..." with addr if the frame has no
 * symbol, "[k] name+0x..." if the symbol is data.
 */
void key_print_symbol(struct out *o, const struct frame *fr, u64 addr, char level, int width);

/* Appends a size in bytes as "4K" or "2M", 0 as "N/A", as key_print_text() does. */
void key_print_page_size(struct out *o, u64 size, int width);

/*
 * Returns the address that is shown for a frame without a symbol: the address in its object for a
 * sample's own frame (own), the run-time ip for callers and in branch mode.
 */
u64 key_address(const struct hist_data *d, const struct frame *fr, bool own);

/* Compares addresses by the sign of their difference, which may wrap, as perf does. */
static inline int key_addr_order(u64 a, u64 b)
{
	return (s64)(a - b) < 0 ? -1 : a != b;
}

/*
 * A sort_key.order for symbol ids. Two addresses without symbols are compared as addresses. Other
 * pairs are ordered by object (if no key tells objects apart), then named symbols before addresses,
 * then by start and end.
 */
int key_symbol_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
/* A sort_key.sort for symbol ids: by name; addresses without symbols are last and equal. */
int key_symbol_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
/* Returns how many characters key_print_symbol() prints for a symbol if nothing is cut. */
int key_symbol_width(const struct hist_symbol *sym);

#endif
