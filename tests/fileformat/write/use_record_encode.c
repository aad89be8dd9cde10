/* SPDX-License-Identifier: MIT */
#include "tests/fileformat/write/use_record_encode.h"

#include "fileformat/record.h"

struct pd_record encoded_next(const struct wbuf *b, size_t *at, u32 type)
{
	const u8 *p = b->p + *at;
	struct pd_record r;

	CHECK(b->n - *at >= 8);
	r = (struct pd_record){ .type = get_u32(p, false),
				.misc = get_u16(p + 4, false),
				.size = get_u16(p + 6, false),
				.data = p };
	CHECK_EQ(r.type, type);
	CHECK(r.size >= 8 && r.size <= b->n - *at);
	if (type != PD_RECORD_HEADER_FEATURE)
		CHECK_EQ(r.size % 8, 0);
	*at += r.size;
	return r;
}

struct pd_record encoded_only(const struct wbuf *b, u32 type)
{
	size_t at = 0;
	struct pd_record r = encoded_next(b, &at, type);

	CHECK_EQ(at, b->n);
	return r;
}

void check_encoded_trailer(const struct pd_record *r, u32 n)
{
	static const u8 zeros[64];

	CHECK_MEM(r->data + r->size - n, zeros, n);
}

struct pd_attr encode_attr(u64 sample_type, bool id_all)
{
	return (struct pd_attr){ .size = 64,
				 .sample_type = sample_type,
				 .flags = id_all ? 1ull << PD_ATTR_SAMPLE_ID_ALL : 0 };
}
