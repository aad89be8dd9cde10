/* SPDX-License-Identifier: MIT */
/*
 * Checks of a tracepoint's format text (tracefs events/SYS/NAME/format) before libtraceevent parses
 * it: the name and id, and whether that library can handle the print fmt safely.
 */
#ifndef REPORT_TEXT_TRACEFORMAT_H
#define REPORT_TEXT_TRACEFORMAT_H

#include "base/bytes.h"

/* What a format text begins with. */
struct traceformat {
	struct span name; /* points into the text */
	u64 id;
	size_t print_fmt_off; /* byte offset of "print fmt:"; the text's length without one */
};

/* Reads the name and id; returns false if the text does not begin with them. */
bool traceformat_scan(struct span text, struct traceformat *ret);

/*
 * Returns false if a print fmt (the text after "print fmt:") is dangerous to parse or print: it
 * nests too deep for a recursive parser, has a huge output width, or divides by something else than
 * a plain non-zero number in an expression that is computed while parsing.
 */
bool traceformat_is_tame(struct span print_fmt);

/*
 * Returns a copy of a format text that libtraceevent before 1.8 can read: in the print fmt,
 * sizeof(TYPE) of the kernel's integer types becomes a number and tabs in strings become \t. The
 * copy is malloc'd and NUL-terminated; *ret_n is its length. long_size is sizeof(long) on the
 * recorded machine.
 */
char *traceformat_plain(struct span text, size_t print_fmt_off, unsigned int long_size,
			size_t *ret_n);

#endif
