/* SPDX-License-Identifier: MIT */
/* Describes the file that an object's symbols came from. Every symbol loader fills one in. */
#ifndef SYMBOLS_TABLE_ORIGIN_H
#define SYMBOLS_TABLE_ORIGIN_H

#include "symbols/table/dso_desc.h"

struct sym_origin {
	char *path;  /* of the file with the symbols, malloc'd; NULL: not found */
	char letter; /* perf's letter for that kind of file (docs/FORMAT.md 7.8) or '!' */
	enum dso_status status; /* DSO_LOADED, or why the object has no symbols */
	bool addr_is_ip;        /* symbols are stored by run-time address, not by file offset */
	struct dso_part *parts; /* of a DSO_KERNEL, malloc'd; see dso_get_kernel_parts() */
	size_t nr_parts;
	struct kernel_names
		*names;      /* DSO_KERNEL: what the table does not have; the caller's, or NULL */
	struct object *code; /* DSO_VDSO: has the code; kept by the table, NULL: none */
};

#endif
