/* SPDX-License-Identifier: MIT */
/* Names made from attrs, as perf 7.2.13 evlist printed them for files with one such attr each. */
#include "fileformat/event_name.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/frame/unit.h"

#define BIT(flag) (1ull << PD_ATTR_##flag)

static void check_name_of(enum text_format format, u32 type, u64 config, u64 flags,
			  const char *want)
{
	struct pd_attr a = { .type = type, .config = config, .flags = flags };
	char *name = pd_attr_name(&a, format);

	CHECK_STR(name, want);
	free(name);
}

static void check_name(u32 type, u64 config, u64 flags, const char *want)
{
	check_name_of(TEXT_PERF_7_2, type, config, flags, want);
}

TEST(perf_6_1)
{
	u64 no_user = BIT(EXCLUDE_USER), no_guest = BIT(EXCLUDE_GUEST);
	u64 no_host = BIT(EXCLUDE_HOST);
	u64 all_rings = no_user | BIT(EXCLUDE_KERNEL) | BIT(EXCLUDE_HV);

	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, 0, "cycles:HG");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, no_guest, "cycles");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, no_host, "cycles:G");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, no_user, "cycles:kh");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, no_user | no_guest, "cycles:khH");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, no_user | no_host, "cycles:khG");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, all_rings, "cycles");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_HARDWARE, 0, all_rings | no_guest, "cycles:H");
	check_name_of(TEXT_PERF_6_1, PD_TYPE_SOFTWARE, 10, no_guest, "unknown-software");
	check_name_of(TEXT_PERF_6_1, 9, 1, 0, "unknown attr type: 9");
}

TEST(hardware)
{
	check_name(PD_TYPE_HARDWARE, 0, 0, "cycles");
	check_name(PD_TYPE_HARDWARE, 4, 0, "branches");
	check_name(PD_TYPE_HARDWARE, 9, 0, "ref-cycles");
	check_name(PD_TYPE_HARDWARE, 10, 0, "unknown-hardware");
	check_name(PD_TYPE_HARDWARE, 0xffff, BIT(EXCLUDE_GUEST), "unknown-hardware:H");
}

TEST(hardware_of_a_hybrid_cpu)
{
	check_name(PD_TYPE_HARDWARE, 0xa00000001, 0, "cpu/instructions/");
	check_name(PD_TYPE_HARDWARE, 0x400000000, BIT(EXCLUDE_KERNEL) | BIT(EXCLUDE_HV),
		   "cpu/cycles/:u");
}

TEST(software)
{
	check_name(PD_TYPE_SOFTWARE, 0, 0, "cpu-clock");
	check_name(PD_TYPE_SOFTWARE, 9, 0, "dummy");
	check_name(PD_TYPE_SOFTWARE, 12, 0, "unknown-software");
	check_name(PD_TYPE_SOFTWARE, 1ull << 32, 0, "unknown-software");
	/* perf 7.2 says unknown-software here: KNOWN-DIFFERENCES.md */
	check_name(PD_TYPE_SOFTWARE, 10, 0, "bpf-output");
	check_name(PD_TYPE_SOFTWARE, 11, 0, "cgroup-switches");
}

TEST(cache)
{
	check_name(PD_TYPE_HW_CACHE, 0, 0, "L1-dcache-loads");
	check_name(PD_TYPE_HW_CACHE, 0x10000, 0, "L1-dcache-load-misses");
	check_name(PD_TYPE_HW_CACHE, 0x10201, BIT(EXCLUDE_HOST), "L1-icache-prefetch-misses:G");
	check_name(PD_TYPE_HW_CACHE, 0x102, 0, "LLC-stores");
	check_name(PD_TYPE_HW_CACHE, 5, 0, "branch-loads");
	check_name(PD_TYPE_HW_CACHE, 0x10206, 0, "node-prefetch-misses");
	check_name(PD_TYPE_HW_CACHE, 0x101, 0, "invalid-cache");
	check_name(PD_TYPE_HW_CACHE, 0x104, 0, "invalid-cache");
	check_name(PD_TYPE_HW_CACHE, 7, 0, "unknown-ext-hardware-cache-type");
	check_name(PD_TYPE_HW_CACHE, 0x20305, 0, "unknown-ext-hardware-cache-op");
	check_name(PD_TYPE_HW_CACHE, 0x20101, 0, "unknown-ext-hardware-cache-result");
}

