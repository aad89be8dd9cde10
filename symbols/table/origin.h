/* SPDX-License-Identifier: MIT */
/* Where the symbols of one object came from: what every loader of symbols/ fills in. */
#ifndef SYMBOLS_TABLE_ORIGIN_H
#define SYMBOLS_TABLE_ORIGIN_H

#include "symbols/table/dso_desc.h"

struct sym_origin {
	char *path;             /* file of the symbols, malloc'd; NULL when none was found */
	char letter;            /* how perf names that kind of file (FORMAT.md 7.8), '!' for none */
	enum dso_status status; /* DSO_LOADED, or why there are no symbols */
	bool addr_is_ip;        /* symbols are kept in run-time addresses, not in file offsets */
	struct dso_part *parts; /* DSO_KERNEL: see dso_get_kernel_parts; malloc'd */
	size_t nr_parts;
	struct kernel_names
		*names;      /* DSO_KERNEL: what the table does not have; the caller's, or NULL */
	struct object *code; /* DSO_VDSO: has the code; kept by the table, NULL: none */
};

#endif
