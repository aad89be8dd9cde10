/* SPDX-License-Identifier: MIT */
/* Feature sections: in both byte orders, whole, cut at every byte, and with counts that lie. */
#include "tests/frame/feature_all.h"

#include <stdio.h>
#include <unistd.h>

#include "fileformat/feature/feature_bpf.h"
#include "fileformat/feature/feature_pmu.h"
#include "fileformat/feature/feature_topology.h"
#include "report/text/attr_text.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static void put_strings(struct bytes *b, u32 nr, const char *const *s)
{
	u32 i;

	put_u32(b, nr);
	for (i = 0; i < nr; i++)
		put_string(b, s[i]);
}

static bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

/* --- one well-formed payload of each kind ----------------------------------------------------- */

static void put_topology(struct bytes *b)
{
	static const char *const packages[] = { "0-1" }, *const cores[] = { "0", "1" };

	put_strings(b, 1, packages);
	put_strings(b, 2, cores);
}

static void put_core_ids(struct bytes *b)
{
	put_u32(b, 0);
	put_u32(b, 0);
	put_u32(b, 1);
	put_u32(b, UINT32_MAX);
}

static void put_die_ids(struct bytes *b)
{
	static const char *const dies[] = { "0", "1" };

	put_strings(b, 2, dies);
	put_u32(b, 3);
	put_u32(b, 4);
}

static void put_numa_node(struct bytes *b, u32 node, u64 total, u64 free_kb, const char *cpus)
{
	put_u32(b, node);
	put_u64(b, total);
	put_u64(b, free_kb);
	put_string(b, cpus);
}

static void put_mem_node(struct bytes *b, u64 node, u64 bits, u64 w0, u64 w1)
{
	put_u64(b, node);
	put_u64(b, bits);
	put_u64(b, bits);
	put_u64(b, w0);
	if (bits > 64)
		put_u64(b, w1);
}

static void put_build_id(struct bytes *b, u16 misc, s32 pid, const u8 *id, u8 size_byte,
			 const char *name)
{
	record_begin(b, 0, misc);
	put_u32(b, (u32)pid);
	put_mem(b, id, 20);
	put_u8(b, size_byte);
	put_fill(b, 0, 3);
	put_text(b, name, 8);
	record_end(b);
}

/* A BTF blob of two functions, each behind its prototype: types 2 and 4. */
static void put_btf_blob(struct bytes *b)
{
	static const char strings[] = "\0mainf\0subf";
	size_t types;

	put_u16(b, 0xeb9f);
	put_u8(b, 1);
	put_u8(b, 0);
	put_u32(b, 24);
	put_u32(b, 0);
	put_u32(b, 4 * 12);
	put_u32(b, 4 * 12);
	put_u32(b, sizeof(strings));
	for (types = 0; types < 2; types++) {
		put_u32(b, 0);
		put_u32(b, 13u << 24);
		put_u32(b, 0);
		put_u32(b, types ? 7 : 1);
		put_u32(b, 12u << 24);
		put_u32(b, 1);
	}
	put_mem(b, strings, sizeof(strings));
}

