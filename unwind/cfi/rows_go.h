/* SPDX-License-Identifier: MIT */
/*
 * The rows of unwind/cfi/cfi.h out of Go's table of functions, for programs whose .debug_frame was
 * stripped: the linker makes both of the same facts. x86-64.
 */
#ifndef UNWIND_CFI_ROWS_GO_H
#define UNWIND_CFI_ROWS_GO_H

#include "symbols/elf/go_table.h"
#include "unwind/cfi/cfi.h"

/*
 * As cfi_rows, for a function of the table; the last row ends where the table says no more. Returns
 * how many there were, 65,536 at most.
 */
u32 rows_go(const struct go_function *f, const struct go_table *t,
	    bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx);

#endif
