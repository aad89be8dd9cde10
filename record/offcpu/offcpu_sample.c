/* SPDX-License-Identifier: MIT */
#include "record/offcpu/offcpu_sample.h"

#include <string.h>

#include "fileformat/record.h"

/* Fields of 8 bytes in front of READ, CALLCHAIN, RAW, in the order of a sample (FORMAT.md 2.4). */
static const u64 first_fields[] = { PD_SAMPLE_IDENTIFIER, PD_SAMPLE_IP,   PD_SAMPLE_TID,
				    PD_SAMPLE_TIME,       PD_SAMPLE_ADDR, PD_SAMPLE_ID,
				    PD_SAMPLE_STREAM_ID,  PD_SAMPLE_CPU,  PD_SAMPLE_PERIOD };

/* Fields behind RAW that are 8 bytes of 0 where there is nothing to say: a count, an ABI, a value.
 */
#define LATER_FIELDS                                                                               \
	(PD_SAMPLE_BRANCH_STACK | PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER | PD_SAMPLE_WEIGHT |  \
	 PD_SAMPLE_WEIGHT_STRUCT | PD_SAMPLE_DATA_SRC | PD_SAMPLE_TRANSACTION |                    \
	 PD_SAMPLE_REGS_INTR | PD_SAMPLE_PHYS_ADDR | PD_SAMPLE_CGROUP | PD_SAMPLE_DATA_PAGE_SIZE | \
	 PD_SAMPLE_CODE_PAGE_SIZE | PD_SAMPLE_AUX)

u64 offcpu_sample_type(const struct pd_attr *source, bool chains)
{
	u64 type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
		   PD_SAMPLE_CPU | PD_SAMPLE_PERIOD;

	if (source)
		type |= source->sample_type & ~(u64)(PD_SAMPLE_RAW | PD_SAMPLE_READ | PD_SAMPLE_ID);
	return type | (chains ? PD_SAMPLE_CALLCHAIN : 0);
}

static u32 place_of(u64 type, u64 field)
{
	u32 at = 8;

	for (size_t i = 0; i < ARRAY_SIZE(first_fields); i++) {
		if (first_fields[i] == field)
			return type & field ? at : 0;
		at += type & first_fields[i] ? 8 : 0;
	}
	return at;
}

void offcpu_sample_init(struct offcpu_sample *f, const struct rec_event *source,
			const struct rec_event *made)
{
	u64 type = source ? source->attr.sample_type : made->attr.sample_type;

	*f = (struct offcpu_sample){
		.made_type = made->attr.sample_type,
		.made_regs = made->attr.sample_regs_user,
		.ip_at = place_of(type, PD_SAMPLE_IP),
		.tid_at = place_of(type, PD_SAMPLE_TID),
		.time_at = place_of(type, PD_SAMPLE_TIME),
		.cpu_at = place_of(type, PD_SAMPLE_CPU),
		.period_at = place_of(type, PD_SAMPLE_PERIOD),
		.chain_at = place_of(type, 0),
		.has_chain = type & PD_SAMPLE_CALLCHAIN,
		.has_raw = type & PD_SAMPLE_RAW,
		.state_at = source ? source->prev_state_at : 0,
		.state_size = source ? source->prev_state_size : 0,
		.has_hw_idx = made->attr.sample_type & PD_SAMPLE_BRANCH_STACK &&
			      made->attr.branch_sample_type & PD_BRANCH_HW_INDEX,
	};
	f->usable =
		f->tid_at && f->time_at && f->cpu_at && f->period_at && !(type & PD_SAMPLE_READ);
}

/* The place of RAW in a record: behind the call chain. 0: the record is too short. */
static u32 raw_place(const struct offcpu_sample *f, const u8 *record, u32 size)
{
	u64 nr;

	if (!f->has_chain)
		return f->chain_at;
	if (size < f->chain_at + 8)
		return 0;
	nr = get_u64(record + f->chain_at, false);
	if (nr > (size - f->chain_at - 8) / 8)
		return 0;
	return f->chain_at + 8 + (u32)nr * 8;
}

/* How the thread leaves, by prev_state. */
static enum pd_offcpu state_in(const struct offcpu_sample *f, struct span record)
{
	u32 raw = f->has_raw ? raw_place(f, record.p, (u32)record.n) : 0;
	size_t at = (size_t)raw + 4 + f->state_at;

