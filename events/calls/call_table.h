/* SPDX-License-Identifier: MIT */
/* The text from which struct call_shape is made: one line for each system call. */
#ifndef EVENTS_CALLS_CALL_TABLE_H
#define EVENTS_CALLS_CALL_TABLE_H

#include "base/types.h"

extern const char *const call_table[];
extern const size_t nr_call_table;

#endif
