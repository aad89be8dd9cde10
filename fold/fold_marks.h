/* SPDX-License-Identifier: MIT */
/* Frames of collapsed stacks that are no functions. */
#ifndef FOLD_FOLD_MARKS_H
#define FOLD_FOLD_MARKS_H

#include "fileformat/events.h"
#include "unwind/unwind.h"

/* The frame above a stack that ended in this way; "" for one that reached its thread's start. */
const char *fold_mark_of_end(enum unwind_end end);

/* The frame below the stack of a time off the CPU. */
const char *fold_mark_of_wait(enum pd_offcpu how);

#endif
