/* SPDX-License-Identifier: MIT */
/*
 * Loads the symbols of the kernel and its modules from vmlinux, module files or kallsyms. This
 * host's /proc/kallsyms is used only if the recording was made on the kernel that runs now.
 *
 * A kernel is loaded at another address with each boot (KASLR). The recording has the address of
 * one reference symbol; every symbol is moved by the distance between that address and the one in
 * the file.
 */
#ifndef SYMBOLS_KERNEL_KERNEL_H
#define SYMBOLS_KERNEL_KERNEL_H

#include "base/err.h"
#include "symbols/kernel/kallsyms.h"
#include "symbols/table/origin.h"
#include "symbols/table/symtab.h"

/* The kallsyms lists that have been read, which the kernel and its modules share. */
struct kernel_cache;

struct kernel_cache *kernel_cache_new(void);
void kernel_cache_free(struct kernel_cache *c);

/*
 * Sets the kernel to which the modules belong; a later call replaces it. Strings of desc are
 * borrowed until kernel_cache_free().
 */
void kernel_cache_set_kernel(struct kernel_cache *c, const struct dso_desc *desc);

/* As symbols_give_pages_back(), of the kernel's lists. c may be NULL. */
void kernel_cache_give_pages_back(const struct kernel_cache *c);

/*
 * Adds the symbols of desc, a DSO_KERNEL or DSO_MODULE, to tab and finishes it. Addresses are ips,
 * or of a module file offsets (ret->addr_is_ip). With cfg->kernel_cache NULL no list is kept for
 * later calls. *ret is set on failure too. PERR_NOTFOUND: no source may be used, and ret->status
 * says why. Other errors mean that a file the user named cannot be read, or that a file is damaged.
 */
int kernel_load_symbols(const struct symbols_config *cfg, const struct dso_desc *desc,
			struct symtab *tab, struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
