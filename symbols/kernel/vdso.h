/* SPDX-License-Identifier: MIT */
/* The kernel's shared object in every process, [vdso]: it is in no file. */
#ifndef SYMBOLS_KERNEL_VDSO_H
#define SYMBOLS_KERNEL_VDSO_H

#include "base/err.h"
#include "symbols/table/origin.h"
#include "symbols/table/symtab.h"

/*
 * Adds the symbols of desc, a DSO_VDSO, in file offsets (the map's pgoff counts as 0): from the
 * build-id cache, else from the copy in this very process where it is the same one. *ret is filled
 * on failure too. PERR_NOTFOUND when there is neither, PERR_FORMAT.
 */
int vdso_load(const struct symbols_config *cfg, const struct dso_desc *desc, struct symtab *tab,
	      struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
