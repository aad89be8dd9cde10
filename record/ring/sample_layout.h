/* SPDX-License-Identifier: MIT */
/*
 * Finds the fields of samples in a ring that the recorder needs, from the event's attr and without
 * decoding the other fields. (fileformat/sample decodes whole samples.)
 */
#ifndef RECORD_RING_SAMPLE_LAYOUT_H
#define RECORD_RING_SAMPLE_LAYOUT_H

#include "record/model/rec_event.h"

/* A record in the ring, in one part or two. */
struct ring_view {
	const u8 *p, *rest; /* p: bytes 0 to n - 1; rest: the bytes from n on */
	u32 n, size;
};

/* Returns the u64 at offset `at`, a multiple of 8. The caller checks that at + 8 <= size. */
u64 ring_view_u64(const struct ring_view *v, u32 at);
/* Copies n bytes from offset `at` on. The caller checks that at + n <= size. */
void ring_view_copy(const struct ring_view *v, u32 at, u32 n, u8 *to);

/* What is needed of an event's attr to find fields in its records. */
struct sample_layout {
	u64 type, read_format, branch_type;
	u32 fixed;           /* bytes of the fixed-size fields behind the header */
	u32 tid_at, time_at; /* offsets in samples, from the record's start; 0: not sampled */
	u32 time_from_end;   /* offset in other records, from the record's end; 0: none */
	u32 nr_regs;
	s32 sp_at; /* index of the stack pointer among the u64s behind the abi; -1: not sampled */
	bool whole_system;
	bool is_switch; /* of --off-cpu, see rec_event.h */
	bool unwound;   /* see struct rec_event */
};

/* Returns the layout of the event's records. */
struct sample_layout sample_layout_of(const struct rec_event *ev);
bool sample_layouts_equal(const struct sample_layout *a, const struct sample_layout *b);

/*
 * Sets the position of ids in records (FORMAT.md 2.3): in a SAMPLE from its start, in others from
 * their end; unchanged if there are none. It is the same for all events: readers require it.
 */
void sample_id_place(const struct pd_attr *a, u32 *ret_at, u32 *ret_from_end);

/* Returns the bytes of fields of 8 bytes each, one for each bit of `fields`. */
u32 sample_bytes_of(u64 fields);

/*
 * Returns the offset of STACK_USER's size word in a sample and sets *ret_sp to the stack pointer
 * (0: unknown). Returns 0 if the sample has no stack or does not match the attr.
 */
u32 sample_find_stack(const struct sample_layout *l, const struct ring_view *v, u64 *ret_sp);

#endif
