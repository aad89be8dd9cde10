/* SPDX-License-Identifier: MIT */
/* Symbols of one kernel module: from its .ko file, packed or not, or from kallsyms. */
#ifndef SYMBOLS_KMOD_H
#define SYMBOLS_KMOD_H

#include "base/err.h"
#include "symbols/kernel.h"

/* As kernel_load_symbols, for a DSO_MODULE. */
int kmod_load(const struct symbols_config *cfg, struct kernel_cache *c, const struct dso_desc *desc,
	      struct symtab *tab, struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
