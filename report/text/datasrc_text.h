/* SPDX-License-Identifier: MIT */
/* Text of data_src values (memory accesses) and of branch stack entries, as in perf script. */
#ifndef REPORT_TEXT_DATASRC_TEXT_H
#define REPORT_TEXT_DATASRC_TEXT_H

#include "base/out.h"
#include "fileformat/sample.h"

/* Appends a data_src value as "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A". */
void datasrc_text(struct out *o, u64 data_src);

/*
 * Appends perf script's data_src field: the value and its text, cut to 99 characters and filled
 * with blanks to the longest field so far. *width keeps that length; it is 0 before the first call.
 */
void datasrc_field(struct out *o, u64 data_src, size_t *width);

/* The flags of one branch, as in the kernel's struct perf_branch_entry. */
struct branch_flags {
	bool mispred, predicted, in_tx, abort;
	u16 cycles;
	u8 type, spec, new_type, priv;
	u64 reserved; /* bits that have no name yet */
};

/*
 * Decodes the third word of a branch stack entry, which was read with the file's byte order; swap
 * is perfdata.swap. The flags are C bit-fields: big-endian machines store them from the top bit
 * down (docs/FORMAT.md 1.6).
 */
struct branch_flags branch_flags_decode(u64 word, bool swap);

/* Returns "CALL" etc., "" for an unknown type, "(null)" for a code without a name, as perf. */
const char *branch_type_name(const struct branch_flags *f);

/* Returns the outcome of speculation, such as "SPEC_WRONG_PATH"; "" if it is not known. */
const char *branch_spec_name(const struct branch_flags *f);

/* Appends the flags as "/P/-/-/12/CALL/- "; with_spec is false for perf 6.1: no last part. */
void branch_flags_text(struct out *o, const struct branch_flags *f, bool with_spec);

#endif
