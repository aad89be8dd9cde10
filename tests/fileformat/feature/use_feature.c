/* SPDX-License-Identifier: MIT */
#include "tests/fileformat/feature/use_feature.h"

#include <stdio.h>

#include "tests/frame/feature_all.h"

static void put_feature_strings(struct bytes *b, u32 nr, const char *const *s)
{
	u32 i;

	put_u32(b, nr);
	for (i = 0; i < nr; i++)
		put_string(b, s[i]);
}

/* --- one well-formed payload of each kind ----------------------------------------------------- */

void put_topology(struct bytes *b)
{
	static const char *const packages[] = { "0-1" }, *const cores[] = { "0", "1" };

	put_feature_strings(b, 1, packages);
	put_feature_strings(b, 2, cores);
}

void put_core_ids(struct bytes *b)
{
	put_u32(b, 0);
	put_u32(b, 0);
	put_u32(b, 1);
	put_u32(b, UINT32_MAX);
}

static void put_die_ids(struct bytes *b)
{
	static const char *const dies[] = { "0", "1" };

	put_feature_strings(b, 2, dies);
	put_u32(b, 3);
	put_u32(b, 4);
}

void put_numa_node(struct bytes *b, u32 node, u64 total, u64 free_kb, const char *cpus)
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

void put_build_id(struct bytes *b, u16 misc, s32 pid, const u8 *id, u8 size_byte, const char *name)
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

void put_event_desc(struct bytes *b, u32 nr, const u64 *ids, const char *const *names)
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

void put_group(struct bytes *b, const char *name, u32 leader, u32 members)
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

void put_tracing(struct bytes *b)
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

static void put_build_ids(struct bytes *b)
{
	put_build_id(b, PD_CPUMODE_KERNEL, -1, some_id, 0, "[kernel.kallsyms]");
	put_build_id(b, PD_CPUMODE_USER | PD_MISC_BUILD_ID_SIZE, -1, some_id, 16, "/bin/a");
}

static void put_cmdline(struct bytes *b)
{
	static const char *const args[] = { "/usr/bin/perf", "record", "it's", "" };

	put_feature_strings(b, 4, args);
}

static void put_events(struct bytes *b)
{
	static const char *const names[] = { "first", "second" };
	static const u64 ids[] = { 101, 100 };

	put_event_desc(b, 2, ids, names);
}

static void put_cpu_topology(struct bytes *b)
{
	put_topology(b);
	put_core_ids(b);
	put_die_ids(b);
}

static void put_numa_topology(struct bytes *b)
{
	put_u32(b, 2);
	put_numa_node(b, 0, 100, 50, "3,0,1");
	put_numa_node(b, 5, 1ull << 40, 0, "");
}

static void put_pmu_mappings(struct bytes *b)
{
	put_u32(b, 2);
	put_u32(b, 1);
	put_string(b, "software");
	put_u32(b, 4294967294);
	put_string(b, "tool");
}

static void put_group_desc(struct bytes *b)
{
	put_u32(b, 2);
	put_group(b, "{anon_group}", 0, 2);
	put_group(b, "mine", 2, 2);
}

static void put_auxtrace(struct bytes *b)
{
	put_u64(b, 1);
	put_u64(b, 0x100);
	put_u64(b, 0x20);
}

static void put_caches(struct bytes *b)
{
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
}

static void put_mem_topology(struct bytes *b)
{
	put_u64(b, 1);
	put_u64(b, 0x8000000);
	put_u64(b, 2);
	put_mem_node(b, 0, 100, 0xff, 1ull << 30);
	put_mem_node(b, 1, 64, 5, 0);
}

static void put_bpf_progs(struct bytes *b)
{
	put_u32(b, 2);
	put_bpf_prog(b, 77, 2, 5, "twofuncs");
	put_bpf_prog(b, 3, 1, 0, "one");
}

static void put_btf(struct bytes *b)
{
	struct bytes blob = bytes_new(b->big);

	put_btf_blob(&blob);
	put_u32(b, 2);
	put_u32(b, 9);
	put_u32(b, 0);
	put_u32(b, 5);
	put_u32(b, (u32)blob.n);
	put_mem(b, blob.p, blob.n);
	bytes_free(&blob);
}

static void put_compression(struct bytes *b)
{
	put_u32(b, 0);
	put_u32(b, 1);
	put_u32(b, 3);
	put_u32(b, 5);
	put_u32(b, 528384);
}

static void put_cpu_pmu_caps(struct bytes *b)
{
	put_u32(b, 2);
	put_string(b, "a");
	put_string(b, "1");
	put_string(b, "b");
	put_string(b, "");
}

