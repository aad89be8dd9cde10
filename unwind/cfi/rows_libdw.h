/* SPDX-License-Identifier: MIT */
/*
 * Reads rows of call frame information (cfi.h) with libdw, to check our own reader: for
 * `--unwinder=libdw` and tests. It is slow, because libdw executes a function's instructions again
 * for every row.
 *
 * Its rows contain less than those of cfi_rows(). libdw does not distinguish a register without a
 * rule, a lost one and an unchanged one, since it fills in its own idea of the ABI (0.188 takes
 * register 0 for rbx on x86_64). So such registers are left out of a row, except that the return
 * address is CFI_UNDEFINED if libdw says so. ra_signed is never set.
 */
#ifndef UNWIND_CFI_ROWS_LIBDW_H
#define UNWIND_CFI_ROWS_LIBDW_H

#include "unwind/cfi/cfi.h"

struct rows_libdw;

/*
 * Opens the call frame information of a file with libdw: .eh_frame from code, .debug_frame from
 * debug or, if debug has none, from code. The caller frees *ret, which one thread may use.
 * PERR_NOTFOUND: libdw finds no call frame information.
 */
int rows_libdw_open(const struct object *code, const struct object *debug, struct rows_libdw **ret,
		    struct perr *e) MUST_CHECK;
void rows_libdw_close(struct rows_libdw *r);

/* Calls each_row(ctx, row) for the rows of fde's range, in fde's section, like cfi_rows(). */
int rows_libdw_rows(struct rows_libdw *r, const struct cfi_fde *fde,
		    bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx,
		    struct perr *e) MUST_CHECK;

#endif
