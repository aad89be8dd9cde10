/* SPDX-License-Identifier: MIT */
/* Lines of events in the printed header. */
#include "tests/frame/feature_all.h"

#include "report/text/attr_text.h"
#include "tests/fileformat/feature/use_feature.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

TEST(event_lines)
{
	struct bytes b = bytes_new(true);

	put_payload(&b, PD_FEAT_EVENT_DESC);
	b.n -= 8 + 64 + 4 + 4; /* an id, a string and both counts: the second event has no end */
	feature_check_text(
		PD_FEAT_EVENT_DESC, &b, false,
		"# event : name = first, , id = { 101 }, type = 1 (PERF_TYPE_SOFTWARE), "
		"size = 128, config = 0 (PERF_COUNT_SW_CPU_CLOCK), "
		"{ sample_period, sample_freq } = 4000, "
		"sample_type = IP|TID|TIME|CALLCHAIN|PERIOD|IDENTIFIER, read_format = ID, "
		"mmap = 1, comm = 1, freq = 1, task = 1, sample_id_all = 1, mmap2 = 1\n"
		"# EVENT_DESC cannot be read: ends inside item 2 of 2\n");
}

/* Every field at once; the text is perf 7.2.13's for the same attr. */
TEST(event_line_of_a_full_attr)
{
	struct pd_attr a = {
		.type = PD_TYPE_HW_CACHE,
		.size = 144,
		.config = 0x10201,
		.sample_period_or_freq = 99,
		.sample_type = (1 << 25) - 1,
		.read_format = 31,
		.flags = ((1ull << 40) - 1) & ~(1ull << PD_ATTR_PRECISE_IP),
		.wakeup_events_or_watermark = 7,
		.bp_type = 3,
		.config1 = 0x1000,
		.config2 = 4,
		.branch_sample_type = (1 << 20) - 1,
		.sample_regs_user = 0xff0fff,
		.sample_stack_user = 8192,
		.clockid = -1,
		.sample_regs_intr = 0xf0,
		.aux_watermark = 5,
		.sample_max_stack = 6,
		.aux_sample_size = 7,
		.aux_action = 7,
		.sig_data = 9,
		.config3 = 10,
		.config4 = 11,
	};
	struct bytes b = bytes_new(true);
	u64 id;

	put_u32(&b, 1);
	put_u32(&b, a.size);
	put_attr(&b, &a);
	put_u32(&b, 3);
	put_string(&b, "all");
	for (id = 1; id <= 3; id++)
		put_u64(&b, id);
	feature_check_text(
		PD_FEAT_EVENT_DESC, &b, false,
		"# event : name = all, , id = { 1, 2, 3 }, type = 3 (PERF_TYPE_HW_CACHE), "
		"size = 144, config = 0x10201 (PERF_COUNT_HW_CACHE_RESULT_MISS | "
		"PERF_COUNT_HW_CACHE_OP_PREFETCH | PERF_COUNT_HW_CACHE_L1I), "
		"{ sample_period, sample_freq } = 99, sample_type = IP|TID|TIME|ADDR|READ|"
		"CALLCHAIN|ID|CPU|PERIOD|STREAM_ID|RAW|BRANCH_STACK|REGS_USER|STACK_USER|"
		"IDENTIFIER|REGS_INTR|DATA_SRC|WEIGHT|PHYS_ADDR|AUX|CGROUP|DATA_PAGE_SIZE|"
		"CODE_PAGE_SIZE|WEIGHT_STRUCT, read_format = TOTAL_TIME_ENABLED|"
		"TOTAL_TIME_RUNNING|ID|GROUP|LOST, disabled = 1, inherit = 1, pinned = 1, "
		"exclusive = 1, exclude_user = 1, exclude_kernel = 1, exclude_hv = 1, "
		"exclude_idle = 1, mmap = 1, comm = 1, freq = 1, inherit_stat = 1, "
		"enable_on_exec = 1, task = 1, watermark = 1, precise_ip = 2, mmap_data = 1, "
		"sample_id_all = 1, exclude_host = 1, exclude_guest = 1, "
		"exclude_callchain_kernel = 1, exclude_callchain_user = 1, mmap2 = 1, "
		"comm_exec = 1, use_clockid = 1, context_switch = 1, write_backward = 1, "
		"namespaces = 1, ksymbol = 1, bpf_event = 1, aux_output = 1, cgroup = 1, "
		"text_poke = 1, build_id = 1, inherit_thread = 1, remove_on_exec = 1, "
		"sigtrap = 1, defer_callchain = 1, defer_output = 1, "
		"{ wakeup_events, wakeup_watermark } = 7, bp_type = 3, "
		"{ bp_addr, config1 } = 0x1000, { bp_len, config2 } = 0x4, "
		"branch_sample_type = USER|KERNEL|HV|ANY|ANY_CALL|ANY_RETURN|IND_CALL|ABORT_TX|"
		"IN_TX|NO_TX|COND|CALL_STACK|IND_JUMP|CALL|NO_FLAGS|NO_CYCLES|TYPE_SAVE|HW_INDEX|"
		"PRIV_SAVE|COUNTERS, sample_regs_user = 0xff0fff, sample_stack_user = 8192, "
		"clockid = -1, sample_regs_intr = 0xf0, aux_watermark = 5, sample_max_stack = 6, "
		"aux_sample_size = 7, sig_data = 9, aux_start_paused = 1, aux_pause = 1, "
		"aux_resume = 1\n");
}

