/* SPDX-License-Identifier: MIT */
#include "fileformat/write/writer.h"

/* The end of the members that struct pd_attr has: see attr.c for the layout. */
#define ATTR_SIZE_MAX 144

u32 pd_attr_size_needed(const struct pd_attr *a)
{
	if (a->config4)
		return 144;
	if (a->config3)
		return 136;
	if (a->sig_data)
		return 128;
	if (a->aux_sample_size || a->aux_action)
		return 120;
	if (a->aux_watermark || a->sample_max_stack)
		return 112;
	if (a->sample_regs_intr)
		return 104;
	if (a->sample_regs_user || a->sample_stack_user || a->clockid ||
	    pd_attr_has(a, PD_ATTR_USE_CLOCKID))
		return 96;
	if (a->branch_sample_type)
		return 80;
	if (a->config2)
		return 72;
	return 64;
}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static u64 reverse_bits(u64 v, int nr)
{
	u64 ret = 0;

	for (; nr; nr--, v >>= 1)
		ret = ret << 1 | (v & 1);
	return ret;
}

/*
 * Mirrors the flags for a big-endian file: compilers place the members of a bit-field from the top,
 * but keep the order of the bits in each member.
 */
static u64 flags_word(u64 v)
{
	u64 precise = v >> PD_ATTR_PRECISE_IP & 3;

	v &= ~(3ull << PD_ATTR_PRECISE_IP);
	v |= reverse_bits(precise, 2) << PD_ATTR_PRECISE_IP;
	return reverse_bits(v, 64);
}

static u32 aux_action_word(u32 v)
{
	return (u32)reverse_bits(v, 32);
}
#else
static u64 flags_word(u64 v)
{
	return v;
}

static u32 aux_action_word(u32 v)
{
	return v;
}
#endif

void pd_attr_encode(struct wbuf *b, const struct pd_attr *a, u32 size)
{
	size_t at = b->n;

	wb_reserve(b, size > ATTR_SIZE_MAX ? size : ATTR_SIZE_MAX);
	wb_u32(b, a->type);
	wb_u32(b, size);
	wb_u64(b, a->config);
	wb_u64(b, a->sample_period_or_freq);
	wb_u64(b, a->sample_type);
	wb_u64(b, a->read_format);
	wb_u64(b, flags_word(a->flags));
	wb_u32(b, a->wakeup_events_or_watermark);
	wb_u32(b, a->bp_type);
	wb_u64(b, a->config1);
	wb_u64(b, a->config2);
	wb_u64(b, a->branch_sample_type);
	wb_u64(b, a->sample_regs_user);
	wb_u32(b, a->sample_stack_user);
	wb_u32(b, (u32)a->clockid);
	wb_u64(b, a->sample_regs_intr);
	wb_u32(b, a->aux_watermark);
	wb_u16(b, a->sample_max_stack);
	wb_u16(b, 0);
	wb_u32(b, a->aux_sample_size);
	wb_u32(b, aux_action_word(a->aux_action));
	wb_u64(b, a->sig_data);
	wb_u64(b, a->config3);
	wb_u64(b, a->config4);
	if (size > ATTR_SIZE_MAX)
		wb_zero(b, size - ATTR_SIZE_MAX);
	b->n = at + size;
}
