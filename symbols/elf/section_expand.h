/* SPDX-License-Identifier: MIT */
/*
 * Compressed sections: SHF_COMPRESSED (zlib, zstd), and the older .zdebug_*, which begin with
 * "ZLIB" and the size in big endian. What a section claims to expand to is compared with what it
 * has.
 */
#ifndef SYMBOLS_ELF_SECTION_EXPAND_H
#define SYMBOLS_ELF_SECTION_EXPAND_H

#include "symbols/elf/object.h"

bool section_is_compressed(const struct object *o, const struct obj_section *s);

/*
 * Bytes that s expands to, by what it says; its own size when it is not compressed. PERR_FORMAT
 * when it is damaged, PERR_LIMIT when no honest section shrinks so far, PERR_UNSUPPORTED for other
 * kinds.
 */
int section_expanded_size(const struct object *o, const struct obj_section *s, size_t *ret,
			  struct perr *e) MUST_CHECK;

/*
 * Expands s, which is compressed, into n bytes at dst, n being its section_expanded_size. Memory is
 * touched as bytes come. PERR_FORMAT when they are damaged, fewer or more.
 */
int section_expand(const struct object *o, const struct obj_section *s, u8 *dst, size_t n,
		   struct perr *e) MUST_CHECK;

#endif
