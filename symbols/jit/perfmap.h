/* SPDX-License-Identifier: MIT */
/*
 * Reads /tmp/perf-PID.map, in which a JIT compiler names its code, in lines of the form
 *
 *	START SIZE NAME		(hex, with or without 0x; the name may hold spaces)
 *
 * (the kernel's tools/perf/Documentation/jit-interface.txt). Addresses are run-time addresses.
 */
#ifndef SYMBOLS_JIT_PERFMAP_H
#define SYMBOLS_JIT_PERFMAP_H

#include "base/bytes.h"
#include "base/err.h"
#include "symbols/table/origin.h"
#include "symbols/table/symtab.h"

/*
 * Adds the symbols in the text to tab and finishes it. Lines overlap if memory of dropped code was
 * reused; an address then belongs to the line that perf finds for it (symbols/table/overlap.h).
 * Lines of another form are skipped.
 */
void perfmap_parse(struct span text, struct symtab *tab);

/*
 * Reads the map file of desc, a DSO_JIT, and adds its symbols to tab. *ret is set on failure too.
 * PERR_NOTFOUND: the file does not exist or has no symbol. PERR_IO, PERR_FORMAT, PERR_LIMIT: it
 * cannot be read, is not a regular file, or is too large.
 */
int perfmap_load(const struct symbols_config *cfg, const struct dso_desc *desc, struct symtab *tab,
		 struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
