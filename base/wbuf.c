/* SPDX-License-Identifier: MIT */
#include "base/wbuf.h"

#include "base/mem.h"

void wb_fini(struct wbuf *b)
{
	free(b->p);
	*b = (struct wbuf){ 0 };
}

void wb_reserve(struct wbuf *b, size_t n)
{
	vec_reserve(b->p, b->cap, b->n + n);
}

u8 *wb_add(struct wbuf *b, size_t n)
{
	u8 *p;

	wb_reserve(b, n);
	p = b->p + b->n;
	b->n += n;
	return p;
}

void wb_mem(struct wbuf *b, const void *p, size_t n)
{
	if (n)
		memcpy(wb_add(b, n), p, n);
}

void wb_zero(struct wbuf *b, size_t n)
{
	if (n)
		memset(wb_add(b, n), 0, n);
}

void wb_u8(struct wbuf *b, u8 v)
{
	*wb_add(b, 1) = v;
}

void wb_u16(struct wbuf *b, u16 v)
{
	wb_mem(b, &v, sizeof(v));
}

void wb_u32(struct wbuf *b, u32 v)
{
	wb_mem(b, &v, sizeof(v));
}

void wb_u64(struct wbuf *b, u64 v)
{
	wb_mem(b, &v, sizeof(v));
}

void wb_text(struct wbuf *b, const char *s, size_t align)
{
	wb_mem(b, s, strlen(s) + 1);
	wb_zero(b, -b->n & (align - 1));
}

void wb_set_u16(struct wbuf *b, size_t off, u16 v)
{
	memcpy(b->p + off, &v, sizeof(v));
}

void wb_set_u32(struct wbuf *b, size_t off, u32 v)
{
	memcpy(b->p + off, &v, sizeof(v));
}

void wb_set_u64(struct wbuf *b, size_t off, u64 v)
{
	memcpy(b->p + off, &v, sizeof(v));
}
