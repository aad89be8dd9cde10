/* SPDX-License-Identifier: MIT */
/* Loads the symbols of a kernel module from its .ko file, compressed or not, or from kallsyms. */
#ifndef SYMBOLS_KERNEL_KMOD_H
#define SYMBOLS_KERNEL_KMOD_H

#include "base/err.h"
#include "symbols/kernel/kernel.h"

/* The arguments of kernel_load_symbols() and the cache it uses. */
struct kernel_load {
	const struct symbols_config *cfg;
	struct kernel_cache *cache;
	const struct dso_desc *desc;
	struct symtab *tab;
	struct sym_origin *ret;
	struct perr *e;
};

/* Loads the symbols of l->desc, a DSO_MODULE. Results and errors are those of
 * kernel_load_symbols(). */
int kmod_load(struct kernel_load *l) MUST_CHECK;

#endif
