/* SPDX-License-Identifier: MIT */
/* Reads a kallsyms list line by line. symbols/kernel/kallsyms.h has the format. */
#ifndef SYMBOLS_KERNEL_KALLSYMS_TEXT_H
#define SYMBOLS_KERNEL_KALLSYMS_TEXT_H

#include "base/bytes.h"

/* A decoded line. The spans are borrowed from the text. */
struct kallsyms_line {
	u64 addr;
	char type;
	struct span name;
	struct span module; /* "[MODULE]" with its brackets; empty: of the kernel itself */
};

/* A position in the text. */
struct kallsyms_lines {
	const u8 *p, *end;
	const u8 *tab;   /* the first tab from p on, or end; before p: to be searched again */
	u64 front;       /* the 8 characters that the last line began with */
	u64 front_value; /* their value as hex digits: most lines begin with the same ones */
};

/* Starts at the first line of a text, which is borrowed. */
struct kallsyms_lines kallsyms_lines_of(struct span text);

/* Decodes the next well-formed line. Returns false at the end of the text. */
bool kallsyms_next_line(struct kallsyms_lines *ls, struct kallsyms_line *ret);

/* True if the line's symbol is code or data and its name is not longer than a kernel's can be.
 * Other lines are ignored. */
bool kallsyms_is_kept(const struct kallsyms_line *l);

#endif
