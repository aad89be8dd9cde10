/* SPDX-License-Identifier: MIT */
/*
 * Source lines between the instructions of a function, chosen as objdump -S does: before code of a
 * new line, that line and up to five lines above it that were not shown yet.
 */
#ifndef REPORT_ANNOTATE_ANNOTATE_SOURCE_H
#define REPORT_ANNOTATE_ANNOTATE_SOURCE_H

#include "report/annotate/annotate_code.h"
#include "profile/line_text.h"

struct annot_source;

/* Makes the state for one function. c and lines are borrowed until annot_source_free(). */
struct annot_source *annot_source_new(const struct annot_code *c, struct line_source *lines);
void annot_source_free(struct annot_source *s);

/*
 * Returns true if source lines are to be printed before the instruction at vaddr: lines *ret_first
 * to *ret_last (inclusive) of *ret_file. Call it once for each instruction, in their order.
 */
bool annot_source_before(struct annot_source *s, u64 vaddr, const char **ret_file, u32 *ret_first,
			 u32 *ret_last);

/* Which lines of one source file were shown; starts as zeros but for the name. */
struct annot_source_file {
	const char *name;
	u32 last_line;   /* line of the code before; 0: none yet */
	u32 max_printed; /* the highest line that was shown; 0: none yet */
};

/*
 * Returns true if lines *ret_first to *ret_last (inclusive) of a file are to be printed before code
 * of this line, and updates f. For tests.
 */
bool annot_source_next(struct annot_source_file *f, u32 line, u32 *ret_first, u32 *ret_last);

/* Returns a frame for the instruction at vaddr, without symbol, for line_text(), frame_inlines().
 */
struct frame annot_code_frame(const struct annot_code *c, u64 vaddr);

#endif
