/* SPDX-License-Identifier: MIT */
#include "record/ring/sample_layout.h"

#include <string.h>

#include "base/bytes.h"

#define FIXED_FIELDS                                                                             \
	(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR | \
	 PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD)

/* Number of the stack pointer among the user registers (the kernel's asm/perf_regs.h). */
#if defined(__x86_64__) || defined(__i386__)
#define SP_REG 7
#elif defined(__aarch64__)
#define SP_REG 31
#else
#define SP_REG -1
#endif

u32 sample_bytes_of(u64 fields)
{
	return 8 * (u32)__builtin_popcountll(fields);
}

u64 ring_view_u64(const struct ring_view *v, u32 at)
{
	return get_u64(at < v->n ? v->p + at : v->rest + (at - v->n), false);
}

void ring_view_copy(const struct ring_view *v, u32 at, u32 n, u8 *to)
{
	u32 first = at < v->n ? v->n - at : 0;

	if (first > n)
		first = n;
	if (first)
		memcpy(to, v->p + at, first);
	if (n > first)
		memcpy(to + first, v->rest + (at + first - v->n), n - first);
}

struct sample_layout sample_layout_of(const struct rec_event *ev)
{
	const struct pd_attr *a = &ev->attr;
	u64 type = a->sample_type;
	struct sample_layout l = { .type = type, .read_format = a->read_format };

	l.branch_type = a->branch_sample_type;
	l.fixed = sample_bytes_of(type & FIXED_FIELDS);
	if (type & PD_SAMPLE_TID)
		l.tid_at = 8 + sample_bytes_of(type & (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP));
	if (type & PD_SAMPLE_TIME)
		l.time_at = 8 + sample_bytes_of(type & (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP |
							PD_SAMPLE_TID));
	if (type & PD_SAMPLE_TIME && pd_attr_has(a, PD_ATTR_SAMPLE_ID_ALL))
		l.time_from_end =
			8 + sample_bytes_of(type & (PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID |
						    PD_SAMPLE_CPU | PD_SAMPLE_IDENTIFIER));
	l.whole_system = ev->whole_system;
	l.is_switch = ev->is_switch;
	l.unwound = ev->unwound;
	l.nr_regs = (u32)__builtin_popcountll(a->sample_regs_user);
	l.sp_at = -1;
	if (SP_REG >= 0 && a->sample_regs_user >> (SP_REG < 0 ? 0 : SP_REG) & 1)
		l.sp_at = __builtin_popcountll(a->sample_regs_user &
					       ((1ull << (SP_REG < 0 ? 0 : SP_REG)) - 1));
	return l;
}

void sample_id_place(const struct pd_attr *a, u32 *ret_at, u32 *ret_from_end)
{
	u64 type = a->sample_type;

	if (type & PD_SAMPLE_IDENTIFIER) {
		*ret_at = 8;
		*ret_from_end = 8;
	} else if (type & PD_SAMPLE_ID) {
		*ret_at = 8 + sample_bytes_of(type & (PD_SAMPLE_IP | PD_SAMPLE_TID |
						      PD_SAMPLE_TIME | PD_SAMPLE_ADDR));
		*ret_from_end = 8 + sample_bytes_of(type & (PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU));
	}
	if (!pd_attr_has(a, PD_ATTR_SAMPLE_ID_ALL))
		*ret_from_end = 0;
}

bool sample_layouts_equal(const struct sample_layout *a, const struct sample_layout *b)
{
	return a->type == b->type && a->read_format == b->read_format &&
	       a->branch_type == b->branch_type && a->nr_regs == b->nr_regs &&
	       a->sp_at == b->sp_at && a->whole_system == b->whole_system &&
	       a->unwound == b->unwound;
}

/* Moves *at over `nr` items of `item` bytes. Returns false if the record is too small. */
static bool view_skip(const struct ring_view *v, u32 *at, u64 nr, u32 item)
{
	if (nr > (v->size - *at) / item)
		return false;
	*at += (u32)nr * item;
	return true;
}

/* Reads the u64 at *at and moves *at over it. Returns false at the record's end. */
static bool view_take_u64(const struct ring_view *v, u32 *at, u64 *ret)
{
	if (v->size - *at < 8)
		return false;
	*ret = ring_view_u64(v, *at);
	*at += 8;
	return true;
}

static bool skip_read(const struct ring_view *v, u32 *at, u64 format)
{
	u32 times = sample_bytes_of(format &
				    (PD_FORMAT_TOTAL_TIME_ENABLED | PD_FORMAT_TOTAL_TIME_RUNNING));
	u32 value = 8 + sample_bytes_of(format & (PD_FORMAT_ID | PD_FORMAT_LOST));
	u64 nr = 1;

	if (format & PD_FORMAT_GROUP && !view_take_u64(v, at, &nr))
		return false;
	return view_skip(v, at, times, 1) && view_skip(v, at, nr, value);
}

static bool skip_branches(const struct ring_view *v, u32 *at, u64 branch_type)
{
	u64 nr;

	if (!view_take_u64(v, at, &nr))
		return false;
	if (branch_type & PD_BRANCH_HW_INDEX && !view_skip(v, at, 8, 1))
		return false;
	return view_skip(v, at, nr, 24) &&
	       (!(branch_type & PD_BRANCH_COUNTERS) || view_skip(v, at, nr, 8));
}

u32 sample_find_stack(const struct sample_layout *l, const struct ring_view *v, u64 *ret_sp)
{
	u32 at = 8 + l->fixed;
	u64 nr;

	*ret_sp = 0;
	if (!(l->type & PD_SAMPLE_STACK_USER) || v->size < at)
		return 0;
	if (l->type & PD_SAMPLE_READ && !skip_read(v, &at, l->read_format))
		return 0;
	if (l->type & PD_SAMPLE_CALLCHAIN &&
	    (!view_take_u64(v, &at, &nr) || !view_skip(v, &at, nr, 8)))
		return 0;
	if (l->type & PD_SAMPLE_RAW) {
		if (v->size - at < 8)
			return 0;
		nr = 4 + (ring_view_u64(v, at) & UINT32_MAX);
		/*
		 * u64s stay aligned, so that each can be read at once, even from a record in two
		 * parts
		 */
		if (nr % 8 || !view_skip(v, &at, nr, 1))
			return 0;
	}
	if (l->type & PD_SAMPLE_BRANCH_STACK && !skip_branches(v, &at, l->branch_type))
		return 0;
	if (l->type & PD_SAMPLE_REGS_USER) {
		u32 regs;

		if (!view_take_u64(v, &at, &nr))
			return 0;
		regs = at;
		if (nr && !view_skip(v, &at, l->nr_regs, 8))
			return 0;
		if (nr && l->sp_at >= 0)
			*ret_sp = ring_view_u64(v, regs + 8 * (u32)l->sp_at);
	}
	return v->size - at < 8 ? 0 : at;
}
