/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own symbols, looked up in a kallsyms list where it lies. A table of all of them
 * would take 10 MB and as long to make as a small report takes; a recording meets few hundred.
 */
#ifndef SYMBOLS_KERNEL_KERNEL_NAMES_H
#define SYMBOLS_KERNEL_KERNEL_NAMES_H

#include "symbols/kernel/kallsyms.h"
#include "symbols/table/dso_desc.h"

struct kernel_names;

/* list: borrowed; its symbols are moved by delta. */
struct kernel_names *kernel_names_new(struct kallsyms *list, u64 delta);
void kernel_names_free(struct kernel_names *n);

/* Where the first begins and the last ends; false when there are none. */
bool kernel_names_range(const struct kernel_names *n, u64 *ret_start, u64 *ret_end);

/* As dso_find: addr is an address of run time. ret->name lives as long as n. */
bool kernel_names_find(struct kernel_names *n, u64 addr, struct sym_hit *ret);

#endif
