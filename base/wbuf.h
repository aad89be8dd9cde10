/* SPDX-License-Identifier: MIT */
/*
 * A growable run of bytes that is written front to back, in this machine's byte order: records,
 * attrs and feature payloads on their way into a perf.data.
 */
#ifndef BASE_WBUF_H
#define BASE_WBUF_H

#include <string.h>

#include "base/bytes.h"
#include "base/types.h"

/* Zero-initialised is a valid empty buffer. */
struct wbuf {
	u8 *p;
	size_t n, cap;
};

void wb_fini(struct wbuf *b);

/* Makes room for n more bytes. */
void wb_reserve(struct wbuf *b, size_t n);

/* n more bytes, not initialised; valid until the next call that adds. */
u8 *wb_add(struct wbuf *b, size_t n);

void wb_mem(struct wbuf *b, const void *p, size_t n);
void wb_zero(struct wbuf *b, size_t n);
void wb_u8(struct wbuf *b, u8 v);
void wb_u16(struct wbuf *b, u16 v);
void wb_u32(struct wbuf *b, u32 v);
void wb_u64(struct wbuf *b, u64 v);

/* The text with its NUL, and NULs until b->n is a multiple of align (a power of two). */
void wb_text(struct wbuf *b, const char *s, size_t align);

/* Overwrites what was written at off before; off + width must lie in the buffer. */
void wb_set_u16(struct wbuf *b, size_t off, u16 v);
void wb_set_u32(struct wbuf *b, size_t off, u32 v);
void wb_set_u64(struct wbuf *b, size_t off, u64 v);

static inline struct span wb_span(const struct wbuf *b)
{
	return span_of(b->p, b->n);
}

#endif