/* A program of nr functions at 0x1000, 0x2000, ...; func_info points into put_btf_blob. */
static void put_bpf_prog(struct bytes *b, u32 id, u32 nr, u32 btf_id, const char *name)
{
	char text[16] = { 0 };
	size_t info, i;

	snprintf(text, sizeof(text), "%s", name);
	put_u32(b, 224);
	put_u32(b, nr * (8 + 8 + 4 + 8));
	put_u64(b, 1u << 3 | 1u << 4 | 1u << 5 | 1u << 8);
	info = b->n;
	put_fill(b, 0, 224);
	set_u32(b, info + 4, id);
	memcpy(b->p + info + 8, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
	memcpy(b->p + info + 64, text, sizeof(text));
	set_u32(b, info + 104, nr); /* jited_ksyms: {u64 addr} */
	set_u64(b, info + 112, 0);
	set_u32(b, info + 136 + 8, nr); /* func_info: {u32 insn, u32 type} */
	set_u32(b, info + 132, 8);
	set_u64(b, info + 136, nr * 8);
	set_u32(b, info + 180, nr); /* prog_tags */
	set_u64(b, info + 184, nr * 16);
	set_u32(b, info + 108, nr); /* jited_func_lens */
	set_u64(b, info + 120, nr * 24);
	set_u32(b, info + 128, btf_id);
	for (i = 0; i < nr; i++)
		put_u64(b, 0x1000 * (i + 1));
	for (i = 0; i < nr; i++) {
		put_u32(b, 0);
		put_u32(b, 2 * (u32)(i + 1));
	}
	for (i = 0; i < nr; i++)
		put_mem(b, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8);
	for (i = 0; i < nr; i++)
		put_u32(b, 10 * (u32)(i + 1));
}

static void put_event_desc(struct bytes *b, u32 nr, const u64 *ids, const char *const *names)
{
	struct pd_attr a = attr_plain();
	u32 i;

	put_u32(b, nr);
	put_u32(b, a.size);
	for (i = 0; i < nr; i++) {
		put_attr(b, &a);
		put_u32(b, ids ? 1 : 0);
		put_string(b, names[i]);
		if (ids)
			put_u64(b, ids[i]);
	}
}

static void put_group(struct bytes *b, const char *name, u32 leader, u32 members)
{
	put_string(b, name);
	put_u32(b, leader);
	put_u32(b, members);
}

static void put_format(struct bytes *b, const char *name, u32 id)
{
	char text[400];
	int n = snprintf(text, sizeof(text),
			 "name: %s\nID: %u\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			 "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			 "\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"
			 "\tfield:const char * p;\toffset:32;\tsize:8;\tsigned:0;\n\n"
			 "print fmt: \"field:x; %%s\", REC->prev_comm\n",
			 name, id);

	put_u64(b, (u64)n);
	put_mem(b, text, (size_t)n);
}

static void put_tracing(struct bytes *b)
{
	put_mem(b, "\x17\x08\x44tracing0.6", 14); /* with the NUL of the version */
	put_u8(b, b->big);
	put_u8(b, 8);
	put_u32(b, 4096);
	put_mem(b, "header_page", 12);
	put_u64(b, 3);
	put_mem(b, "abc", 3);
	put_mem(b, "header_event", 13);
	put_u64(b, 0);
	put_u32(b, 0); /* formats of ftrace */
	put_u32(b, 2); /* systems */
	put_mem(b, "sched", 6);
	put_u32(b, 2);
	put_format(b, "sched_switch", 1);
	put_format(b, "sched_wakeup", 2);
	put_mem(b, "empty", 6);
	put_u32(b, 0);
	put_u32(b, 0); /* kallsyms */
	put_u32(b, 0); /* printk formats */
	put_u64(b, 0); /* saved cmdlines */
}

static const u8 some_id[20] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };

