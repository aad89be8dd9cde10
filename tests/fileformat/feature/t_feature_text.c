/* SPDX-License-Identifier: MIT */
/* The printed header: every section in both byte orders, damaged ones, lists that are empty. */
#include "tests/frame/feature_all.h"

#include <stdio.h>

#include "fileformat/feature/feature_topology.h"
#include "tests/fileformat/feature/use_feature.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* What perf 7.2.13 printed for the same sections (event lines and dates apart). */
static const char full_text[] =
	"# hostname : host\n"
	"# nrcpus online : 2\n"
	"# nrcpus avail : 2\n"
	"# total memory : 12345678901 kB\n"
	"# cmdline : /usr/bin/perf record it\\'s  \n"
	"# sibling sockets : 0-1\n"
	"# sibling dies    : 0\n"
	"# sibling dies    : 1\n"
	"# sibling threads : 0\n"
	"# sibling threads : 1\n"
	"# CPU 0: Core ID 0, Die ID 3, Socket ID 0\n"
	"# CPU 1: Core ID 1, Die ID 4, Socket ID -1\n"
	"# node0 meminfo  : total = 100 kB, free = 50 kB\n"
	"# node0 cpu list : 0-1,3\n"
	"# node5 meminfo  : total = 1099511627776 kB, free = 0 kB\n"
	"# node5 cpu list : -1\n"
	"# contains samples with branch stack\n"
	"# pmu mappings: software = 1, tool = 4294967294\n"
	"# contains AUX area data (e.g. instruction trace)\n"
	"# contains stat data\n"
	"# CPU cache info:\n"
	"#  L1 Data                 32K [0]\n"
	"#  L10 Unified            8192K [0-3,5]\n"
	"# time of first sample : 1.500000\n"
	"# time of last sample : 2.600123\n"
	"# sample duration :   1100.123 ms\n"
	"# memory nodes (nr 2, block size 0x8000000):\n"
	"#    0 [1152M]: 0-7,94\n"
	"#    1 [256M]: 0,2\n"
	"# clockid frequency: 1000 MHz\n"
	"# directory data version : 1\n"
	"# bpf_prog_info 3: bpf_prog_0123456789abcdef_one addr 0x1000 size 10\n"
	"# bpf_prog_info 77:\n"
	"# \tsub_prog 0: bpf_prog_0123456789abcdef_mainf addr 0x1000 size 10\n"
	"# \tsub_prog 1: bpf_prog_0123456789abcdef_subf addr 0x2000 size 20\n"
	"# btf info of id 5\n"
	"# btf info of id 9\n"
	"# compressed : Zstd, level = 3, ratio = 5\n"
	"# cpu pmu capabilities: a=1, b=\n"
	"# clockid: monotonic_raw (4)\n"
	"# reference time: 2023-11-14 22:13:20.123456 = 1700000000.123456 (TOD) = 5.000000123 "
	"(monotonic_raw)\n"
	"# hybrid cpu system:\n"
	"# cpu_core cpu list : 0-15\n"
	"# cpu_core pmu capabilities: x=y\n"
	"# cpu_atom pmu capabilities: not available\n"
	"# schedstat version\t: 17\n"
	"# Maximum sched domains\t: 1\n"
	"# cpu\t\t: 0\n"
	"# nr_domains\t: 1\n"
	"# Domain\t\t: 0\n"
	"# Domain name      : SMT\n"
	"# Domain cpu map   : 3\n"
	"# Domain cpu list  : 0-1\n"
	"# cpu\t\t: 1\n"
	"# nr_domains\t: 0\n"
	"# e_machine : 40\n"
	"#   e_flags : 83887104\n"
	"# cacheline size: 64\n"
	"# missing features: TRACING_DATA BUILD_ID OSRELEASE VERSION ARCH CPUDESC CPUID EVENT_DESC "
	"GROUP_DESC \n"
	"# ========\n#\n";

