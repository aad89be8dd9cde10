/* SPDX-License-Identifier: MIT */
/*
 * Names of code that a JIT made, which it tells in /tmp/perf-PID.map as lines
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
 * Adds the symbols of the text to tab and finishes it. Code that was dropped and its memory used
 * again makes lines overlap: each address is given to the line that perf gives it to. Nothing in
 * the text is an error.
 */
void perfmap_parse(struct span text, struct symtab *tab);

/*
 * Reads the map file of desc, a DSO_JIT. *ret is filled on failure too. PERR_NOTFOUND when there
 * is none or it has no symbol, PERR_IO, PERR_FORMAT, PERR_LIMIT.
 */
int perfmap_load(const struct symbols_config *cfg, const struct dso_desc *desc, struct symtab *tab,
		 struct sym_origin *ret, struct perr *e) MUST_CHECK;

#endif
