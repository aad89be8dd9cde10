/* SPDX-License-Identifier: MIT */
/* The callers and callees of a function, over all rows of a table. */
#ifndef REPORT_PREP_PREP_CALLERS_H
#define REPORT_PREP_PREP_CALLERS_H

#include "base/out.h"
#include "report/table/hist.h"

/*
 * Appends two lists, the heaviest first, with shares of the leader's period: the functions that
 * call this one, and those that it calls. Of a recursion the outermost call has the caller and the
 * innermost one the callee, so that each list adds up to the function's share. object NULL: none.
 */
void prep_put_callers(struct hist *h, const char *function, const char *object, struct out *o);

#endif