/* False for a bit that has no payload to build. */
static bool put_payload(struct bytes *b, unsigned int bit)
{
	static const char *const args[] = { "/usr/bin/perf", "record", "it's", "" };
	static const char *const names[] = { "first", "second" };
	static const u64 ids[] = { 101, 100 };

	switch (bit) {
	case PD_FEAT_TRACING_DATA: put_tracing(b); return true;
	case PD_FEAT_BUILD_ID:
		put_build_id(b, PD_CPUMODE_KERNEL, -1, some_id, 0, "[kernel.kallsyms]");
		put_build_id(b, PD_CPUMODE_USER | PD_MISC_BUILD_ID_SIZE, -1, some_id, 16, "/bin/a");
		return true;
	case PD_FEAT_HOSTNAME: put_string(b, "host"); return true;
	case PD_FEAT_NRCPUS:
		put_u32(b, 2);
		put_u32(b, 2);
		return true;
	case PD_FEAT_TOTAL_MEM: put_u64(b, 12345678901); return true;
	case PD_FEAT_CMDLINE: put_strings(b, 4, args); return true;
	case PD_FEAT_EVENT_DESC: put_event_desc(b, 2, ids, names); return true;
	case PD_FEAT_CPU_TOPOLOGY:
		put_topology(b);
		put_core_ids(b);
		put_die_ids(b);
		return true;
	case PD_FEAT_NUMA_TOPOLOGY:
		put_u32(b, 2);
		put_numa_node(b, 0, 100, 50, "3,0,1");
		put_numa_node(b, 5, 1ull << 40, 0, "");
		return true;
	case PD_FEAT_BRANCH_STACK:
	case PD_FEAT_STAT: return true;
	case PD_FEAT_PMU_MAPPINGS:
		put_u32(b, 2);
		put_u32(b, 1);
		put_string(b, "software");
		put_u32(b, 4294967294);
		put_string(b, "tool");
		return true;
	case PD_FEAT_GROUP_DESC:
		put_u32(b, 2);
		put_group(b, "{anon_group}", 0, 2);
		put_group(b, "mine", 2, 2);
		return true;
	case PD_FEAT_AUXTRACE:
		put_u64(b, 1);
		put_u64(b, 0x100);
		put_u64(b, 0x20);
		return true;
	case PD_FEAT_CACHE:
		put_u32(b, 1);
		put_u32(b, 2);
		for (int i = 0; i < 2; i++) {
			put_u32(b, i ? 10 : 1);
			put_u32(b, 64);
			put_u32(b, 64);
			put_u32(b, 8);
			put_string(b, i ? "Unified" : "Data");
			put_string(b, i ? "8192K" : "32K");
			put_string(b, i ? "0-3,5" : "0");
		}
		return true;
	case PD_FEAT_SAMPLE_TIME:
		put_u64(b, 1500000000);
		put_u64(b, 2600123456);
		return true;
	case PD_FEAT_MEM_TOPOLOGY:
		put_u64(b, 1);
		put_u64(b, 0x8000000);
		put_u64(b, 2);
		put_mem_node(b, 0, 100, 0xff, 1ull << 30);
		put_mem_node(b, 1, 64, 5, 0);
		return true;
	case PD_FEAT_CLOCKID:
	case PD_FEAT_DIR_FORMAT: put_u64(b, 1); return true;
	case PD_FEAT_BPF_PROG_INFO:
		put_u32(b, 2);
		put_bpf_prog(b, 77, 2, 5, "twofuncs");
		put_bpf_prog(b, 3, 1, 0, "one");
		return true;
	case PD_FEAT_BPF_BTF: {
		struct bytes blob = bytes_new(b->big);

		put_btf_blob(&blob);
		put_u32(b, 2);
		put_u32(b, 9);
		put_u32(b, 0);
		put_u32(b, 5);
		put_u32(b, (u32)blob.n);
		put_mem(b, blob.p, blob.n);
		bytes_free(&blob);
		return true;
	}
	case PD_FEAT_COMPRESSED:
		put_u32(b, 0);
		put_u32(b, 1);
		put_u32(b, 3);
		put_u32(b, 5);
		put_u32(b, 528384);
		return true;
	case PD_FEAT_CPU_PMU_CAPS:
		put_u32(b, 2);
		put_string(b, "a");
		put_string(b, "1");
		put_string(b, "b");
		put_string(b, "");
		return true;
	case PD_FEAT_CLOCK_DATA:
		put_u32(b, 1);
		put_u32(b, 4);
		put_u64(b, 1700000000123456789);
		put_u64(b, 5000000123);
		return true;
	case PD_FEAT_HYBRID_TOPOLOGY:
		put_u32(b, 1);
		put_string(b, "cpu_core");
		put_string(b, "0-15");
		return true;
	case PD_FEAT_PMU_CAPS:
		put_u32(b, 2);
		put_u32(b, 1);
		put_string(b, "x");
		put_string(b, "y");
		put_string(b, "cpu_core");
		put_u32(b, 0);
		put_string(b, "cpu_atom");
		return true;
	case PD_FEAT_CPU_DOMAIN_INFO:
		put_u32(b, 17);
		put_u32(b, 1);
		put_u32(b, 0);
		put_u32(b, 1);
		put_u32(b, 0);
		put_string(b, "SMT");
		put_string(b, "3");
		put_string(b, "0-1");
		put_u32(b, 1);
		put_u32(b, 0);
		return true;
	case PD_FEAT_E_MACHINE:
		put_u32(b, 40);
		put_u32(b, 0x5000400);
		return true;
	case PD_FEAT_CLN_SIZE: put_u32(b, 64); return true;
	default: return false;
	}
}

