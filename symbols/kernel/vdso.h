/* SPDX-License-Identifier: MIT */
/* Loads the symbols of [vdso], the shared object that the kernel maps into every process. It has no
 * file of its own. */
#ifndef SYMBOLS_KERNEL_VDSO_H
#define SYMBOLS_KERNEL_VDSO_H

#include "base/err.h"
#include "symbols/table/origin.h"
#include "symbols/table/symtab.h"

/*
 * Adds the symbols of desc, a DSO_VDSO, to tab, by file offset (pgoff of its map counts as 0). It
 * reads the image in the build-id cache, or else the vdso of this process if that has the recorded
 * build-id. *ret is set on failure too. PERR_NOTFOUND: neither image can be used. PERR_FORMAT: the
 * image is damaged.
 */
int vdso_load(const struct symbols_config *cfg, const struct dso_desc *desc, struct symtab *tab,
	      struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
