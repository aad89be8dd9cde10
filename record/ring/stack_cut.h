/* SPDX-License-Identifier: MIT */
/* Shortens the stack copies of samples to the bytes that are of the stack. */
#ifndef RECORD_RING_STACK_CUT_H
#define RECORD_RING_STACK_CUT_H

#include "base/wbuf.h"
#include "record/ring/sample_layout.h"
#include "record/ring/stack_bounds.h"

struct stack_cut_counts {
	u64 stacks, full; /* stack copies; those whose bytes were all valid may be too small */
	u64 bytes_asked, bytes_valid;
};

/*
 * Appends a sample whose stack {size, data[size], dyn_size} is shortened to {n, data[n], dyn_size},
 * n being dyn_size rounded up to 8, or to {0} if no byte is valid. The fields behind it move up.
 * Returns false, and appends nothing, if it has no stack, or one that does not fit the record.
 */
bool stack_cut_put(struct stack_bounds *b, const struct sample_layout *l, const struct ring_view *v,
		   struct wbuf *out, struct stack_cut_counts *counts);

#endif