static void check_full_text(bool big)
{
	struct bytes payloads[PD_FEAT_END];
	struct feature_file f;
	unsigned int bit;
	char *text;

	feature_use_utc();
	payloads[0] = bytes_new(big);
	feature_file_init(&f, bytes_swapped(&payloads[0]));
	for (bit = 0; bit < PD_FEAT_END; bit++) {
		payloads[bit] = bytes_new(big);
		if (bit == PD_FEAT_TRACING_DATA || bit == PD_FEAT_BUILD_ID ||
		    bit == PD_FEAT_EVENT_DESC || bit == PD_FEAT_GROUP_DESC)
			continue;
		if (put_payload(&payloads[bit], bit))
			feature_file_set(&f, bit, bytes_span(&payloads[bit]));
	}
	text = feature_file_text(&f, true);
	CHECK_STR(features_of_text(text), full_text);
	free(text);
	feature_file_fini(&f);
	for (bit = 0; bit < PD_FEAT_END; bit++)
		bytes_free(&payloads[bit]);
}

TEST(header_text_little_endian)
{
	check_full_text(false);
}

TEST(header_text_big_endian)
{
	check_full_text(true);
}

TEST(long_sections_are_named_only)
{
	struct bytes b = bytes_new(false);

	put_payload(&b, PD_FEAT_CACHE);
	feature_check_text(PD_FEAT_CACHE, &b, false, "# CACHE info available, use -I to display\n");
}

TEST(damaged_section_is_told)
{
	struct bytes b = bytes_new(false);

	put_u32(&b, 2);
	put_numa_node(&b, 0, 1, 1, "0");
	feature_check_text(PD_FEAT_NUMA_TOPOLOGY, &b, true,
			   "# node0 meminfo  : total = 1 kB, free = 1 kB\n# node0 cpu list : 0\n"
			   "# NUMA_TOPOLOGY cannot be read: ends inside item 2 of 2\n");
}

static void check_cpu_list(const char *list, const char *want)
{
	struct bytes b = bytes_new(false);
	char line[200];

	put_u32(&b, 1);
	put_numa_node(&b, 0, 1, 1, list);
	snprintf(line, sizeof(line),
		 "# node0 meminfo  : total = 1 kB, free = 1 kB\n# node0 cpu list : %s\n", want);
	feature_check_text(PD_FEAT_NUMA_TOPOLOGY, &b, true, line);
}

TEST(numa_cpu_lists_are_normalised)
{
	check_cpu_list("0,1,2", "0-2");
	check_cpu_list("5", "5");
	check_cpu_list("0-3,4-7", "0-7");
	check_cpu_list("3,1,2", "1-3");
	check_cpu_list("0-5,2-3,8", "0-5,8");
	check_cpu_list("", "-1");
	/* perf refuses the file or guesses; the text is shown as it is */
	check_cpu_list("abc", "abc");
	check_cpu_list("0-", "0-");
	check_cpu_list("3-1", "3-1");
	check_cpu_list("1,,2", "1,,2");
	check_cpu_list("1,", "1,");
	check_cpu_list("99999999999", "99999999999");
}

static void check_memory(u64 bits, u64 block_size, const char *want)
{
	struct bytes b = bytes_new(false);
	char line[200];
	u64 i;

	put_u64(&b, 1);
	put_u64(&b, block_size);
	put_u64(&b, 1);
	put_u64(&b, 1234);
	put_u64(&b, bits);
	put_u64(&b, bits);
	for (i = 0; i < bits; i += 64)
		put_u64(&b, bits - i >= 64 ? UINT64_MAX : (1ull << (bits - i)) - 1);
	snprintf(line, sizeof(line), "# memory nodes (nr 1, block size 0x%llx):\n#  1234 %s\n",
		 (unsigned long long)block_size, want);
	feature_check_text(PD_FEAT_MEM_TOPOLOGY, &b, true, line);
}

TEST(memory_sizes)
{
	check_memory(1, 1, "[1B]: 0");
	check_memory(2, 0x400, "[2K]: 0-1");
	check_memory(3, 0x200, "[1536B]: 0-2");
	check_memory(64, 1ull << 40, "[65536G]: 0-63");
	check_memory(2000, 1ull << 40, "[2048000G]: 0-1999");
}

