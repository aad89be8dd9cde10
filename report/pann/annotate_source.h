/* SPDX-License-Identifier: MIT */
/*
 * Source lines between the instructions of a function, chosen as objdump -S chooses them: each line
 * when the code first comes to it, with the lines before it that were not shown yet (five at most
 * at the first sight of a file).
 */
#ifndef REPORT_PANN_ANNOTATE_SOURCE_H
#define REPORT_PANN_ANNOTATE_SOURCE_H

#include "report/pann/annotate_code.h"
#include "profile/line_text.h"

struct annot_source;

/* Of one function. lines is borrowed. */
struct annot_source *annot_source_new(const struct annot_code *c, struct line_source *lines);
void annot_source_free(struct annot_source *s);

/*
 * The lines of file *ret_file, from *ret_first to *ret_last, that come before an instruction; to be
 * asked for one instruction after the other. False where none do.
 */
bool annot_source_before(struct annot_source *s, u64 vaddr, const char **ret_file, u32 *ret_first,
			 u32 *ret_last);

/*
 * Which lines of a file are shown before code of line `line`: see above. State of one file begins
 * as zeros. False: none.
 */
struct annot_source_file {
	const char *name;
	u32 last_line, max_printed;
};
bool annot_source_next(struct annot_source_file *f, u32 line, u32 *ret_first, u32 *ret_last);

/* An instruction's frame, for line_text and frame_inlines. */
struct frame annot_code_frame(const struct annot_code *c, u64 vaddr);

#endif
