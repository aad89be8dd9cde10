/* SPDX-License-Identifier: MIT */
#include "tests/frame/build_bytes.h"

#include "base/mem.h"

struct bytes bytes_new(bool big_endian)
{
	return (struct bytes){ .big = big_endian };
}

void bytes_free(struct bytes *b)
{
	free(b->p);
	*b = (struct bytes){ 0 };
}

bool bytes_swapped(const struct bytes *b)
{
	return b->big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

struct span bytes_span(const struct bytes *b)
{
	return span_of(b->p, b->n);
}

void put_mem(struct bytes *b, const void *p, size_t n)
{
	vec_reserve(b->p, b->cap, b->n + n);
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

void put_fill(struct bytes *b, u8 v, size_t n)
{
	vec_reserve(b->p, b->cap, b->n + n);
	if (n)
		memset(b->p + b->n, v, n);
	b->n += n;
}

/* Value v of n bytes, byte by byte: no help from the code under test. */
static void encode_value(const struct bytes *b, u8 *p, u64 v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[b->big ? n - 1 - i : i] = (u8)(v >> (8 * i));
}

static void put_value(struct bytes *b, u64 v, size_t n)
{
	u8 p[8];

	encode_value(b, p, v, n);
	put_mem(b, p, n);
}

void put_u8(struct bytes *b, u8 v)
{
	put_value(b, v, 1);
}

void put_u16(struct bytes *b, u16 v)
{
	put_value(b, v, 2);
}

void put_u32(struct bytes *b, u32 v)
{
	put_value(b, v, 4);
}

void put_u64(struct bytes *b, u64 v)
{
	put_value(b, v, 8);
}

void put_u64s(struct bytes *b, const u64 *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		put_u64(b, v[i]);
}

void put_text(struct bytes *b, const char *s, size_t align)
{
	size_t n = strlen(s) + 1;

	put_mem(b, s, n);
	put_fill(b, 0, (align - n % align) % align);
}

void put_string(struct bytes *b, const char *s)
{
	size_t at = b->n;

	put_u32(b, 0);
	put_text(b, s, 64);
	set_u32(b, at, (u32)(b->n - at - 4));
}

void set_u16(struct bytes *b, size_t off, u16 v)
{
	encode_value(b, b->p + off, v, 2);
}

void set_u32(struct bytes *b, size_t off, u32 v)
{
	encode_value(b, b->p + off, v, 4);
}

void set_u64(struct bytes *b, size_t off, u64 v)
{
	encode_value(b, b->p + off, v, 8);
}
