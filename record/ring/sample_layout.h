/* SPDX-License-Identifier: MIT */
/*
 * Samples as they lie in a ring: where the fields are that the recorder looks at, found from the
 * event's attr without decoding the rest. (fileformat/sample decodes whole samples.)
 */
#ifndef RECORD_RING_SAMPLE_LAYOUT_H
#define RECORD_RING_SAMPLE_LAYOUT_H

#include "record/model/rec_event.h"

/* A record as it lies in the ring: in one part, or in two. */
struct ring_view {
	const u8 *p, *rest; /* rest: the bytes from n on */
	u32 n, size;
};

/* The u64 at `at`, a multiple of 8; at + 8 <= size. */
u64 ring_view_u64(const struct ring_view *v, u32 at);
/* n bytes from `at` on; at + n <= size. */
void ring_view_copy(const struct ring_view *v, u32 at, u32 n, u8 *to);

/* What finding fields in an event's records needs to know of it. */
struct sample_layout {
	u64 type, read_format, branch_type;
	u32 fixed;           /* bytes of the fields of fixed size after the header */
	u32 tid_at, time_at; /* in samples, from the record's start; 0: none */
	u32 time_from_end;   /* in other records, from the record's end; 0: none */
	u32 nr_regs;
	s32 sp_at; /* u64s after the abi, -1: the stack pointer is not sampled */
	bool whole_system;
};

struct sample_layout sample_layout_of(const struct rec_event *ev);
bool sample_layouts_equal(const struct sample_layout *a, const struct sample_layout *b);

/* Bytes of fields of eight bytes each, one for each bit. */
u32 sample_bytes_of(u64 fields);

/*
 * Place of STACK_USER's size word, and the stack pointer (0: not known). 0 when the sample has no
 * stack or is not what the attr says.
 */
u32 sample_find_stack(const struct sample_layout *l, const struct ring_view *v, u64 *ret_sp);

#endif