/* --- the printed header ----------------------------------------------------------------------- */

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

static void use_utc(void)
{
	setenv("TZ", "UTC0", 1);
}

/* The text behind its first lines, which are of the file and not of its features. */
static const char *features_text(const char *text)
{
	const char *p = strstr(text, "# feat offset");

	CHECK(p);
	return strchr(p, '\n') + 1;
}

static void check_full_text(bool big)
{
	struct bytes payloads[PD_FEAT_END];
	struct feature_file f;
	unsigned int bit;
	char *text;

	use_utc();
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
	CHECK_STR(features_text(text), full_text);
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

/* Text of one section alone; malloc'd. */
static char *text_of(unsigned int bit, const struct bytes *b, bool full)
{
	struct feature_file f;
	char *text, *end, *line;

	use_utc();
	feature_file_init(&f, bytes_swapped(b));
	feature_file_set(&f, bit, bytes_span(b));
	text = feature_file_text(&f, full);
	end = strstr(text, "# missing features");
	CHECK(end);
	*end = '\0';
	line = xstrdup(features_text(text));
	free(text);
	feature_file_fini(&f);
	return line;
}

static void check_text(unsigned int bit, struct bytes *b, bool full, const char *want)
{
	char *text = text_of(bit, b, full);

	CHECK_STR(text, want);
	free(text);
	bytes_free(b);
}

TEST(long_sections_are_named_only)
{
	struct bytes b = bytes_new(false);

	put_payload(&b, PD_FEAT_CACHE);
	check_text(PD_FEAT_CACHE, &b, false, "# CACHE info available, use -I to display\n");
}

TEST(damaged_section_is_told)
{
	struct bytes b = bytes_new(false);

	put_u32(&b, 2);
	put_numa_node(&b, 0, 1, 1, "0");
	check_text(PD_FEAT_NUMA_TOPOLOGY, &b, true,
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
	check_text(PD_FEAT_NUMA_TOPOLOGY, &b, true, line);
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
	check_text(PD_FEAT_MEM_TOPOLOGY, &b, true, line);
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
	check_text(PD_FEAT_PMU_MAPPINGS, &b, true, "# pmu mappings: not available\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	check_text(PD_FEAT_BPF_PROG_INFO, &b, true, "# bpf_prog_info empty\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	check_text(PD_FEAT_BPF_BTF, &b, true, "# btf info empty\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	check_text(PD_FEAT_CPU_PMU_CAPS, &b, true, "# cpu pmu capabilities: not available\n");
	b = bytes_new(false);
	put_u32(&b, 0);
	check_text(PD_FEAT_PMU_CAPS, &b, true, "");
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

TEST(event_lines)
{
	struct bytes b = bytes_new(true);

	put_payload(&b, PD_FEAT_EVENT_DESC);
	b.n -= 8 + 64 + 4 + 4; /* an id, a string and both counts: the second event has no end */
	check_text(PD_FEAT_EVENT_DESC, &b, false,
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
	check_text(
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
	text = text_of(PD_FEAT_EVENT_DESC, &b, false);
	CHECK(strstr(text, ", clockid = 1\n"));
	free(text);
	bytes_free(&b);
}

/* --- names and groups ------------------------------------------------------------------------- */

TEST(event_desc_by_id)
{
	static const char *const names[] = { "for-101", "for-nobody", "for-100" };
	static const u64 ids[] = { 101, 999, 100 };
	struct bytes b = bytes_new(true);
	struct feature_file f;

	feature_file_init(&f, bytes_swapped(&b));
	put_event_desc(&b, 3, ids, names);
	CHECK_EQ(event_desc_apply(&f.pd, bytes_span(&b), NULL), 0);
	CHECK_STR(f.events[0].name, "for-100");
	CHECK_STR(f.events[1].name, "for-101");
	CHECK(f.events[0].name_given && !f.events[2].name_given);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(event_desc_by_position)
{
	static const char *const names[] = { "a", "b", "c" };
	struct bytes b = bytes_new(false);
	struct feature_file f;
	struct perr e;

	feature_file_init(&f, bytes_swapped(&b));
	f.events[0].attr = f.events[2].attr = attr_plain();
	put_event_desc(&b, 3, NULL, names);
	b.n--;
	CHECK_EQ(event_desc_apply(&f.pd, bytes_span(&b), &e), PERR_FORMAT);
	CHECK_STR(e.text, "ends inside item 3 of 3");
	CHECK_STR(f.events[0].name, "a");
	CHECK_STR(f.events[1].name, "unknown tracepoint id=0x1"); /* of another type */
	CHECK(!f.events[2].name_given);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(groups)
{
	struct bytes b = bytes_new(true);
	struct feature_file f;
	struct perr e;

	feature_file_init(&f, bytes_swapped(&b));
	put_payload(&b, PD_FEAT_GROUP_DESC);
	CHECK_EQ(group_desc_apply(&f.pd, bytes_span(&b), &e), 0);
	CHECK_EQ(f.events[0].nr_members, 2);
	CHECK_EQ(f.events[1].nr_members, 0);
	CHECK_EQ(f.events[1].leader_idx, 0);
	CHECK_EQ(f.events[3].leader_idx, 2);
	CHECK_STR(f.events[0].group_name, NULL);
	CHECK_STR(f.events[2].group_name, "mine");
	feature_file_fini(&f);
	bytes_free(&b);
}

static void check_bad_group(u32 leader, u32 members)
{
	struct bytes b = bytes_new(false);
	struct feature_file f;
	struct perr e;

	feature_file_init(&f, false);
	put_u32(&b, 2);
	put_group(&b, "x", 0, 2);
	put_group(&b, "y", leader, members);
	CHECK_EQ(group_desc_apply(&f.pd, bytes_span(&b), &e), PERR_FORMAT);
	CHECK_EQ(f.events[0].nr_members, 2);
	CHECK_EQ(f.events[2].nr_members, 1);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(groups_out_of_bounds)
{
	check_bad_group(1, 2); /* overlaps */
	check_bad_group(2, 0);
	check_bad_group(2, 3);
	check_bad_group(2, UINT32_MAX);
	check_bad_group(4, 1);
	check_bad_group(UINT32_MAX, 1);
}

static void check_tracepoints(bool big)
{
	static const char *const want[] = { "prev_comm", "name", "p" };
	struct bytes b = bytes_new(big);
	struct feature_file f;
	struct pd_tracepoint tp;
	struct pd_tracing t;
	struct span name;
	size_t pos = 0, i = 0;

	put_tracing(&b);
	/* the blob tells its byte order itself */
	feature_file_init(&f, !bytes_swapped(&b));
	feature_file_set(&f, PD_FEAT_TRACING_DATA, bytes_span(&b));
	event_names_apply(&f.pd);
	CHECK_STR(f.events[0].name, "unknown tracepoint id=0");
	CHECK_STR(f.events[1].name, "sched:sched_switch");
	CHECK_STR(f.events[2].name, "sched:sched_wakeup");
	CHECK_EQ(pd_tracing_open(bytes_span(&b), &t, NULL), 0);
	CHECK_EQ(t.page_size, 4096);
	CHECK_EQ(pd_tracing_next(&t, &tp, NULL), 1);
	while (pd_tracepoint_field(tp.format, &pos, &name)) {
		CHECK(i < ARRAY_SIZE(want));
		CHECK(span_is(name, want[i++]));
	}
	CHECK_EQ(i, 3);
	CHECK_EQ(pd_tracing_next(&t, &tp, NULL), 1);
	CHECK_EQ(pd_tracing_next(&t, &tp, NULL), 0);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(tracepoint_names_little_endian)
{
	check_tracepoints(false);
}

TEST(tracepoint_names_big_endian)
{
	check_tracepoints(true);
}

TEST(simpleperf_names)
{
	static const char meta[] = "timestamp\0"
				   "1\0"
				   "event_type_info\0"
				   "sched:sched_switch,2,1\ncpu-cycles,0,0\ncs-etm,8,0\0"
				   "x";
	struct feature_file f;

	feature_file_init(&f, false);
	f.events[0].attr.type = 8; /* config differs from the list's */
	f.events[0].attr.config = 0x4000;
	f.events[2].attr.type = PD_TYPE_HARDWARE;
	f.events[2].attr.config = 0;
	feature_file_set(&f, PD_FEAT_SIMPLEPERF_META_INFO, span_of(meta, sizeof(meta) - 1));
	event_names_apply(&f.pd);
	CHECK_STR(f.events[0].name, "cs-etm");
	CHECK_STR(f.events[1].name, "sched:sched_switch");
	CHECK(!f.events[2].name_given);
	CHECK(!f.events[3].name_given);
	feature_file_fini(&f);
}

/* --- build ids -------------------------------------------------------------------------------- */

static void check_build_ids(bool big)
{
	static const u8 short_id[20] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct bytes b = bytes_new(big);
	struct pd_build_id_entry v;
	struct pd_build_ids ids;

	put_build_id(&b, PD_CPUMODE_KERNEL, -1, some_id, 7, "[kernel.kallsyms]");
	put_build_id(&b, PD_CPUMODE_USER | PD_MISC_BUILD_ID_SIZE, -1, some_id, 16, "/bin/a");
	put_build_id(&b, PD_CPUMODE_GUEST_USER, 42, short_id, 0, "/bin/b");
	ids = pd_build_ids_open(bytes_span(&b), bytes_swapped(&b));
	CHECK(!ids.old_abi);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.pid, -1);
	CHECK_EQ(v.cpumode, PD_CPUMODE_KERNEL);
	CHECK_EQ(v.build_id.size, 20); /* the size byte does not count without its bit */
	CHECK(span_is(v.filename, "[kernel.kallsyms]"));
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.build_id.size, 16);
	CHECK_MEM(v.build_id.data, some_id, 16);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.pid, 42);
	CHECK_EQ(v.build_id.size, 8); /* padded with zeros */
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 0);
	bytes_free(&b);
}

TEST(build_ids_little_endian)
{
	check_build_ids(false);
}

TEST(build_ids_big_endian)
{
	check_build_ids(true);
}

TEST(build_ids_of_the_first_abi)
{
	struct bytes b = bytes_new(false);
	struct pd_build_id_entry v;
	struct pd_build_ids ids;
	int i;

	for (i = 0; i < 2; i++) {
		record_begin(&b, 0, i ? PD_CPUMODE_USER : PD_CPUMODE_KERNEL);
		put_mem(&b, some_id, 20);
		put_fill(&b, 0, 4);
		put_text(&b, i ? "/bin/a" : "[kernel.kallsyms]", 8);
		record_end(&b);
	}
	ids = pd_build_ids_open(bytes_span(&b), false);
	CHECK(ids.old_abi);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.pid, -1);
	CHECK(span_is(v.filename, "[kernel.kallsyms]"));
	CHECK_MEM(v.build_id.data, some_id, 20);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK(span_is(v.filename, "/bin/a"));
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 0);
	bytes_free(&b);
}

TEST(build_id_sizes_that_lie)
{
	static const u16 sizes[] = { 0, 7, 8, 35, 65535 };
	struct pd_build_id_entry v;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct bytes b = bytes_new(false);
		struct pd_build_ids ids;

		put_build_id(&b, 0, -1, some_id, 0, "/bin/a");
		set_u16(&b, 6, sizes[i]);
		ids = pd_build_ids_open(bytes_span(&b), false);
		CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), PERR_FORMAT);
		CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 0);
		bytes_free(&b);
	}
}