	if (!raw || !f->state_size || at + f->state_size > record.n)
		return PD_OFFCPU_ASLEEP;
	return pd_offcpu_of(f->state_size == 8 ? get_u64(record.p + at, false)
					       : get_u32(record.p + at, false));
}

bool offcpu_sample_head(const struct offcpu_sample *f, struct span record, struct offcpu_head *ret)
{
	u64 ids;

	if (!f->usable || record.n < f->chain_at)
		return false;
	ids = get_u64(record.p + f->tid_at, false);
	ret->pid = (u32)ids;
	ret->tid = (u32)(ids >> 32);
	ret->time = get_u64(record.p + f->time_at, false);
	ret->cpu = get_u32(record.p + f->cpu_at, false);
	ret->how = state_in(f, record);
	return true;
}

/* The fields up to the call chain, which is empty, behind a header. Returns how many words. */
static size_t fill_first(const struct offcpu_sample *f, const struct offcpu_head *head, u64 ip,
			 u64 ns, u64 *words)
{
	const struct {
		u64 field, value;
	} values[] = { { PD_SAMPLE_IDENTIFIER, PD_OFFCPU_ID + (u64)head->how },
		       { PD_SAMPLE_IP, ip },
		       { PD_SAMPLE_TID, head->pid | (u64)head->tid << 32 },
		       { PD_SAMPLE_TIME, head->time },
		       { PD_SAMPLE_CPU, head->cpu },
		       { PD_SAMPLE_PERIOD, ns } };
	size_t nr = 1;

	for (size_t i = 0; i < ARRAY_SIZE(first_fields); i++) {
		if (!(f->made_type & first_fields[i]))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(values); k++)
			if (values[k].field == first_fields[i])
				words[nr] = values[k].value;
		nr++;
	}
	return nr + !!(f->made_type & PD_SAMPLE_CALLCHAIN);
}

static u64 header_word(size_t size)
{
	return PD_RECORD_SAMPLE | (u64)PD_CPUMODE_USER << 32 | (u64)size << 48;
}

/* A sample without a stack. */
static void put_bare(const struct offcpu_sample *f, struct wbuf *out,
		     const struct offcpu_head *head, u64 ns)
{
	u64 words[40] = { 0 };
	size_t nr = fill_first(f, head, 0, ns, words);

	nr += (size_t)__builtin_popcountll(f->made_type & LATER_FIELDS) + f->has_hw_idx;
	words[0] = header_word(nr * 8);
	wb_mem(out, words, nr * 8);
}

void offcpu_sample_put_looked(const struct offcpu_sample *f, struct wbuf *out,
			      const struct offcpu_head *head, u64 ns,
			      const struct late_stack *looked)
{
	u64 words[40] = { 0 };
	size_t nr = fill_first(f, head, looked->pc, ns, words);

	words[nr++] = looked->abi;
	/* the program counter has the highest number, the stack pointer the one before */
	for (u64 left = f->made_regs; left; left &= left - 1)
		words[nr++] = !(left & (left - 1))              ? looked->pc
			      : __builtin_popcountll(left) == 2 ? looked->sp
								: 0;
	words[nr++] = looked->n;
	words[0] = header_word(nr * 8 + looked->n + 8);
	wb_mem(out, words, nr * 8);
	wb_mem(out, looked->bytes, looked->n);
	wb_u64(out, looked->n);
}

void offcpu_sample_put(const struct offcpu_sample *f, struct wbuf *out, const u8 *record,
		       const struct offcpu_head *head, u64 ns)
{
	u32 size = record ? get_u16(record + 6, false) : 0, raw, skip = 0;
	u8 *p;

	raw = record ? raw_place(f, record, size) : 0;
	if (raw && f->has_raw)
		skip = size >= raw + 4 ? 4 + get_u32(record + raw, false) : UINT32_MAX;
	if (!raw || skip > size - raw) {
		put_bare(f, out, head, ns);
		return;
	}
	p = wb_add(out, size - skip);
	memcpy(p, record, raw);
	memcpy(p + raw, record + raw + skip, size - raw - skip);
	memcpy(p + 6, &(u16){ (u16)(size - skip) }, 2);
	memcpy(p + 8, &(u64){ PD_OFFCPU_ID + (u64)head->how }, 8);
	memcpy(p + f->time_at, &head->time, 8);
	memcpy(p + f->cpu_at, &head->cpu, 4);
	memcpy(p + f->period_at, &ns, 8);
}
