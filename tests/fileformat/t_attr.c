/* SPDX-License-Identifier: MIT */
#include "tests/frame/unit.h"

#include "fileformat/attr.h"
#include "tests/frame/build_file.h"

static const u32 sizes_in_use[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

/* Every field its own value, each byte of which differs. */
static struct pd_attr attr_full(void)
{
	return (struct pd_attr){
		.type = 0x01020304,
		.size = 144,
		.config = 0x1112131415161718,
		.sample_period_or_freq = 0x2122232425262728,
		.sample_type = 0x3132333435363738,
		.read_format = 0x4142434445464748,
		.flags = 0x8000005123456789,
		.wakeup_events_or_watermark = 0x51525354,
		.bp_type = 0x61626364,
		.config1 = 0x7172737475767778,
		.config2 = 0x8182838485868788,
		.branch_sample_type = 0x9192939495969798,
		.sample_regs_user = 0xa1a2a3a4a5a6a7a8,
		.sample_stack_user = 0xb1b2b3b4,
		.clockid = -7,
		.sample_regs_intr = 0xc1c2c3c4c5c6c7c8,
		.aux_watermark = 0xd1d2d3d4,
		.sample_max_stack = 0xe1e2,
		.aux_sample_size = 0xf1f2f3f4,
		.aux_action = 5,
		.sig_data = 0x0102030405060708,
		.config3 = 0x1213141516171819,
		.config4 = 0x2223242526272829,
	};
}

static void check_same(const struct pd_attr *a, const struct pd_attr *want, u32 size)
{
	CHECK_EQ(a->type, want->type);
	CHECK_EQ(a->size, size);
	CHECK_EQ(a->config, want->config);
	CHECK_EQ(a->sample_period_or_freq, want->sample_period_or_freq);
	CHECK_EQ(a->sample_type, want->sample_type);
	CHECK_EQ(a->read_format, want->read_format);
	CHECK_EQ(a->flags, want->flags);
	CHECK_EQ(a->wakeup_events_or_watermark, want->wakeup_events_or_watermark);
	CHECK_EQ(a->bp_type, want->bp_type);
	CHECK_EQ(a->config1, size >= 64 ? want->config1 : 0);
	CHECK_EQ(a->config2, size >= 72 ? want->config2 : 0);
	CHECK_EQ(a->branch_sample_type, size >= 80 ? want->branch_sample_type : 0);
	CHECK_EQ(a->sample_regs_user, size >= 88 ? want->sample_regs_user : 0);
	CHECK_EQ(a->sample_stack_user, size >= 92 ? want->sample_stack_user : 0);
	CHECK_EQ(a->clockid, size >= 96 ? want->clockid : 0);
	CHECK_EQ(a->sample_regs_intr, size >= 104 ? want->sample_regs_intr : 0);
	CHECK_EQ(a->aux_watermark, size >= 108 ? want->aux_watermark : 0);
	CHECK_EQ(a->sample_max_stack, size >= 110 ? want->sample_max_stack : 0);
	CHECK_EQ(a->aux_sample_size, size >= 116 ? want->aux_sample_size : 0);
	CHECK_EQ(a->aux_action, size >= 120 ? want->aux_action : 0);
	CHECK_EQ(a->sig_data, size >= 128 ? want->sig_data : 0);
	CHECK_EQ(a->config3, size >= 136 ? want->config3 : 0);
	CHECK_EQ(a->config4, size >= 144 ? want->config4 : 0);
}

/* Decodes an attr of this size, followed by 8 bytes that must be left. */
static void decode_sized(bool big, u32 size)
{
	struct pd_attr want = attr_full(), a;
	struct bytes b = bytes_new(big);
	struct cursor c;
	struct perr e;

	put_attr_sized(&b, &want, size, size);
	put_u64(&b, 0x1122334455667788);
	c = cursor_of(bytes_span(&b), bytes_swapped(&b));
	CHECK_EQ(pd_attr_decode(&c, &a, &e), 0);
	check_same(&a, &want, size);
	CHECK_EQ(cur_left(&c), 8);
	CHECK_EQ(cur_u64(&c), 0x1122334455667788);
	bytes_free(&b);
}

TEST(every_published_size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes_in_use); i++) {
		decode_sized(false, sizes_in_use[i]);
		decode_sized(true, sizes_in_use[i]);
	}
}

