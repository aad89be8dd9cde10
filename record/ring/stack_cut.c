/* SPDX-License-Identifier: MIT */
#include "record/ring/stack_cut.h"

/* Bytes of stack copies that are kept without checking where the stack's mapping ends. */
#define STACK_UNQUESTIONED (8u << 10)

/* Returns how many of a stack copy's valid bytes lie within the mapping of the stack. */
static u64 within_mapping(struct stack_bounds *b, const struct sample_layout *l,
			  const struct ring_view *v, u64 sp, u64 valid)
{
	u64 ids, end;

	if (valid <= STACK_UNQUESTIONED || !sp || !l->tid_at)
		return valid;
	ids = ring_view_u64(v, l->tid_at);
	end = stack_bounds_end(b, (u32)ids, (u32)(ids >> 32), sp);
	return end - sp < valid ? end - sp : valid;
}

bool stack_cut_put(struct stack_bounds *b, const struct sample_layout *l, const struct ring_view *v,
		   struct wbuf *out, struct stack_cut_counts *counts)
{
	u64 sp, size, valid;
	u32 at = sample_find_stack(l, v, &sp), n, end, tail_at, tail;
	u8 *p;

	if (!at)
		return false;
	size = ring_view_u64(v, at);
	counts->stacks++;
	if (!size)
		return false;
	if (size % 8 || size > v->size || at + 8 + size + 8 > v->size)
		return false;
	valid = ring_view_u64(v, at + 8 + (u32)size);
	if (valid > size)
		return false;
	counts->bytes_asked += size;
	counts->full += valid == size;
	valid = within_mapping(b, l, v, sp, valid);
	counts->bytes_valid += valid;
	n = (u32)(valid + 7) & ~7u;
	tail_at = at + 8 + (u32)size + 8;
	tail = v->size - tail_at;
	end = at + 8 + (n ? n + 8 : 0);
	p = wb_add(out, end + tail);
	ring_view_copy(v, 0, at, p);
	memcpy(p + at, &(u64){ n }, 8);
	if (n) {
		ring_view_copy(v, at + 8, n, p + at + 8);
		memcpy(p + at + 8 + n, &valid, 8);
	}
	ring_view_copy(v, tail_at, tail, p + end);
	memcpy(p + 6, &(u16){ (u16)(end + tail) }, 2);
	return true;
}
