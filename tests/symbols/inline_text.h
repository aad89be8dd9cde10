/* SPDX-License-Identifier: MIT */
/* A file's DWARF opened, and the functions at an address as text: for tests. */
#ifndef TESTS_SYMBOLS_INLINE_TEXT_H
#define TESTS_SYMBOLS_INLINE_TEXT_H

#include "symbols/dwarf/debuginfo.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/dwarf/lines.h"

struct opened {
	struct object *o;
	struct debuginfo *d;
	struct lines *l;
	struct inlines *in;
};

/* f->o is set and becomes the opened's. False, and it is closed, when there is no DWARF in it. */
bool open_object(struct opened *f);
void opened_close(struct opened *f);

/* Behind the last slash; "??" for NULL. */
const char *last_part(const char *path);

/*
 * "name file:line*, ..." of the functions at vaddr, innermost first; * marks those that are
 * inlined. Valid until the next call.
 */
const char *frames_text(struct opened *f, u64 vaddr, const char *symbol);

#endif
