/* SPDX-License-Identifier: MIT */
/*
 * Fields of tracepoints: the lines "field:TYPE NAME; offset:N; size:N; signed:N;" of a format text
 * (tracing_data.h), and the values that a sample's RAW payload has at those places. All values are
 * read by the recorded format, since offsets differ between kernels.
 */
#ifndef FILEFORMAT_TRACE_FIELD_H
#define FILEFORMAT_TRACE_FIELD_H

#include "base/bytes.h"

enum pd_field_kind {
	PD_FIELD_INT,   /* an integer of 1, 2, 4 or 8 bytes; pointers as well */
	PD_FIELD_TEXT,  /* characters up to a NUL */
	PD_FIELD_ARRAY, /* integers of elem_size bytes */
	PD_FIELD_BYTES, /* anything else */
};

enum pd_field_place {
	PD_FIELD_FIXED,    /* the value is at offset */
	PD_FIELD_DATA_LOC, /* {u16 offset, u16 size} of the value, from the payload's start */
	PD_FIELD_REL_LOC,  /* the same, from the end of these two numbers */
};

struct pd_trace_field {
	struct span name; /* borrowed from the format text */
	u32 offset, size; /* bytes in the payload */
	enum pd_field_kind kind;
	enum pd_field_place place;
	bool is_signed;
	u32 elem_size; /* of PD_FIELD_ARRAY: 1, 2, 4 or 8 */
};

/*
 * Reads the next field of a format text, without the fields common_*: returns true with *ret, false
 * after the last. *pos must be 0 at the first call.
 */
bool pd_trace_field_next(struct span format, size_t *pos, struct pd_trace_field *ret);

/* The bytes of a field's value in a payload, as far as the payload has them. swap: struct
 * perfdata's. */
struct span pd_trace_field_bytes(const struct pd_trace_field *f, struct span raw, bool swap);

/* As pd_trace_field_int(), of sizes that are not frequent. */
u64 pd_trace_field_small_int(const struct pd_trace_field *f, struct span raw, bool swap);

/* An integer, sign-extended if it is signed; 0 where the payload is too short. */
static inline u64 pd_trace_field_int(const struct pd_trace_field *f, struct span raw, bool swap)
{
	const u8 *p;

	if ((u64)f->offset + f->size > raw.n)
		return 0;
	p = raw.p + f->offset;
	if (f->size == 8)
		return get_u64(p, swap);
	if (f->size != 4)
		return pd_trace_field_small_int(f, raw, swap);
	return f->is_signed ? (u64)(s32)get_u32(p, swap) : get_u32(p, swap);
}

/* The low 32 bits of the same, in less time for fields of 4 bytes. */
static inline u32 pd_trace_field_u32(const struct pd_trace_field *f, struct span raw, bool swap)
{
	if (f->size != 4 || (u64)f->offset + 4 > raw.n)
		return (u32)pd_trace_field_int(f, raw, swap);
	return get_u32(raw.p + f->offset, swap);
}

/* Element i of an array; 0 where there is none. */
u64 pd_trace_field_elem(const struct pd_trace_field *f, struct span raw, bool swap, u64 i);

/* Text up to its first NUL, borrowed from the payload. */
struct span pd_trace_field_text(const struct pd_trace_field *f, struct span raw, bool swap);

#endif
