/* SPDX-License-Identifier: MIT */
/*
 * Looks symbols up in a kallsyms text without reading all of it. The kernel writes its own symbols
 * sorted by address and the modules' after them, so a sketch of every n-th line shows which part of
 * the text to read for an address. A recording needs a few hundred of more than 100,000 symbols.
 */
#ifndef SYMBOLS_KERNEL_KALLSYMS_SKETCH_H
#define SYMBOLS_KERNEL_KALLSYMS_SKETCH_H

#include "symbols/kernel/kallsyms_text.h"

struct kallsyms_stretch {
	u64 first; /* address in its first line */
	u32 off;   /* offset of that line in the text */
};

struct kallsyms_sketch {
	struct span own; /* the lines with the kernel's own symbols; empty: no sketch was made */
	struct kallsyms_stretch *stretches;
	size_t nr, cap;
};

/* A symbol and the address of the kernel's next symbol, 0 after the last. */
struct kallsyms_place {
	struct kallsyms_line line;
	u64 next;
};

/*
 * Makes a sketch of a text of less than 4 GiB, which is borrowed. Returns false, with an empty *s,
 * if the text is so short that a sketch does not pay, or if its lines have another form or order.
 */
bool kallsyms_sketch_make(struct kallsyms_sketch *s, struct span text);
void kallsyms_sketch_fini(struct kallsyms_sketch *s);

enum kallsyms_answer {
	KALLSYMS_FOUND,
	KALLSYMS_NONE,    /* addr is before the first symbol */
	KALLSYMS_UNKNOWN, /* the lines are not sorted: the whole text has to be read */
};

/* Finds the last symbol at or before addr of those that kallsyms_is_kept(). */
enum kallsyms_answer kallsyms_sketch_find(const struct kallsyms_sketch *s, u64 addr,
					  struct kallsyms_place *ret);

/* Finds the addresses of the first and last symbol of those that kallsyms_is_kept(); false if the
 * text has none. */
bool kallsyms_sketch_ends(const struct kallsyms_sketch *s, u64 *ret_first, u64 *ret_last);

#endif
