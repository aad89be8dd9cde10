/* SPDX-License-Identifier: MIT */
/*
 * The rows of unwind/cfi/cfi.h as libdw sees them: the oracle behind `--unwinder=libdw`, and of
 * tests. libdw interprets a function anew for every row.
 *
 * What it does not tell, so that rows are poorer than those of cfi_rows: a register without a rule,
 * one that is lost and one that keeps its value look alike, since libdw fills in its idea of the
 * ABI (0.188 takes register 0 for rbx on x86_64). Such registers are left out of a row, as if
 * nothing was said; the return address alone is CFI_UNDEFINED where libdw says so. Return addresses
 * are never ra_signed.
 */
#ifndef UNWIND_CFI_ROWS_LIBDW_H
#define UNWIND_CFI_ROWS_LIBDW_H

#include "unwind/cfi/cfi.h"

struct rows_libdw;

/*
 * As cfi_open: .eh_frame comes from code, .debug_frame from debug, or from code where debug has
 * none. For one thread. PERR_NOTFOUND when libdw finds none.
 */
int rows_libdw_open(const struct object *code, const struct object *debug, struct rows_libdw **ret,
		    struct perr *e) MUST_CHECK;
void rows_libdw_close(struct rows_libdw *r);

/* As cfi_rows, for the range and the section of fde. */
int rows_libdw_rows(struct rows_libdw *r, const struct cfi_fde *fde,
		    bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx,
		    struct perr *e) MUST_CHECK;

#endif
