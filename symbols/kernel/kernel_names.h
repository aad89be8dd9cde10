/* SPDX-License-Identifier: MIT */
/*
 * Finds the kernel's own symbols directly in a kallsyms list, without a struct symtab of all of
 * them: that would take 10 MB and as much time as a small report, and a recording needs a few
 * hundred.
 */
#ifndef SYMBOLS_KERNEL_KERNEL_NAMES_H
#define SYMBOLS_KERNEL_KERNEL_NAMES_H

#include "symbols/kernel/kallsyms.h"
#include "symbols/table/dso_desc.h"

struct kernel_names;

/* Opens a borrowed list. delta is added to its addresses to get run-time addresses. */
struct kernel_names *kernel_names_new(struct kallsyms *list, u64 delta);
void kernel_names_free(struct kernel_names *n);

/* See dso_list_symbols(): the symbols of the kernel itself, without modules. */
size_t kernel_names_list(struct kernel_names *n, struct sym_listed **ret);
/* Returns the name of a listed symbol, valid as long as n. */
const char *kernel_names_get(struct kernel_names *n, u32 id);

/* Finds the run-time start of the first symbol and end of the last; false without symbols. */
bool kernel_names_range(const struct kernel_names *n, u64 *ret_start, u64 *ret_end);

/* Finds the symbol that contains the run-time address addr, false if none does. ret->name is valid
 * as long as n. */
bool kernel_names_find(struct kernel_names *n, u64 addr, struct sym_hit *ret);

#endif
