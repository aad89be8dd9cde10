/* SPDX-License-Identifier: MIT */
/*
 * Spans and cursors over untrusted bytes.
 *
 * A span is a borrowed run of bytes. A cursor walks one, in either byte order, and cannot overrun:
 * a read past the end gives 0 (or an empty span) and sets `bad`, which stays set. Check `bad` once,
 * after a whole record has been read.
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
	bool swap; /* the bytes are of the other byte order than this machine */
	bool bad;  /* a read went past the end */
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

/* Borrowed pointer to the next n bytes, or NULL (and `bad`) when fewer are left. */
static inline const u8 *cur_take(struct cursor *c, size_t n)
{
	const u8 *p = c->p;

	if (n > cur_left(c)) {
		c->bad = true;
		c->p = c->end;
		return NULL;
	}
	if (n) /* an empty span may be NULL, to which C lets not even 0 be added */
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
 * An array of nr elements of `size` bytes: the product is checked before it is used, so a count
 * from the file can never wrap. Empty and `bad` when it does not fit.
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

/* Length of the NUL-terminated text at the start of s; s.n when it has no NUL. */
static inline size_t span_strlen(struct span s)
{
	return s.n ? strnlen((const char *)s.p, s.n) : 0;
}

/* Element i of a span of u64s; the caller has checked i < s.n / 8. */
static inline u64 span_u64(struct span s, size_t i, bool swap)
{
	return get_u64(s.p + i * 8, swap);
}

#endif
