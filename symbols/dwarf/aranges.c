/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/aranges.h"

#define VERSION 2

bool aranges_next_set(struct cursor *c, struct aranges_set *ret)
{
	const u8 *start = c->p;
	u64 len = cur_u32(c);
	bool is_64 = len == UINT32_MAX;
	struct cursor in;
	unsigned int word, segment;
	size_t head;
	u16 version;

	if (is_64)
		len = cur_u64(c);
	if (c->bad || len > cur_left(c))
		return false;
	in = cursor_of(cur_bytes(c, (size_t)len), c->swap);
	version = cur_u16(&in);
	ret->unit = is_64 ? cur_u64(&in) : cur_u32(&in);
	word = cur_u8(&in);
	segment = cur_u8(&in);
	ret->word = word;
	ret->tuples = cursor_of(span_of(NULL, 0), c->swap);
	if (in.bad || version != VERSION || segment || (word != 4 && word != 8))
		return true;
	/* The first tuple is at a multiple of its size from the start of the set. */
	head = (size_t)(in.p - start);
	cur_skip(&in, (2 * word - head % (2 * word)) % (2 * word));
	if (!in.bad)
		ret->tuples = in;
	return true;
}

bool aranges_next(struct aranges_set *s, u64 *ret_start, u64 *ret_size)
{
	*ret_start = s->word == 8 ? cur_u64(&s->tuples) : cur_u32(&s->tuples);
	*ret_size = s->word == 8 ? cur_u64(&s->tuples) : cur_u32(&s->tuples);
	return !s->tuples.bad && (*ret_start || *ret_size);
}
