/* SPDX-License-Identifier: MIT */
/*
 * One record's decoders under any attr. Input: u8 options (bit 0: other byte order), u8 record
 * type, u16 misc, u64 sample_type, read_format, branch_sample_type, sample_regs_user,
 * sample_regs_intr, then the record's body.
 */
#include <stdlib.h>

#include "tests/frame/decode_all.h"

#define HEAD 44
#define MAX_RECORD 65535

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct pd_event ev = { 0 }, *events[1] = { &ev };
	struct perfdata pd = { .events = events, .nr_events = 1 };
	struct decoded d = { 0 };
	struct pd_record r = { 0 };
	u8 *copy;

	if (size < HEAD || size - HEAD + 8 > MAX_RECORD)
		return 0;
	pd.swap = data[0] & 1;
	ev.attr.sample_type = get_u64(data + 4, false);
	ev.attr.read_format = get_u64(data + 12, false);
	ev.attr.branch_sample_type = get_u64(data + 20, false);
	ev.attr.sample_regs_user = get_u64(data + 28, false);
	ev.attr.sample_regs_intr = get_u64(data + 36, false);
	if (data[0] & 2)
		ev.attr.flags = 1ull << PD_ATTR_SAMPLE_ID_ALL;
	pd_event_prepare(&ev);
	r.type = data[1];
	r.misc = get_u16(data + 2, false);
	r.size = (u32)(size - HEAD + 8);
	/* a block of exactly the record's size, so that a read past its end is seen */
	copy = malloc(r.size);
	if (!copy)
		return 0;
	memset(copy, 0, 8);
	memcpy(copy + 8, data + HEAD, size - HEAD);
	r.data = copy;
	decode_record(&pd, &r, &d);
	free(copy);
	return 0;
}
