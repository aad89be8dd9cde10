/* SPDX-License-Identifier: MIT */
/* Text of memory access sources (data_src) and of branch stack entries, as perf script prints. */
#ifndef REPORT_TEXT_DATASRC_TEXT_H
#define REPORT_TEXT_DATASRC_TEXT_H

#include "base/out.h"
#include "fileformat/sample.h"

/* Appends "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A". */
void datasrc_text(struct out *o, u64 data_src);

/*
 * Appends the data_src field: value and text, at most 99 characters, filled with blanks to the
 * longest one so far, which *width keeps (0 at first, one per command).
 */
void datasrc_field(struct out *o, u64 data_src, size_t *width);

struct branch_flags {
	bool mispred, predicted, in_tx, abort;
	u16 cycles;
	u8 type, spec, new_type, priv;
	u64 reserved; /* the bits without a name */
};

/*
 * Fields of an entry's third word, read in the file's order with `swap` (struct perfdata's). They
 * are C bit-fields: from the top down on big-endian machines (FORMAT.md 1.6).
 */
struct branch_flags branch_flags_decode(u64 word, bool swap);

/* "CALL", "" for an unknown type, "(null)" for a code that has no name (as perf). */
const char *branch_type_name(const struct branch_flags *f);

/* "SPEC_WRONG_PATH", ..., "" for none. */
const char *branch_spec_name(const struct branch_flags *f);

/* Appends "/P/-/-/12/CALL/- ", what follows the two addresses; perf 6.1 has no last part. */
void branch_flags_text(struct out *o, const struct branch_flags *f, bool with_spec);

#endif
