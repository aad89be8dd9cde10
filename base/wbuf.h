/* SPDX-License-Identifier: MIT */
/*
 * A growable byte buffer that is written front to back, in this machine's byte order. It holds
 * records, attrs and feature payloads before they are written to a perf.data. Not thread safe.
 */
#ifndef BASE_WBUF_H
#define BASE_WBUF_H

#include <string.h>

#include "base/bytes.h"
#include "base/types.h"

/* All zero is a valid empty buffer: n of cap bytes at p are written. */
struct wbuf {
	u8 *p;
	size_t n, cap;
};

/* Frees the buffer's memory and makes it empty. */
void wb_fini(struct wbuf *b);

/* Makes room for n more bytes, so that the next calls that add them do not reallocate. */
void wb_reserve(struct wbuf *b, size_t n);

/* Adds n uninitialised bytes and returns their address, which is valid until more bytes are added.
 */
u8 *wb_add(struct wbuf *b, size_t n);

void wb_mem(struct wbuf *b, const void *p, size_t n);
void wb_zero(struct wbuf *b, size_t n);
void wb_u8(struct wbuf *b, u8 v);
void wb_u16(struct wbuf *b, u16 v);
void wb_u32(struct wbuf *b, u32 v);
void wb_u64(struct wbuf *b, u64 v);

/* Adds the text s with its NUL, and more NULs until b->n is a multiple of align, a power of two. */
void wb_text(struct wbuf *b, const char *s, size_t align);

/* Overwrites the value at offset `off`; its bytes must have been written before. */
void wb_set_u16(struct wbuf *b, size_t off, u16 v);
void wb_set_u32(struct wbuf *b, size_t off, u32 v);
void wb_set_u64(struct wbuf *b, size_t off, u64 v);

static inline struct span wb_span(const struct wbuf *b)
{
	return span_of(b->p, b->n);
}

#endif