TEST(empty_lists)
{
	struct bytes b = bytes_new(false);

	put_u32(&b, 0);
	feature_check_text(PD_FEAT_PMU_MAPPINGS, &b, true, "# pmu mappings: not available\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	feature_check_text(PD_FEAT_BPF_PROG_INFO, &b, true, "# bpf_prog_info empty\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	feature_check_text(PD_FEAT_BPF_BTF, &b, true, "# btf info empty\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	feature_check_text(PD_FEAT_CPU_PMU_CAPS, &b, true,
			   "# cpu pmu capabilities: not available\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	feature_check_text(PD_FEAT_PMU_CAPS, &b, true, "");
}

TEST(old_cpu_topology)
{
	struct bytes b = bytes_new(true);
	struct pd_cpu_topology t;

	put_topology(&b);
	CHECK_EQ(pd_feature_cpu_topology(bytes_span(&b), bytes_swapped(&b), 2, &t, NULL), 0);
	CHECK_EQ(t.cores.nr, 2);
	CHECK_EQ(t.core_ids.n, 0);
	put_core_ids(&b);
	CHECK_EQ(pd_feature_cpu_topology(bytes_span(&b), bytes_swapped(&b), 2, &t, NULL), 0);
	CHECK_EQ(t.core_ids.n, 16);
	CHECK_EQ(t.die_ids.n, 0);
	CHECK_EQ(pd_feature_cpu_topology(bytes_span(&b), bytes_swapped(&b), 3, &t, NULL),
		 PERR_FORMAT);
	bytes_free(&b);
}

/* perf counts on its own padding, 64, and sees no core ids behind strings with less. */
TEST(cpu_topology_of_other_writers)
{
	struct bytes b = bytes_new(false), cpus = bytes_new(false);
	struct feature_file f;
	char *text;
	size_t i;

	for (i = 0; i < 2; i++) {
		put_u32(&b, 1);
		put_u32(&b, 8);
		put_text(&b, "0-1", 8);
	}
	for (i = 0; i < 2; i++) {
		put_u32(&b, (u32)i + 8);
		put_u32(&b, 0);
	}
	put_u32(&cpus, 2);
	put_u32(&cpus, 2);
	feature_file_init(&f, bytes_swapped(&b));
	feature_file_set(&f, PD_FEAT_NRCPUS, bytes_span(&cpus));
	feature_file_set(&f, PD_FEAT_CPU_TOPOLOGY, bytes_span(&b));
	text = feature_file_text(&f, true);
	CHECK(strstr(text, "# sibling threads : 0-1\n"
			   "# CPU 0: Core ID 8, Socket ID 0\n"
			   "# CPU 1: Core ID 9, Socket ID 0\n"));
	free(text);
	feature_file_fini(&f);
	bytes_free(&cpus);
	bytes_free(&b);
}

/* The text of the four sections that perf's note on IBS depends on, after `pmu capabilities`. */
static void check_ibs_note(const char *arch, const char *pmu, const char *max_precise, bool noted)
{
	static const unsigned int bits[] = { PD_FEAT_ARCH, PD_FEAT_PMU_MAPPINGS,
					     PD_FEAT_CPU_PMU_CAPS, PD_FEAT_PMU_CAPS };
	struct bytes b[ARRAY_SIZE(bits)];
	struct feature_file f;
	char *text;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		b[i] = bytes_new(false);
	put_string(&b[0], arch);
	put_u32(&b[1], 1);
	put_u32(&b[1], 11);
	put_string(&b[1], pmu);
	put_u32(&b[2], 1);
	put_string(&b[2], "max_precise");
	put_string(&b[2], max_precise);
	put_u32(&b[3], 1);
	put_u32(&b[3], 1);
	put_string(&b[3], "zen4_ibs_extensions");
	put_string(&b[3], "1");
	put_string(&b[3], pmu);
	feature_file_init(&f, false);
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		feature_file_set(&f, bits[i], bytes_span(&b[i]));
	text = feature_file_text(&f, true);
	CHECK_EQ(!!strstr(text, "zen4_ibs_extensions=1\n# AMD systems uses ibs_op// PMU for some "
				"precise events, e.g.: cycles:p, see the 'perf list' man page for "
				"further details.\n# missing"),
		 noted);
	CHECK_EQ(!!strstr(text, "AMD"), noted);
	free(text);
	feature_file_fini(&f);
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		bytes_free(&b[i]);
}

TEST(amd_has_a_note_on_ibs)
{
	feature_use_utc();
	check_ibs_note("x86_64", "ibs_op", "0", true);
	check_ibs_note("i686", "ibs_op", "0", true);
	check_ibs_note("x86_64", "ibs_op", "2", false);
	check_ibs_note("x86_64", "cpu", "0", false);
	check_ibs_note("aarch64", "ibs_op", "0", false);
}