/* --- hostile bytes ---------------------------------------------------------------------------- */

/* A copy in a block of exactly its size, so that a sanitizer sees a read past it. */
static u64 touch_exact(unsigned int bit, const u8 *p, size_t n, bool swap)
{
	u8 *copy = malloc(n ? n : 1);
	u64 sum;

	memcpy(copy, p, n);
	sum = feature_touch_all(bit, span_of(copy, n), span_of(NULL, 0), swap);
	free(copy);
	return sum;
}

TEST(cut_at_every_byte)
{
	unsigned int bit;
	int big;

	for (bit = 0; bit < PD_FEAT_END; bit++)
		for (big = 0; big < 2; big++) {
			struct bytes b = bytes_new(big);
			size_t n;

			put_payload(&b, bit);
			/* of long ones (strings are padded to 64) every third length will do */
			for (n = 0; b.n && n <= b.n; n += b.n > 600 ? 3 : 1)
				(void)touch_exact(bit, b.p, n, bytes_swapped(&b));
			bytes_free(&b);
		}
}

TEST(every_word_as_all_ones)
{
	unsigned int bit;

	for (bit = 0; bit < PD_FEAT_END; bit++) {
		struct bytes b = bytes_new(false);
		size_t at;

		put_payload(&b, bit);
		for (at = 0; at + 4 <= b.n; at += 4) {
			u8 was[4];

			memcpy(was, b.p + at, 4);
			memset(b.p + at, 0xff, 4);
			(void)touch_exact(bit, b.p, b.n, false);
			memset(b.p + at, 0x7f, 4);
			(void)touch_exact(bit, b.p, b.n, true);
			memcpy(b.p + at, was, 4);
		}
		bytes_free(&b);
	}
}