TEST(raw_and_pmu)
{
	check_name(PD_TYPE_RAW, 0, 0, "raw 0x0");
	check_name(PD_TYPE_RAW, 0x1a2, BIT(EXCLUDE_USER) | BIT(EXCLUDE_HV), "raw 0x1a2:k");
	check_name(8, 0, BIT(EXCLUDE_USER), "unknown event PMU=8 config=0");
	check_name(1000, 0x300, 0, "unknown event PMU=1000 config=0x300");
	check_name(UINT32_MAX, 1, 0, "unknown event PMU=-1 config=0x1");
}

/* perf 7.2 says (null) for config 10 on x86, and for those it does not know. */
TEST(events_of_perf_itself)
{
	check_name(UINT32_MAX - 1, 1, 0, "duration_time");
	check_name(UINT32_MAX - 1, 3, BIT(EXCLUDE_USER), "system_time");
	check_name(UINT32_MAX - 1, 10, 0, "slots");
	check_name(UINT32_MAX - 1, 14, 0, "target_cpu");
	check_name(UINT32_MAX - 1, 0, 0, "unknown event PMU=-2 config=0");
	check_name(UINT32_MAX - 1, 15, 0, "unknown event PMU=-2 config=0xf");
	check_name_of(TEXT_PERF_6_1, UINT32_MAX - 1, 1, 0, "unknown attr type: -2");
}

TEST(tracepoint)
{
	check_name(PD_TYPE_TRACEPOINT, 0, BIT(EXCLUDE_USER), "unknown tracepoint id=0");
	check_name(PD_TYPE_TRACEPOINT, 0x187, 0, "unknown tracepoint id=0x187");
}

TEST(breakpoint)
{
	static const char *const access[] = { "", "r", "w", "rw", "x", "rx", "wx", "rwx", "" };
	struct pd_attr a = { .type = PD_TYPE_BREAKPOINT, .config1 = 0x1000, .config2 = 4 };
	char want[32], *name;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(access); i++) {
		a.bp_type = i;
		name = pd_attr_name(&a, TEXT_PERF_7_2);
		snprintf(want, sizeof(want), "mem:0x1000:%s", access[i]);
		CHECK_STR(name, want);
		free(name);
	}
	a.config1 = 0;
	a.bp_type = 0;
	a.flags = 3ull << PD_ATTR_PRECISE_IP;
	name = pd_attr_name(&a, TEXT_PERF_7_2);
	CHECK_STR(name, "mem:0x0::ppp");
	free(name);
}

TEST(modifiers)
{
	u64 user = BIT(EXCLUDE_KERNEL) | BIT(EXCLUDE_HV);

	check_name(0, 0, BIT(EXCLUDE_USER), "cycles:kh");
	check_name(0, 0, BIT(EXCLUDE_KERNEL), "cycles:uh");
	check_name(0, 0, BIT(EXCLUDE_HV), "cycles:ku");
	check_name(0, 0, BIT(EXCLUDE_USER) | BIT(EXCLUDE_KERNEL), "cycles:h");
	check_name(0, 0, user, "cycles:u");
	check_name(0, 0, user | BIT(EXCLUDE_USER), "cycles");
	check_name(0, 0, BIT(EXCLUDE_HOST) | BIT(EXCLUDE_GUEST), "cycles");
	check_name(0, 0, 1ull << PD_ATTR_PRECISE_IP, "cycles:p");
	check_name(0, 0, user | BIT(EXCLUDE_GUEST) | 2ull << PD_ATTR_PRECISE_IP, "cycles:uppH");
	check_name(0, 0, BIT(PINNED) | BIT(EXCLUSIVE) | BIT(EXCLUDE_IDLE), "cycles");
}