static void check_attr_line(const struct pd_attr *a, const char *name, const char *want)
{
	struct bytes b = bytes_new(false);
	struct attr_text t;
	struct feature_file f;
	struct out o;
	char *text;

	put_u32(&b, 2);
	put_u32(&b, 4);
	put_string(&b, "cpu_core");
	put_u32(&b, 8);
	put_string(&b, "intel_pt");
	feature_file_init(&f, bytes_swapped(&b));
	feature_file_set(&f, PD_FEAT_PMU_MAPPINGS, bytes_span(&b));
	attr_text_init(&t, &f.pd);
	out_init_mem(&o);
	attr_text_print(&t, &o, a, name, ATTR_EVLIST);
	text = xstrndup(o.buf, o.len);
	CHECK_STR(text, want);
	free(text);
	out_fini(&o);
	attr_text_fini(&t);
	feature_file_fini(&f);
	bytes_free(&b);
}

/* Names in parentheses come from the file. */
TEST(attr_names_of_pmus_and_tracepoints)
{
	struct pd_attr a = { .type = 8, .size = 64, .config = 0x300 };

	check_attr_line(&a, "x", " type: 8 (intel_pt), size: 64, config: 0x300");
	a.type = 9;
	check_attr_line(&a, "x", " type: 9, size: 64, config: 0x300");
	a.type = PD_TYPE_RAW;
	check_attr_line(&a, NULL, " type: 4 (cpu_core), size: 64, config: 0x300");
	a.type = PD_TYPE_HARDWARE;
	a.config = 0x400000001;
	check_attr_line(&a, NULL,
			" type: 0 (PERF_TYPE_HARDWARE), size: 64, "
			"config: 0x400000001 (cpu_core/PERF_COUNT_HW_INSTRUCTIONS/)");
	a.type = PD_TYPE_TRACEPOINT;
	a.config = 7;
	check_attr_line(&a, "sched:sched_switch:u",
			" type: 2 (PERF_TYPE_TRACEPOINT), size: 64, "
			"config: 0x7 (sched:sched_switch)");
	check_attr_line(&a, "mine", " type: 2 (PERF_TYPE_TRACEPOINT), size: 64, config: 0x7");
}

/* perf prints what its buffer held before, a number or the names of another field. */
TEST(attr_fields_of_unknown_bits_only)
{
	struct pd_attr a = { .type = PD_TYPE_TRACEPOINT, .size = 144, .config = 7 };

	a.sample_type = 1ull << 40;
	check_attr_line(&a, NULL,
			" type: 2 (PERF_TYPE_TRACEPOINT), size: 144, config: 0x7, "
			"sample_type: 0x10000000000");
	a.sample_type = 0;
	a.read_format = 1ull << 41;
	check_attr_line(&a, NULL,
			" type: 2 (PERF_TYPE_TRACEPOINT), size: 144, config: 0x7, "
			"read_format: 0x20000000000");
	a.read_format = 0;
	a.branch_sample_type = 1ull << 42;
	check_attr_line(&a, NULL,
			" type: 2 (PERF_TYPE_TRACEPOINT), size: 144, config: 0x7, "
			"branch_sample_type: 0x40000000000");
}

/* perf does not swap it: 16777216. */
TEST(clockid_of_the_other_byte_order)
{
	struct pd_attr a = attr_plain();
	struct bytes b = bytes_new(true);
	char *text;

	a.flags |= 1ull << PD_ATTR_USE_CLOCKID;
	a.clockid = 1;
	put_u32(&b, 1);
	put_u32(&b, a.size);
	put_attr(&b, &a);
	put_u32(&b, 0);
	put_string(&b, "x");
	text = feature_text_of(PD_FEAT_EVENT_DESC, &b, false);
	CHECK(strstr(text, ", clockid = 1\n"));
	free(text);
	bytes_free(&b);
}
