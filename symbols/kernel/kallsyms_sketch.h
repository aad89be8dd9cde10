/* SPDX-License-Identifier: MIT */
/*
 * A kallsyms text looked up where it lies. The kernel writes its own symbols by address, for it
 * looks them up itself, and those of modules behind them: a line here and there, in order, says
 * where to read. A recording asks for few hundred of more than 100,000.
 */
#ifndef SYMBOLS_KERNEL_KALLSYMS_SKETCH_H
#define SYMBOLS_KERNEL_KALLSYMS_SKETCH_H

#include "symbols/kernel/kallsyms_text.h"

struct kallsyms_stretch {
	u64 first; /* address of its first line */
	u32 off;   /* where that begins */
};

struct kallsyms_sketch {
	struct span own; /* the lines of the kernel's own symbols; empty: there is no sketch */
	struct kallsyms_stretch *stretches;
	size_t nr, cap;
};

/* A symbol with the address where the next one of the kernel begins, or 0: it is the last. */
struct kallsyms_place {
	struct kallsyms_line line;
	u64 next;
};

/*
 * text: of less than 4 GiB, borrowed. False, and *s is empty, where it is too short to be worth
 * it or its lines are of another form or order.
 */
bool kallsyms_sketch_make(struct kallsyms_sketch *s, struct span text);
void kallsyms_sketch_fini(struct kallsyms_sketch *s);

enum kallsyms_answer {
	KALLSYMS_FOUND,
	KALLSYMS_NONE,    /* addr lies before all symbols */
	KALLSYMS_UNKNOWN, /* the lines are not in order: the whole text has to be read */
};

/* The last kept symbol at addr or before. */
enum kallsyms_answer kallsyms_sketch_find(const struct kallsyms_sketch *s, u64 addr,
					  struct kallsyms_place *ret);

/* The first and the last kept symbol; false when there is none. */
bool kallsyms_sketch_ends(const struct kallsyms_sketch *s, u64 *ret_first, u64 *ret_last);

#endif
