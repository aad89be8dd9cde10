/* SPDX-License-Identifier: MIT */
/* Finds out which compiler an ELF file's code comes from, which decides how to keep frame pointers.
 */
#ifndef SYMBOLS_ELF_CODE_LANGUAGE_H
#define SYMBOLS_ELF_CODE_LANGUAGE_H

#include "symbols/elf/object.h"

enum code_language {
	CODE_UNKNOWN,
	CODE_C, /* of gcc, clang or another compiler that has their options */
	CODE_RUST,
	CODE_GO,
};

/*
 * The language of o's code: by Go's note or table of functions, by the compilers' names in
 * .comment, which strip leaves in the file, and by names that the Rust library defines. A program
 * of several languages counts as Rust, if some of it is Rust: the C part is then usually the start
 * code only.
 */
enum code_language code_language_of(const struct object *o);

#endif
