/* SPDX-License-Identifier: MIT */
/*
 * Makes rows of call frame information (cfi.h) from Go's table of functions, for x86-64 programs
 * whose .debug_frame was stripped. Go's linker makes both from the same facts.
 */
#ifndef UNWIND_CFI_ROWS_GO_H
#define UNWIND_CFI_ROWS_GO_H

#include "symbols/elf/go_table.h"
#include "unwind/cfi/cfi.h"

/*
 * Calls each_row(ctx, row) for every row of function f, ascending, until it returns false. The last
 * row ends where the table's data for f ends. Returns the number of rows, 65,536 at most.
 */
u32 rows_go(const struct go_function *f, const struct go_table *t,
	    bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx);

#endif