TEST(sizes_between_and_beyond)
{
	u32 size;

	/* a field that is not whole is missing; a newer attr's tail is stepped over */
	for (size = 64; size < 300; size++) {
		decode_sized(false, size);
		decode_sized(true, size);
	}
	decode_sized(false, 65000);
}

TEST(size_zero_means_64)
{
	struct pd_attr want = attr_full(), a;
	struct bytes b = bytes_new(false);
	struct cursor c;

	put_attr_sized(&b, &want, 64, 0);
	put_u64(&b, 42);
	c = cursor_of(bytes_span(&b), bytes_swapped(&b));
	CHECK_EQ(pd_attr_decode(&c, &a, NULL), 0);
	check_same(&a, &want, 64);
	CHECK(a.size_is_0);
	CHECK_EQ(cur_u64(&c), 42);
	bytes_free(&b);
}

TEST(sizes_1_to_63_are_refused)
{
	struct pd_attr want = attr_full(), a;
	u32 size;

	for (size = 1; size < 64; size++) {
		struct bytes b = bytes_new(size & 1);
		struct cursor c;
		struct perr e;

		put_attr_sized(&b, &want, 144, size);
		c = cursor_of(bytes_span(&b), bytes_swapped(&b));
		CHECK_EQ(pd_attr_decode(&c, &a, &e), PERR_FORMAT);
		CHECK_EQ(e.code, PERR_FORMAT);
		bytes_free(&b);
	}
}

TEST(size_past_the_bytes_left)
{
	struct pd_attr want = attr_full(), a;
	size_t have;

	for (have = 0; have < 144; have++) {
		struct bytes b = bytes_new(false);
		struct cursor c;

		put_attr_sized(&b, &want, have, 144);
		c = cursor_of(span_of(b.p, have), bytes_swapped(&b));
		CHECK_EQ(pd_attr_decode(&c, &a, NULL), PERR_FORMAT);
		bytes_free(&b);
	}
	{
		struct bytes b = bytes_new(false);
		struct cursor c;

		put_attr_sized(&b, &want, 144, 0xffffffff);
		c = cursor_of(bytes_span(&b), bytes_swapped(&b));
		CHECK_EQ(pd_attr_decode(&c, &a, NULL), PERR_FORMAT);
		bytes_free(&b);
	}
}

TEST(each_flag_bit_in_both_orders)
{
	unsigned int bit, big;

	for (bit = 0; bit < 64; bit++) {
		for (big = 0; big < 2; big++) {
			struct pd_attr want = { .size = 64, .flags = 1ull << bit }, a;
			struct bytes b = bytes_new(big);
			struct cursor c;

			put_attr(&b, &want);
			c = cursor_of(bytes_span(&b), bytes_swapped(&b));
			CHECK_EQ(pd_attr_decode(&c, &a, NULL), 0);
			CHECK_EQ(a.flags, 1ull << bit);
			bytes_free(&b);
		}
	}
}

TEST(precise_ip_of_a_big_endian_file)
{
	/* flags as a big-endian machine stores them: precise_ip is bits 48 and 47, 48 the higher */
	static const struct {
		u8 byte1, byte2; /* of the 8 at offset 40 */
		unsigned int precise;
	} cases[] = { { 0, 0, 0 }, { 0, 0x80, 1 }, { 1, 0, 2 }, { 1, 0x80, 3 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pd_attr none = { .size = 64 }, a;
		struct bytes b = bytes_new(true);
		struct cursor c;

		put_attr(&b, &none);
		b.p[40] = 0x80; /* disabled: the first member */
		b.p[41] = cases[i].byte1;
		b.p[42] = cases[i].byte2;
		c = cursor_of(bytes_span(&b), bytes_swapped(&b));
		CHECK_EQ(pd_attr_decode(&c, &a, NULL), 0);
		CHECK_EQ(pd_attr_precise(&a), cases[i].precise);
		CHECK(pd_attr_has(&a, PD_ATTR_DISABLED));
		CHECK_EQ(a.flags & ~(u64)(3 << PD_ATTR_PRECISE_IP), 1);
		bytes_free(&b);
	}
}
