/* SPDX-License-Identifier: MIT */
/* The rows of unwind/cfi/cfi.h against those of libdw. */
#ifndef TESTS_TOOLS_CFI_COMPARE_LIBDW_H
#define TESTS_TOOLS_CFI_COMPARE_LIBDW_H

#include "tests/tools/cfi/compare_rows.h"

/*
 * Compares every FDE; debug: the file with .debug_frame, or NULL. Returns 0 when all rows are
 * equal, 1 when some differ, 77 when libdw cannot read the file.
 */
int compare_libdw(struct comparison *c, const struct object *debug);

#endif
