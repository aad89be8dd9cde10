/* SPDX-License-Identifier: MIT */
/*
 * Spans and cursors over untrusted bytes.
 *
 * A span is a borrowed string of bytes. A cursor reads a span front to back, in either byte order,
 * and cannot overrun it: a read past the end returns 0 (or an empty span), moves the cursor to the
 * end and sets `bad`, which stays set. Check `bad` once, after a whole record has been read.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <byteswap.h>
#include <string.h>

#include "base/types.h"

struct span {
	const u8 *p;
	size_t n;
};

struct cursor {
	const u8 *p;
	const u8 *end;
	bool swap; /* the bytes have the other byte order than this machine */
	bool bad;  /* some read asked for more bytes than were left */
};

static inline u16 get_u16(const void *p, bool swap)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_16(v) : v;
}

static inline u32 get_u32(const void *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_32(v) : v;
}

static inline u64 get_u64(const void *p, bool swap)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_64(v) : v;
}

static inline struct span span_of(const void *p, size_t n)
{
	return (struct span){ p, n };
}

static inline struct cursor cursor_of(struct span s, bool swap)
{
	return (struct cursor){ .p = s.p, .end = s.n ? s.p + s.n : s.p, .swap = swap };
}

static inline size_t cur_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* Returns a borrowed pointer to the next n bytes; NULL, with c->bad set, when fewer are left. */
static inline const u8 *cur_take(struct cursor *c, size_t n)
{
	const u8 *p = c->p;

	if (n > cur_left(c)) {
		c->bad = true;
		c->p = c->end;
		return NULL;
	}
	if (n) /* in an empty span p may be NULL, and adding 0 to NULL is undefined in C */
		c->p += n;
	return p;
}

static inline u8 cur_u8(struct cursor *c)
{
	const u8 *p = cur_take(c, 1);

	return p ? *p : 0;
}

static inline u16 cur_u16(struct cursor *c)
{
	const u8 *p = cur_take(c, 2);

	return p ? get_u16(p, c->swap) : 0;
}

static inline u32 cur_u32(struct cursor *c)
{
	const u8 *p = cur_take(c, 4);

	return p ? get_u32(p, c->swap) : 0;
}

static inline u64 cur_u64(struct cursor *c)
{
	const u8 *p = cur_take(c, 8);

	return p ? get_u64(p, c->swap) : 0;
}

static inline struct span cur_bytes(struct cursor *c, size_t n)
{
	const u8 *p = cur_take(c, n);

	return span_of(p, p ? n : 0);
}

static inline void cur_skip(struct cursor *c, size_t n)
{
	(void)cur_take(c, n);
}

/*
 * Reads an array of nr elements of `size` bytes each and returns its bytes. When fewer bytes are
 * left, it returns an empty span and sets c->bad. nr may come from a file: nr * size cannot wrap.
 */
static inline struct span cur_array(struct cursor *c, u64 nr, size_t size)
{
	if (nr > cur_left(c) / size) {
		c->bad = true;
		c->p = c->end;
		return span_of(NULL, 0);
	}
	return cur_bytes(c, (size_t)nr * size);
}

/* Returns the length in bytes of the text at the start of s, up to its first NUL; s.n without NUL.
 */
static inline size_t span_strlen(struct span s)
{
	return s.n ? strnlen((const char *)s.p, s.n) : 0;
}

/* Returns element i of an array of u64s, in host byte order. The caller has checked i < s.n / 8. */
static inline u64 span_u64(struct span s, size_t i, bool swap)
{
	return get_u64(s.p + i * 8, swap);
}

#endif
