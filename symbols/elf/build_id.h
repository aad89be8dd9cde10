/* SPDX-License-Identifier: MIT */
/* Build-ids: the hash that a linker stores in an ELF file. A program and its separate debug file
 * have the same one; different builds have different ones. */
#ifndef SYMBOLS_ELF_BUILD_ID_H
#define SYMBOLS_ELF_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

#define BUILD_ID_MAX 20                     /* bytes; recordings have no longer ones */
#define BUILD_ID_HEX (2 * BUILD_ID_MAX + 1) /* bytes of a build-id's text, with its NUL */

/* Writes the first `size` bytes of an id (at most BUILD_ID_MAX) to ret in lower-case hexadecimal;
 * "" for size 0. */
void build_id_hex(const u8 *build_id, size_t size, char ret[BUILD_ID_HEX]);

/* True if two ids are equal, not counting zero bytes at their ends. An empty id equals no other. */
bool build_id_equal(const u8 *a, size_t a_size, const u8 *b, size_t b_size);

#endif
