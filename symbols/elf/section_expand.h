/* SPDX-License-Identifier: MIT */
/*
 * Expands compressed sections: those with SHF_COMPRESSED (zlib, zstd), and the older .zdebug_*
 * sections, which begin with "ZLIB" and the expanded size in big endian. The size that a section
 * claims is checked, so a damaged file cannot make a reader allocate any amount of memory.
 */
#ifndef SYMBOLS_ELF_SECTION_EXPAND_H
#define SYMBOLS_ELF_SECTION_EXPAND_H

#include "symbols/elf/object.h"

/* True if s is compressed in one of these two ways. */
bool section_is_compressed(const struct object *o, const struct obj_section *s);

/*
 * Reads how many bytes s expands to; its own size if it is not compressed. PERR_FORMAT: the section
 * is damaged. PERR_LIMIT: the size is larger than the best compression allows. PERR_UNSUPPORTED:
 * the kind of compression is unknown.
 */
int section_expanded_size(const struct object *o, const struct obj_section *s, size_t *ret,
			  struct perr *e) MUST_CHECK;

/*
 * Expands the compressed section s into n bytes at dst; n is the result of section_expanded_size().
 * Pages of dst are touched only as bytes are written. PERR_FORMAT: the data is damaged or does not
 * expand to exactly n bytes.
 */
int section_expand(const struct object *o, const struct obj_section *s, u8 *dst, size_t n,
		   struct perr *e) MUST_CHECK;

#endif
