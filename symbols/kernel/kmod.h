/* SPDX-License-Identifier: MIT */
/* Symbols of one kernel module: from its .ko file, packed or not, or from kallsyms. */
#ifndef SYMBOLS_KERNEL_KMOD_H
#define SYMBOLS_KERNEL_KMOD_H

#include "base/err.h"
#include "symbols/kernel/kernel.h"

/* What is being loaded, from where, and the room for its results: see kernel_load_symbols. */
struct kernel_load {
	const struct symbols_config *cfg;
	struct kernel_cache *cache;
	const struct dso_desc *desc;
	struct symtab *tab;
	struct sym_origin *ret;
	struct perr *e;
};

/* As kernel_load_symbols, for a DSO_MODULE. */
int kmod_load(struct kernel_load *l) MUST_CHECK;

#endif
