/* SPDX-License-Identifier: MIT */
#include <libdeflate.h>

#include "picture/page_priv.h"

#define TRY_LEVEL 1     /* of deflate: tells which of two forms is smaller, and takes little time */
#define FEW_NUMBERS 256 /* no form of so few saves enough to matter */

void page_put_int(struct wbuf *b, u64 v)
{
	size_t n = 0;
	u8 *to;

	if (v < 128 && b->n < b->cap) {
		b->p[b->n++] = (u8)v;
		return;
	}
	to = wb_add(b, 10);
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

static size_t packed_size(const u8 *s, size_t n)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(TRY_LEVEL);
	size_t room;
	u8 *packed;

	if (!c)
		mem_exhausted(n);
	room = libdeflate_deflate_compress_bound(c, n);
	packed = xmalloc(room);
	n = libdeflate_deflate_compress(c, s, n, packed, room);
	libdeflate_free_compressor(c);
	free(packed);
	return n;
}

/* How many bytes the largest of the numbers has. */
static unsigned int bytes_of(const u64 *numbers, size_t nr)
{
	unsigned int bytes = 1;
	u64 all = 0;

	for (size_t i = 0; i < nr; i++)
		all |= numbers[i];
	while (bytes < 8 && all >> 8 * bytes)
		bytes++;
	return bytes;
}

void page_put_stream(struct page *p, const char *name, const u64 *numbers, size_t nr)
{
	size_t from = p->block.n;
	unsigned int bytes;
	u8 *planes;

	for (size_t i = 0; i < nr; i++)
		page_put_int(&p->block, numbers[i]);
	page_end_stream(p, name, from);
	if (nr < FEW_NUMBERS)
		return;
	bytes = bytes_of(numbers, nr);
	planes = xcalloc(nr, bytes);
	for (unsigned int k = 0; k < bytes; k++)
		for (size_t i = 0; i < nr; i++)
			planes[k * nr + i] = (u8)(numbers[i] >> 8 * k);
	if (packed_size(planes, bytes * nr) < packed_size(p->block.p + from, p->block.n - from)) {
		p->block.n = from;
		wb_mem(&p->block, planes, bytes * nr);
		p->streams[p->nr_streams - 1].length = bytes * nr;
		p->streams[p->nr_streams - 1].planes = bytes;
	}
	free(planes);
}
