/* SPDX-License-Identifier: MIT */
#include "tests/fileformat/use_sample.h"

struct sample_parts sample_parts_full(void)
{
	return (struct sample_parts){
		.misc = PD_CPUMODE_USER | PD_MISC_EXACT_IP,
		.ip = 0x0102030405060708,
		.time = 0x1112131415161718,
		.addr = 0x2122232425262728,
		.id = 0x3132333435363738,
		.stream_id = 0x4142434445464748,
		.period = 0x5152535455565758,
		.pid = 0x61626364,
		.tid = 0x65666768,
		.cpu = 0x71727374,
		.read = read_words,
		.nr_read = 4,
		.ips = chain,
		.nr_ips = 4,
		.raw = "raw bytes 12",
		.raw_size = 12,
		.branches = branch_words,
		.nr_branches = 2,
		.branch_hw_idx = 0x8182838485868788,
		.branch_counters = counter_words,
		.user_abi = 2,
		.intr_abi = 1,
		.user_regs = user_regs,
		.intr_regs = intr_regs,
		.stack = "0123456789abcdef",
		.stack_size = 16,
		.stack_dyn_size = 10,
		.weight = 0x0003000200000001,
		.data_src = 0x9192939495969798,
		.transaction = 0xa1a2a3a4a5a6a7a8,
		.phys_addr = 0xb1b2b3b4b5b6b7b8,
		.cgroup = 0xc1c2c3c4c5c6c7c8,
		.data_page_size = 4096,
		.code_page_size = 0x200000,
		.aux = "auxdata8",
		.aux_size = 8,
	};
}

struct pd_event event_of_type(u64 sample_type)
{
	struct pd_event ev = { .attr = {
				       .size = 144,
				       .sample_type = sample_type,
				       .sample_period_or_freq = 4321,
				       .read_format = PD_FORMAT_TOTAL_TIME_ENABLED |
						      PD_FORMAT_TOTAL_TIME_RUNNING | PD_FORMAT_ID,
				       .branch_sample_type =
					       PD_BRANCH_HW_INDEX | PD_BRANCH_COUNTERS,
				       .sample_regs_user = 1ull << 63 | 1ull << 8 | 1,
				       .sample_regs_intr = 0x30,
				       .flags = 1ull << PD_ATTR_SAMPLE_ID_ALL,
			       } };

	pd_event_prepare(&ev);
	return ev;
}
