/* SPDX-License-Identifier: MIT */
/* Finds a kallsyms list of a recorded kernel, and the distance (delta) by which its addresses must
 * be moved, because a kernel is loaded at another address with each boot (KASLR). */
#ifndef SYMBOLS_KERNEL_KALLSYMS_SOURCE_H
#define SYMBOLS_KERNEL_KALLSYMS_SOURCE_H

#include <pthread.h>

#include "base/err.h"
#include "symbols/kernel/kallsyms.h"
#include "symbols/elf/readfile.h"
#include "symbols/table/dso_desc.h"

/* A kallsyms list in memory, read from `path`. */
struct kallsyms_file {
	char *path;
	struct file_text text;
	struct kallsyms list;
	u64 delta; /* to add to addresses of the kernel itself, not of modules */
};

/* The kallsyms lists that have been read, which the kernel and its modules share. */
struct kernel_cache {
	pthread_mutex_t lock; /* held while symbols are loaded from the lists */
	struct kallsyms_file **files;
	size_t nr, cap;
	struct dso_desc kernel; /* set by kernel_cache_set_kernel() if has_kernel */
	bool has_kernel;
};

/*
 * Finds and reads the list for kernel `desc`. If cfg->kallsyms is set only that file is used, else
 * the list in the build-id cache, else /proc/kallsyms if the running kernel is the recorded one. c
 * owns *ret. PERR_NOTFOUND: no list may be used, and *ret_status says why. PERR_IO, PERR_LIMIT: the
 * file that the user named cannot be read.
 */
int kallsyms_source(const struct symbols_config *cfg, struct kernel_cache *c,
		    const struct dso_desc *desc, struct kallsyms_file **ret,
		    enum dso_status *ret_status, struct perr *e) MUST_CHECK;

/* Finds a list like kallsyms_source(), for callers that do not need symbols of modules. */
int kallsyms_source_kernel(const struct symbols_config *cfg, struct kernel_cache *c,
			   const struct dso_desc *desc, struct kallsyms_file **ret,
			   enum dso_status *ret_status, struct perr *e) MUST_CHECK;

#endif