static void put_clock_data(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 4);
	put_u64(b, 1700000000123456789);
	put_u64(b, 5000000123);
}

static void put_hybrid_topology(struct bytes *b)
{
	put_u32(b, 1);
	put_string(b, "cpu_core");
	put_string(b, "0-15");
}

static void put_pmu_caps(struct bytes *b)
{
	put_u32(b, 2);
	put_u32(b, 1);
	put_string(b, "x");
	put_string(b, "y");
	put_string(b, "cpu_core");
	put_u32(b, 0);
	put_string(b, "cpu_atom");
}

static void put_domains(struct bytes *b)
{
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
}

static void put_two_u32(struct bytes *b, u32 x, u32 y)
{
	put_u32(b, x);
	put_u32(b, y);
}

static void put_two_u64(struct bytes *b, u64 x, u64 y)
{
	put_u64(b, x);
	put_u64(b, y);
}

bool put_payload(struct bytes *b, unsigned int bit)
{
	switch (bit) {
	case PD_FEAT_TRACING_DATA: put_tracing(b); return true;
	case PD_FEAT_BUILD_ID: put_build_ids(b); return true;
	case PD_FEAT_HOSTNAME: put_string(b, "host"); return true;
	case PD_FEAT_NRCPUS: put_two_u32(b, 2, 2); return true;
	case PD_FEAT_TOTAL_MEM: put_u64(b, 12345678901); return true;
	case PD_FEAT_CMDLINE: put_cmdline(b); return true;
	case PD_FEAT_EVENT_DESC: put_events(b); return true;
	case PD_FEAT_CPU_TOPOLOGY: put_cpu_topology(b); return true;
	case PD_FEAT_NUMA_TOPOLOGY: put_numa_topology(b); return true;
	case PD_FEAT_BRANCH_STACK:
	case PD_FEAT_STAT: return true;
	case PD_FEAT_PMU_MAPPINGS: put_pmu_mappings(b); return true;
	case PD_FEAT_GROUP_DESC: put_group_desc(b); return true;
	case PD_FEAT_AUXTRACE: put_auxtrace(b); return true;
	case PD_FEAT_CACHE: put_caches(b); return true;
	case PD_FEAT_SAMPLE_TIME: put_two_u64(b, 1500000000, 2600123456); return true;
	case PD_FEAT_MEM_TOPOLOGY: put_mem_topology(b); return true;
	case PD_FEAT_CLOCKID:
	case PD_FEAT_DIR_FORMAT: put_u64(b, 1); return true;
	case PD_FEAT_BPF_PROG_INFO: put_bpf_progs(b); return true;
	case PD_FEAT_BPF_BTF: put_btf(b); return true;
	case PD_FEAT_COMPRESSED: put_compression(b); return true;
	case PD_FEAT_CPU_PMU_CAPS: put_cpu_pmu_caps(b); return true;
	case PD_FEAT_CLOCK_DATA: put_clock_data(b); return true;
	case PD_FEAT_HYBRID_TOPOLOGY: put_hybrid_topology(b); return true;
	case PD_FEAT_PMU_CAPS: put_pmu_caps(b); return true;
	case PD_FEAT_CPU_DOMAIN_INFO: put_domains(b); return true;
	case PD_FEAT_E_MACHINE: put_two_u32(b, 40, 0x5000400); return true;
	case PD_FEAT_CLN_SIZE: put_u32(b, 64); return true;
	default: return false;
	}
}

/* --- the printed header ----------------------------------------------------------------------- */

void feature_use_utc(void)
{
	setenv("TZ", "UTC0", 1);
}

const char *features_of_text(const char *text)
{
	const char *p = strstr(text, "# feat offset");

	CHECK(p);
	return strchr(p, '\n') + 1;
}

char *feature_text_of(unsigned int bit, const struct bytes *b, bool full)
{
	struct feature_file f;
	char *text, *end, *line;

	feature_use_utc();
	feature_file_init(&f, bytes_swapped(b));
	feature_file_set(&f, bit, bytes_span(b));
	text = feature_file_text(&f, full);
	end = strstr(text, "# missing features");
	CHECK(end);
	*end = '\0';
	line = xstrdup(features_of_text(text));
	free(text);
	feature_file_fini(&f);
	return line;
}

void feature_check_text(unsigned int bit, struct bytes *b, bool full, const char *want)
{
	char *text = feature_text_of(bit, b, full);

	CHECK_STR(text, want);
	free(text);
	bytes_free(b);
}
