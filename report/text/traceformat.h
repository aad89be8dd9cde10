/* SPDX-License-Identifier: MIT */
/*
 * A first look at the format text of a tracepoint (tracefs events/SYS/NAME/format), before it is
 * given to libtraceevent: its name and id, and whether its print fmt stays within what that library
 * handles safely.
 */
#ifndef REPORT_TEXT_TRACEFORMAT_H
#define REPORT_TEXT_TRACEFORMAT_H

#include "base/bytes.h"

struct traceformat {
	struct span name;
	u64 id;
	size_t print_fmt_off; /* of "print fmt:" in the text, its length when it has none */
};

/* False when the text does not begin with a name and an id. */
bool traceformat_scan(struct span text, struct traceformat *ret);

/*
 * False when the print fmt (what follows "print fmt:") could drive a recursive reader too deep,
 * asks for an output width out of proportion, or divides by what is not a plain non-zero number
 * where the division is done while parsing.
 */
bool traceformat_is_tame(struct span print_fmt);

/*
 * Copy of a whole format text in which the print fmt uses nothing that libtraceevent before 1.8
 * cannot read: sizeof(TYPE) of the kernel's integer types as a number, tabs in strings as \t.
 * malloc'd, terminated; *ret_n is its length. long_size is the recorder's.
 */
char *traceformat_plain(struct span text, size_t print_fmt_off, unsigned int long_size,
			size_t *ret_n);

#endif
