/* SPDX-License-Identifier: MIT */
/* The text of a kallsyms list, line by line: see symbols/kernel/kallsyms.h for their form. */
#ifndef SYMBOLS_KERNEL_KALLSYMS_TEXT_H
#define SYMBOLS_KERNEL_KALLSYMS_TEXT_H

#include "base/bytes.h"

/* What one line says; the spans lie in the text. */
struct kallsyms_line {
	u64 addr;
	char type;
	struct span name;
	struct span module; /* "[MODULE]" with its brackets; empty: the kernel's own */
};

/* A way through the text. */
struct kallsyms_lines {
	const u8 *p, *end;
	const u8 *tab;   /* the next one from p on, or end; looked for once it is behind p */
	u64 front;       /* the first 8 digits of the last line as they stand there ... */
	u64 front_value; /* ... and what they mean: those of the next are mostly the same */
};

struct kallsyms_lines kallsyms_lines_of(struct span text);

/* The next well-formed line. False at the end of the text. */
bool kallsyms_next_line(struct kallsyms_lines *ls, struct kallsyms_line *ret);

/* Whether it names code or data, with names no longer than any kernel's. */
bool kallsyms_is_kept(const struct kallsyms_line *l);

#endif
