/* SPDX-License-Identifier: MIT */
/* Frames of collapsed stacks that are no functions. */
#ifndef FOLD_FOLD_MARKS_H
#define FOLD_FOLD_MARKS_H

#include "unwind/unwind.h"

/* The frame above a stack that ended in this way; "" for one that reached its thread's start. */
const char *fold_mark_of_end(enum unwind_end end);

#endif
