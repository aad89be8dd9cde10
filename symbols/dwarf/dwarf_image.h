/* SPDX-License-Identifier: MIT */
/*
 * Makes an image of an ELF file for libdw: a private writable mapping of the file, followed by its
 * compressed debug sections in expanded form (.debug_line only on demand). libdw's own
 * decompression is not used because libdw 0.188 does not know zstd and trusts the size that a
 * section claims. Only pages of the image that are written take memory.
 */
#ifndef SYMBOLS_DWARF_DWARF_IMAGE_H
#define SYMBOLS_DWARF_DWARF_IMAGE_H

#include "symbols/elf/object.h"

/* Room for a path after the strings of a string section; see symbols/dwarf/split_dwarf.h. */
struct string_slot {
	u8 *p;      /* NULL: the file does not have the section */
	size_t off; /* offset of p in the section */
};
#define STRING_SLOT_SIZE 4096 /* bytes */

/* A section that has room in the image but is expanded only when it is needed. */
struct late_section {
	struct obj_section section; /* in the file */
	u64 off;                    /* of its room in the image */
	size_t size;                /* bytes in expanded form; 0: no such section */
};

struct dwarf_image {
	u8 *p;
	size_t n;
	struct late_section line;
	bool is_64, swap;
	size_t file_n;                    /* bytes of the file, which are the image's first */
	struct string_slot str, line_str; /* after .debug_str and .debug_line_str; p NULL: none */
};

/* True if libdw needs an image of o, because o has compressed debug sections. */
bool dwarf_image_is_needed(const struct object *o);

/*
 * Makes the image of o, which may be closed afterwards. with_slots: leave room after the string
 * sections. A section that cannot be expanded is left out, as if the file did not have it. PERR_IO:
 * memory cannot be mapped. PERR_FORMAT: the file's headers are damaged.
 */
int dwarf_image_make(const struct object *o, bool with_slots, struct dwarf_image *ret,
		     struct perr *e) MUST_CHECK;
void dwarf_image_fini(struct dwarf_image *i);

/*
 * Expands .debug_line, which names of inlined functions do not need. Call it before libdw reads
 * lines or names of files. Does nothing if the section is not compressed or the image is empty.
 */
void dwarf_image_expand_lines(struct dwarf_image *i);

#endif