TEST(counts_that_lie_cost_nothing)
{
	struct bytes b = bytes_new(false);
	struct pd_numa_node node;
	struct pd_strings s;
	struct pd_list l;
	struct span text;
	struct cursor c;

	put_u32(&b, UINT32_MAX);
	put_u32(&b, 0);
	c = cursor_of(bytes_span(&b), false);
	s = pd_cur_strings(&c);
	CHECK(c.bad);
	CHECK(!pd_strings_next(&s, &text));
	CHECK_EQ(pd_list_open(bytes_span(&b), false, &l, NULL), 0);
	CHECK_EQ(pd_numa_next(&l, &node, NULL), PERR_FORMAT);
	CHECK_EQ(pd_numa_next(&l, &node, NULL), 0);
	bytes_free(&b);
}

TEST(unknown_versions)
{
	struct bytes b = bytes_new(false);
	struct pd_clock_data c;
	struct pd_list l;
	u64 block;

	put_u64(&b, 2);
	put_u64(&b, 0);
	put_u64(&b, 0);
	CHECK_EQ(pd_mem_open(bytes_span(&b), false, &block, &l, NULL), PERR_UNSUPPORTED);
	CHECK_EQ(pd_cache_open(bytes_span(&b), false, &l, NULL), PERR_UNSUPPORTED);
	CHECK_EQ(pd_feature_clock_data(bytes_span(&b), false, &c, NULL), PERR_UNSUPPORTED);
	bytes_free(&b);
}

TEST(names_of_bits)
{
	CHECK_STR(pd_feature_name(0), NULL);
	CHECK_STR(pd_feature_name(1), "TRACING_DATA");
	CHECK_STR(pd_feature_name(34), "CLN_SIZE");
	CHECK_STR(pd_feature_name(35), NULL);
	CHECK_STR(pd_feature_name(1000), NULL);
}
