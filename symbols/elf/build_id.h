/* SPDX-License-Identifier: MIT */
/* The id that a linker puts into an ELF file: the same in all files of one build, in no other. */
#ifndef SYMBOLS_ELF_BUILD_ID_H
#define SYMBOLS_ELF_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

#define BUILD_ID_MAX 20                     /* bytes; longer ones are not recorded */
#define BUILD_ID_HEX (2 * BUILD_ID_MAX + 1) /* its text, with the NUL */

/* The lower-case hex of the first size bytes, at most BUILD_ID_MAX; "" for size 0. */
void build_id_hex(const u8 *build_id, size_t size, char ret[BUILD_ID_HEX]);

/* True when both ids are the same up to zero padding. An empty id equals nothing. */
bool build_id_equal(const u8 *a, size_t a_size, const u8 *b, size_t b_size);

#endif
