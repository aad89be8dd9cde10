/* SPDX-License-Identifier: MIT */
/*
 * Symbols of the kernel and of its modules: where they are looked for, and when this host's own
 * list may be used for a recording (only when it is of this host's kernel).
 *
 * A kernel is loaded at another address with every boot (KASLR). The recording tells where one
 * reference symbol was; every symbol of a source is moved by the same distance.
 */
#ifndef SYMBOLS_KERNEL_KERNEL_H
#define SYMBOLS_KERNEL_KERNEL_H

#include "base/err.h"
#include "symbols/kernel/kallsyms.h"
#include "symbols/table/origin.h"
#include "symbols/table/symtab.h"

/* The lists of symbols read so far in one session: the kernel and its modules share one. */
struct kernel_cache;

struct kernel_cache *kernel_cache_new(void);
void kernel_cache_free(struct kernel_cache *c);

/*
 * Tells which kernel the modules of this session belong to. Strings of desc are borrowed until
 * kernel_cache_free. The last one counts.
 */
void kernel_cache_set_kernel(struct kernel_cache *c, const struct dso_desc *desc);

/*
 * Adds the symbols of desc, a DSO_KERNEL or DSO_MODULE, to tab and finishes it. Addresses are ips.
 * cfg->kernel_cache may be NULL: then nothing is kept. *ret is filled on failure too.
 * PERR_NOTFOUND when there is no source that may be used: ret->status says why. Other errors are
 * of the file that the user named, or of damaged files.
 */
int kernel_load_symbols(const struct symbols_config *cfg, const struct dso_desc *desc,
			struct symtab *tab, struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
