/* SPDX-License-Identifier: MIT */
/* A buffer that grows by numbers, texts and bytes in either byte order. */
#ifndef TESTS_FRAME_BUILD_BYTES_H
#define TESTS_FRAME_BUILD_BYTES_H

#include "base/bytes.h"

struct bytes {
	u8 *p;
	size_t n, cap;
	bool big;   /* big-endian */
	size_t rec; /* start of the record being built */
};

struct bytes bytes_new(bool big_endian);
void bytes_free(struct bytes *b);
/* Whether a reader on this machine has to swap. */
bool bytes_swapped(const struct bytes *b);
struct span bytes_span(const struct bytes *b);

void put_u8(struct bytes *b, u8 v);
void put_u16(struct bytes *b, u16 v);
void put_u32(struct bytes *b, u32 v);
void put_u64(struct bytes *b, u64 v);
/* n numbers. */
void put_u64s(struct bytes *b, const u64 *v, size_t n);
void put_mem(struct bytes *b, const void *p, size_t n);
/* n times the byte v. */
void put_fill(struct bytes *b, u8 v, size_t n);
/* Text with its NUL, padded with NULs to a multiple of `align` of its own length. */
void put_text(struct bytes *b, const char *s, size_t align);
/* A feature section's string: u32 length, padded text. */
void put_string(struct bytes *b, const char *s);
/* Overwrites a number at this offset. */
void set_u16(struct bytes *b, size_t off, u16 v);
void set_u32(struct bytes *b, size_t off, u32 v);
void set_u64(struct bytes *b, size_t off, u64 v);

#endif
