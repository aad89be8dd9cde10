/* SPDX-License-Identifier: MIT */
/*
 * An ELF file as libdw is to see it: a private, writable view of the file, behind it the debug
 * sections that were compressed, expanded (line programs when they are asked for). libdw 0.188
 * knows no zstd, and takes sections at their word about the size they expand to. Of what is mapped,
 * only pages that are written cost memory.
 */
#ifndef SYMBOLS_DWARF_DWARF_IMAGE_H
#define SYMBOLS_DWARF_DWARF_IMAGE_H

#include "symbols/elf/object.h"

/* Room behind the strings of a section, for a path; see symbols/dwarf/split_dwarf.h. */
struct string_slot {
	u8 *p;      /* NULL: the file has no such section */
	size_t off; /* of p in the section */
};
#define STRING_SLOT_SIZE 4096

/* A section that has its place in the image, to be expanded when it is needed. */
struct late_section {
	struct obj_section section; /* in the file */
	u64 off;                    /* of its place */
	size_t size;                /* 0: there is none */
};

struct dwarf_image {
	u8 *p;
	size_t n;
	struct late_section line;
	bool is_64, swap;
	size_t file_n;                    /* bytes of the file, which the image begins with */
	struct string_slot str, line_str; /* of .debug_str and .debug_line_str, where asked for */
};

/* Whether the file's own bytes will not do. */
bool dwarf_image_is_needed(const struct object *o);

/*
 * Makes the image of o, which it does not refer to later. with_slots: with room behind the strings.
 * A section that cannot be expanded is left out, as if the file had none. PERR_IO, PERR_FORMAT.
 */
int dwarf_image_make(const struct object *o, bool with_slots, struct dwarf_image *ret,
		     struct perr *e) MUST_CHECK;
void dwarf_image_fini(struct dwarf_image *i);

/*
 * Expands .debug_line, which names and inlined functions do without: to be called before libdw
 * reads lines or names of files. Of an image that needs nothing, or is none, nothing is done.
 */
void dwarf_image_expand_lines(struct dwarf_image *i);

#endif
