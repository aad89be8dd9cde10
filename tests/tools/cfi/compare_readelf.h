/* SPDX-License-Identifier: MIT */
/* The rows of unwind/cfi/cfi.h against those that readelf prints. */
#ifndef TESTS_TOOLS_CFI_COMPARE_READELF_H
#define TESTS_TOOLS_CFI_COMPARE_READELF_H

#include "tests/tools/cfi/compare_rows.h"

/*
 * Compares every FDE of `readelf --debug-dump=frames-interp` on stdin. Returns 0 when all rows are
 * equal, 1 when some differ or there is no FDE.
 */
int compare_readelf(struct comparison *c);

#endif
