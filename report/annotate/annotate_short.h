/* SPDX-License-Identifier: MIT */
/* perf's short form of a function's instructions: offsets for addresses, arrows for jumps. */
#ifndef REPORT_ANNOTATE_ANNOTATE_SHORT_H
#define REPORT_ANNOTATE_ANNOTATE_SHORT_H

#include "report/annotate/annotate_code.h"

/* What the instructions of one function have in common. */
struct annot_short {
	const struct annot_code *code;
	int digits;     /* of the highest offset */
	int name_width; /* characters of the longest mnemonic */
	u32 *jumps;     /* by instruction: how many jumps in the function go to it */
	u32 most_jumps; /* the highest of these */
	struct out insn;
};

/* code is borrowed until annot_short_fini(). */
void annot_short_init(struct annot_short *s, const struct annot_code *code);
void annot_short_fini(struct annot_short *s);

/* Appends the instruction. The names in it are escaped as those of o. */
void annot_short_text(struct annot_short *s, const struct annot_insn *in, struct out *o);

/* Appends what objdump prints: annot_insn_text() without blanks at its end. */
void annot_long_text(const struct annot_code *c, const struct annot_insn *in, struct out *o);

/* Returns "↓", "↑", "→" or "←" by where an instruction jumps to; a blank for others. */
const char *annot_arrow(const struct annot_insn *in);

/* Returns the instruction at this address; code->nr if none begins there. */
size_t annot_code_at(const struct annot_code *c, u64 vaddr);

#endif
