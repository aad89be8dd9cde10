/* SPDX-License-Identifier: MIT */
/* Which copy of kallsyms serves a recorded kernel, and how far its addresses must be moved. */
#ifndef SYMBOLS_KERNEL_KALLSYMS_SOURCE_H
#define SYMBOLS_KERNEL_KALLSYMS_SOURCE_H

#include <pthread.h>

#include "base/err.h"
#include "symbols/kernel/kallsyms.h"
#include "symbols/elf/readfile.h"
#include "symbols/table/dso_desc.h"

/* A list in memory, from `path`. */
struct kallsyms_file {
	char *path;
	struct file_text text;
	struct kallsyms list;
	u64 delta; /* for symbols of the kernel itself, not of modules */
};

struct kernel_cache {
	pthread_mutex_t lock; /* held while something is loaded with the lists */
	struct kallsyms_file **files;
	size_t nr, cap;
	struct dso_desc kernel;
	bool has_kernel;
};

/*
 * Finds and reads the list of the kernel `desc`: cfg->kallsyms exclusively when given, the build-id
 * cache, else /proc/kallsyms under the rule of the house. *ret is c's. PERR_NOTFOUND when none may
 * be used, and *ret_status says why; PERR_IO and PERR_LIMIT of the file that the user named.
 */
int kallsyms_source(const struct symbols_config *cfg, struct kernel_cache *c,
		    const struct dso_desc *desc, struct kallsyms_file **ret,
		    enum dso_status *ret_status, struct perr *e) MUST_CHECK;

/* As kallsyms_source, for who needs the kernel's own symbols and not those of modules. */
int kallsyms_source_kernel(const struct symbols_config *cfg, struct kernel_cache *c,
			   const struct dso_desc *desc, struct kallsyms_file **ret,
			   enum dso_status *ret_status, struct perr *e) MUST_CHECK;

#endif
