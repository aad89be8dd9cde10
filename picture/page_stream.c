/* SPDX-License-Identifier: MIT */
#include "picture/page_priv.h"

void page_put_int(struct wbuf *b, u64 v)
{
	u8 *to = wb_add(b, 10);
	size_t n = 0;

	for (; v >= 128; v >>= 7)
		to[n++] = (u8)(v | 128);
	to[n++] = (u8)v;
	b->n -= 10 - n;
}

void page_end_stream(struct page *p, const char *name, size_t from)
{
	struct page_stream s = { .length = p->block.n - from };

	snprintf(s.name, sizeof(s.name), "%s", name);
	vec_push(p->streams, p->nr_streams, p->cap_streams, s);
}
