/* SPDX-License-Identifier: MIT */
/* The type of the data that an instruction reads or writes, for comments behind it. */
#ifndef REPORT_ANNOTATE_DATA_COMMENT_H
#define REPORT_ANNOTATE_DATA_COMMENT_H

#include "report/annotate/annotate_code.h"
#include "symbols/symbols.h"

/*
 * Finds the place in memory that an instruction of x86-64 names, by its text in AT&T syntax: one
 * register and an offset. False: it has none, or one with an index.
 */
bool data_comment_place(const char *text, size_t n, struct data_place *ret);

/*
 * Appends "struct node +0x10 (next)" for the instruction with this index. False: the type is not
 * known.
 */
bool data_comment_put(const struct annot_code *c, size_t insn, struct out *o);

#endif
