/* SPDX-License-Identifier: MIT */
#include "fileformat/attr.h"

#define ATTR_SIZE_MIN 64 /* PERF_ATTR_SIZE_VER0 */

/*
 * The members of struct perf_event_attr, by offset:
 *   0 type u32, 4 size u32, 8 config, 16 period or freq, 24 sample_type, 32 read_format, 40 flags,
 *   48 wakeup u32, 52 bp_type u32, 56 config1 [64], 64 config2 [72], 72 branch_sample_type [80],
 *   80 sample_regs_user, 88 sample_stack_user u32, 92 clockid s32 [96], 96 sample_regs_intr [104],
 *   104 aux_watermark u32, 108 sample_max_stack u16, 110 reserved u16 [112],
 *   112 aux_sample_size u32, 116 aux_action u32 [120], 120 sig_data [128], 128 config3 [136],
 *   136 config4 [144]. A number in brackets is the size of attrs that end with this member.
 */

static u64 reverse_bits(u64 v)
{
	v = (v >> 1 & 0x5555555555555555ull) | (v & 0x5555555555555555ull) << 1;
	v = (v >> 2 & 0x3333333333333333ull) | (v & 0x3333333333333333ull) << 2;
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0full) | (v & 0x0f0f0f0f0f0f0f0full) << 4;
	return bswap_64(v);
}

static bool file_is_big_endian(bool swap)
{
	return swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

/*
 * Decodes the flags, a C bit-field of 64 bits. Big-endian compilers place its members from the top,
 * so the whole word is mirrored, and the only member with two bits is mirrored back.
 */
static u64 decode_flags(u64 v, bool swap)
{
	u64 low, high;

	if (!file_is_big_endian(swap))
		return v;
	v = reverse_bits(v);
	low = v >> PD_ATTR_PRECISE_IP & 1;
	high = v >> (PD_ATTR_PRECISE_IP + 1) & 1;
	v &= ~(3ull << PD_ATTR_PRECISE_IP);
	return v | high << PD_ATTR_PRECISE_IP | low << (PD_ATTR_PRECISE_IP + 1);
}

/* Reads a member at `off` of an attr. A member that a shorter attr does not have is 0. */
static u64 field_u64(struct span a, size_t off, bool swap)
{
	return off + 8 <= a.n ? get_u64(a.p + off, swap) : 0;
}

static u32 field_u32(struct span a, size_t off, bool swap)
{
	return off + 4 <= a.n ? get_u32(a.p + off, swap) : 0;
}

static u16 field_u16(struct span a, size_t off, bool swap)
{
	return off + 2 <= a.n ? get_u16(a.p + off, swap) : 0;
}

int pd_attr_decode(struct cursor *c, struct pd_attr *ret, struct perr *e)
{
	bool swap = c->swap;
	struct span a;
	u32 size;

	if (cur_left(c) < ATTR_SIZE_MIN)
		return perr_set(e, PERR_FORMAT, "attr has only %zu of at least %d bytes",
				cur_left(c), ATTR_SIZE_MIN);
	size = get_u32(c->p + 4, swap);
	if (!size)
		size = ATTR_SIZE_MIN;
	if (size < ATTR_SIZE_MIN)
		return perr_set(e, PERR_FORMAT, "attr.size is %u, less than %d", size,
				ATTR_SIZE_MIN);
	if (size > cur_left(c))
		return perr_set(e, PERR_FORMAT, "attr.size is %u but only %zu bytes are left", size,
				cur_left(c));
	a = cur_bytes(c, size);
	*ret = (struct pd_attr){
		.type = field_u32(a, 0, swap),
		.size = size,
		.size_is_0 = !field_u32(a, 4, swap),
		.config = field_u64(a, 8, swap),
		.sample_period_or_freq = field_u64(a, 16, swap),
		.sample_type = field_u64(a, 24, swap),
		.read_format = field_u64(a, 32, swap),
		.flags = decode_flags(field_u64(a, 40, swap), swap),
		.wakeup_events_or_watermark = field_u32(a, 48, swap),
		.bp_type = field_u32(a, 52, swap),
		.config1 = field_u64(a, 56, swap),
		.config2 = field_u64(a, 64, swap),
		.branch_sample_type = field_u64(a, 72, swap),
		.sample_regs_user = field_u64(a, 80, swap),
		.sample_stack_user = field_u32(a, 88, swap),
		.clockid = (s32)field_u32(a, 92, swap),
		.sample_regs_intr = field_u64(a, 96, swap),
		.aux_watermark = field_u32(a, 104, swap),
		.sample_max_stack = field_u16(a, 108, swap),
		.aux_sample_size = field_u32(a, 112, swap),
		.aux_action = field_u32(a, 116, swap),
		.sig_data = field_u64(a, 120, swap),
		.config3 = field_u64(a, 128, swap),
		.config4 = field_u64(a, 136, swap),
	};
	/* aux_action is a bit-field, too, with members of one bit. */
	if (file_is_big_endian(swap))
		ret->aux_action = (u32)(reverse_bits(ret->aux_action) >> 32);
	return 0;
}
