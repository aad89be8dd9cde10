/* SPDX-License-Identifier: MIT */
/* What the counted rows say of stacks and names: the sums of a verdict. */
#ifndef PROFILE_VERDICT_VERDICT_ROWS_H
#define PROFILE_VERDICT_VERDICT_ROWS_H

#include "profile/verdict/verdict.h"

/*
 * Fills v->events, v->modules, v->callerless and v->jit_runtime; max_stack is set. columns: those
 * that count. The threads of the config share the rows; their number does not change the result.
 */
void verdict_look_at_rows(const struct verdict_input *in, struct verdict *v, u32 columns);

#endif
