/* SPDX-License-Identifier: MIT */
/*
 * hostile_recording DIR: writes DIR/perf.data, a recording each of whose strings holds what drives
 * a terminal (HOSTILE of hostile.h), and in DIR/symfs the object, the JIT map and the kallsyms that
 * its addresses are in, with names of the same kind. The object's DWARF names a source file below
 * the current directory, which is written to DIR. For tests/checks/hostile_names.sh.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/record_user.h"
#include "tests/frame/build_file.h"
#include "tests/tools/hostile/hostile.h"

#define LONG_LEN 3000

#define PID 7
#define TEXT 0x400000ull
#define JIT 0x7f0000000000ull
#define KERNEL 0xffffffff81000000ull
#define BPF 0xffffffffc0100000ull
#define TRACE_ID 55

enum { CLOCK, TRACE, LONG, NR_EVENTS };

static char long_name[LONG_LEN + sizeof(HOSTILE)];

static bool write_texts(const char *dir)
{
	static const char kallsyms[] = "ffffffff81000000 T _text\n"
				       "ffffffff81001000 T kernel" HOSTILE_WORD "\n"
				       "ffffffff81002000 T _etext\n";
	static const char map[] = "7f0000000000 100 jit " HOSTILE_WORD "\tTAB\rRETURN\n";

	return write_file(dir, "kallsyms", kallsyms, sizeof(kallsyms) - 1) &&
	       write_file(dir, "tmp/perf-7.map", map, sizeof(map) - 1);
}

/* --- features --------------------------------------------------------------------------------- */

static void put_strings(struct bytes *p, u32 nr)
{
	put_u32(p, nr);
	while (nr--)
		put_string(p, HOSTILE);
}

static void put_tracing(struct bytes *p)
{
	static const char format[] =
		"name: " HOSTILE_WORD "\nID: 55\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:char comm[24];\toffset:8;\tsize:24;\tsigned:0;\n\n"
		"print fmt: \"comm=%s\", REC->comm\n";

	put_mem(p, "\27\10\104tracing0.6\0\0\10", 15);
	put_u32(p, 4096);
	put_mem(p, "header_page", 12);
	put_u64(p, 0);
	put_mem(p, "header_event", 13);
	put_u64(p, 0);
	put_u32(p, 0);
	put_u32(p, 1);
	put_text(p, HOSTILE_WORD, 1);
	put_u32(p, 1);
	put_u64(p, sizeof(format) - 1);
	put_mem(p, format, sizeof(format) - 1);
	put_u32(p, 0);
	put_u32(p, 0);
	put_u64(p, 0);
}

static void put_build_ids(struct bytes *p)
{
	size_t start = p->n;

	put_u32(p, 0);
	put_u16(p, PD_CPUMODE_USER);
	put_u16(p, 0);
	put_u32(p, (u32)-1);
	put_fill(p, 0xab, 20);
	put_fill(p, 0, 4);
	put_text(p, "/built " HOSTILE, 8);
	set_u16(p, start + 6, (u16)(p->n - start));
}

/* Programs of one function: one has its name in the BTF, the other only the short one of the
 * kernel. */
static void put_bpf_prog(struct bytes *p, u32 id, u32 btf_id)
{
	const size_t info = p->n + 16;

	put_u32(p, 224);
	put_u32(p, 8 + 8 + 8 + 4);
	put_u64(p, 1u << 3 | 1u << 4 | 1u << 5 | 1u << 8); /* the arrays that follow */
	put_fill(p, 0, 224);
	set_u32(p, info + 4, id);
	memcpy(p->p + info + 64, HOSTILE_WORD, 15);
	set_u32(p, info + 104, 1); /* addresses, lengths, functions, tags: how many, and where */
	set_u32(p, info + 108, 1);
	set_u64(p, info + 120, 24);
	set_u32(p, info + 128, btf_id);
	set_u32(p, info + 132, 8);
	set_u64(p, info + 136, 8);
	set_u32(p, info + 144, 1);
	set_u32(p, info + 180, 1);
	set_u64(p, info + 184, 16);
	put_u64(p, BPF + 0x200 * id);
	put_u32(p, 0);
	put_u32(p, 2); /* the type of its function */
	put_fill(p, 0x42, 8);
	put_u32(p, 0x100);
}

static void put_bpf_features(struct file_builder *f)
{
	static const char strings[] = "\0function " HOSTILE;
	struct bytes *p = file_feature(f, PD_FEAT_BPF_PROG_INFO);

	put_u32(p, 2);
	put_bpf_prog(p, 1, 0);
	put_bpf_prog(p, 2, 5);
	p = file_feature(f, PD_FEAT_BPF_BTF);
	put_u32(p, 1);
	put_u32(p, 5);
	put_u32(p, 24 + 24 + sizeof(strings));
	put_u32(p, 0x1eb9f); /* magic, version */
	put_u32(p, 24);
	put_u32(p, 0);
	put_u32(p, 24);
	put_u32(p, 24);
	put_u32(p, sizeof(strings));
	put_u32(p, 0);
	put_u32(p, 13u << 24); /* type 1: a prototype */
	put_u32(p, 0);
	put_u32(p, 1);
	put_u32(p, 12u << 24); /* type 2: a function of it */
	put_u32(p, 1);
	put_mem(p, strings, sizeof(strings));
}

static void put_topologies(struct file_builder *f)
{
	struct bytes *p = file_feature(f, PD_FEAT_CPU_TOPOLOGY);

	put_strings(p, 1);
	put_strings(p, 1);
	put_fill(p, 0, 16);
	p = file_feature(f, PD_FEAT_NUMA_TOPOLOGY);
	put_u32(p, 1);
	put_u32(p, 0);
	put_u64(p, 1000);
	put_u64(p, 1000);
	put_string(p, HOSTILE);
	p = file_feature(f, PD_FEAT_PMU_MAPPINGS);
	put_u32(p, 1);
	put_u32(p, 4);
	put_string(p, HOSTILE);
	p = file_feature(f, PD_FEAT_GROUP_DESC);
	put_u32(p, 1);
	put_string(p, HOSTILE);
	put_u32(p, 0);
	put_u32(p, 2);
	p = file_feature(f, PD_FEAT_CACHE);
	put_u32(p, 1);
	put_u32(p, 1);
	for (u32 i = 1; i < 5; i++)
		put_u32(p, i);
	for (u32 i = 0; i < 3; i++)
		put_string(p, HOSTILE);
}

static void put_domains(struct bytes *p)
{
	put_u32(p, 17);
	put_u32(p, 1);
	for (u32 cpu = 0; cpu < 2; cpu++) {
		put_u32(p, cpu);
		put_u32(p, 1);
		put_u32(p, 0);
		for (u32 i = 0; i < 3; i++)
			put_string(p, HOSTILE);
	}
}

static void put_features(struct file_builder *f)
{
	static const char *const names[NR_EVENTS] = { "event " HOSTILE,
						      HOSTILE_WORD ":" HOSTILE_WORD, long_name };
	static const unsigned int texts[] = { PD_FEAT_HOSTNAME, PD_FEAT_OSRELEASE, PD_FEAT_VERSION,
					      PD_FEAT_ARCH };
	struct bytes *p;

	put_tracing(file_feature(f, PD_FEAT_TRACING_DATA));
	put_build_ids(file_feature(f, PD_FEAT_BUILD_ID));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		put_string(file_feature(f, texts[i]),
			   texts[i] == PD_FEAT_ARCH ? "x86_64" : HOSTILE);
	p = file_feature(f, PD_FEAT_NRCPUS);
	put_u32(p, 2);
	put_u32(p, 2);
	put_string(file_feature(f, PD_FEAT_CPUDESC), HOSTILE);
	put_string(file_feature(f, PD_FEAT_CPUID), HOSTILE);
	put_strings(file_feature(f, PD_FEAT_CMDLINE), 2);
	file_event_desc(f, names);
	put_topologies(f);
	put_bpf_features(f);
	put_strings(file_feature(f, PD_FEAT_CPU_PMU_CAPS), 2);
	set_u32(&f->features[f->nr_features - 1].payload, 0, 1);
	p = file_feature(f, PD_FEAT_HYBRID_TOPOLOGY);
	put_strings(p, 2);
	set_u32(p, 0, 1);
	p = file_feature(f, PD_FEAT_PMU_CAPS);
	put_u32(p, 1);
	put_strings(p, 3);
	set_u32(p, 4, 1);
	put_domains(file_feature(f, PD_FEAT_CPU_DOMAIN_INFO));
}

/* --- records ---------------------------------------------------------------------------------- */

static void put_named(struct bytes *b, u32 type, const struct pd_attr *a)
{
	record_begin(b, type, 0);
	if (type == PD_RECORD_KSYMBOL) {
		put_u64(b, BPF);
		put_u32(b, 0x100);
		put_u32(b, 1);
	} else { /* CGROUP */
		put_u64(b, 9);
	}
	put_text(b, type == PD_RECORD_KSYMBOL ? "bpf_prog " HOSTILE : "/cgroup " HOSTILE, 8);
	put_trailer(b, a, NULL);
	record_end(b);
}

/* Records about the file and its events. */
static void put_user_records(struct bytes *b)
{
	record_begin(b, PD_RECORD_EVENT_UPDATE, 0);
	put_u64(b, PD_UPDATE_UNIT);
	put_u64(b, 1);
	put_text(b, HOSTILE, 8);
	record_end(b);
	record_begin(b, PD_RECORD_AUXTRACE_ERROR, 0);
	for (u32 i = 0; i < 6; i++)
		put_u32(b, 1);
	put_u64(b, TEXT);
	put_u64(b, 1);
	put_text(b, HOSTILE_WORD "\nNEWLINE", 64);
	record_end(b);
	record_begin(b, PD_RECORD_BPF_METADATA, 0);
	put_text(b, "metadata " HOSTILE, 512);
	put_u64(b, 1);
	put_text(b, HOSTILE_WORD "\nNEWLINE", 64);
	put_text(b, HOSTILE, 256);
	record_end(b);
}

static void put_kernel_map(struct bytes *b, const struct pd_attr *a)
{
	size_t start = b->n;

	put_mmap(b, (u32)-1, KERNEL, 0x2000, KERNEL, "[kernel.kallsyms]_text", a, NULL);
	set_u16(b, start + 4, PD_CPUMODE_KERNEL);
	start = b->n;
	put_mmap(b, (u32)-1, KERNEL + 0x100000, 0x1000, 0, "/lib/" HOSTILE ".ko", a, NULL);
	set_u16(b, start + 4, PD_CPUMODE_KERNEL);
}

static void put_samples(struct bytes *b, const struct file_builder *f)
{
	static const u64 ips[] = { TEXT + 0x10, TEXT + 0x110, JIT + 0x10,       KERNEL + 0x1010,
				   BPF + 0x10,  0x500010,     KERNEL + 0x100010 };
	u8 raw[36] = { TRACE_ID };

	memcpy(raw + 8, HOSTILE_WORD, 23);
	for (u32 event = 0; event < NR_EVENTS; event++)
		for (size_t i = 0; i < ARRAY_SIZE(ips); i++) {
			bool kernel = ips[i] >= KERNEL;
			const u64 chain[] = { kernel ? PD_CONTEXT_KERNEL : PD_CONTEXT_USER, ips[i],
					      PD_CONTEXT_USER, TEXT + 0x20, TEXT + 0x120 };
			const struct sample_parts s = {
				.misc = kernel ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER,
				.ip = ips[i],
				.pid = PID,
				.tid = PID + (i & 1),
				.time = 1000 + i,
				.id = 1 + event,
				.period = 10,
				.ips = chain,
				.nr_ips = ARRAY_SIZE(chain),
				.raw = raw,
				.raw_size = sizeof(raw),
				.cgroup = 9,
			};

			put_sample(b, &f->attrs[event], &s);
		}
}

static void put_records(struct bytes *b, const struct file_builder *f)
{
	const struct pd_attr *a = &f->attrs[CLOCK];
	const struct sample_parts t = { .pid = PID, .tid = PID, .time = 1 };

	put_user_records(b);
	put_kernel_map(b, a);
	put_named(b, PD_RECORD_KSYMBOL, a);
	put_named(b, PD_RECORD_CGROUP, a);
	put_comm(b, PID, PID, HOSTILE, a, &t);
	put_comm(b, PID, PID + 1, long_name, a, &t);
	put_mmap2(b, PID, TEXT, 0x1000, 0x1000, OBJECT, a, &t);
	put_mmap2(b, PID, 0x500000, 0x1000, 0, long_name, a, &t);
	put_mmap2(b, PID, JIT, 0x1000, 0, "//anon", a, &t);
	put_samples(b, f);
}

int main(int argc, char **argv)
{
	static const u64 ids[NR_EVENTS] = { 1, 2, 3 };
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	char *symfs, *tmp;
	bool ok;

	if (argc != 2) {
		fprintf(stderr, "usage: hostile_recording DIR\n");
		return 2;
	}
	memset(long_name, 'x', LONG_LEN);
	memcpy(long_name + LONG_LEN / 2, HOSTILE, sizeof(HOSTILE) - 1);
	symfs = xasprintf("%s/symfs", argv[1]);
	tmp = xasprintf("%s/tmp", symfs);
	(void)mkdir(symfs, 0777);
	(void)mkdir(tmp, 0777);
	file_begin(&f, BUILD_REGULAR);
	for (size_t i = 0; i < NR_EVENTS; i++) {
		struct pd_attr a = attr_plain();

		a.type = i == TRACE ? PD_TYPE_TRACEPOINT : PD_TYPE_SOFTWARE;
		a.config = i == TRACE ? TRACE_ID : i;
		a.sample_type |= PD_SAMPLE_ID | PD_SAMPLE_CGROUP;
		a.sample_type |= i == TRACE ? PD_SAMPLE_RAW : 0;
		file_add_event(&f, &a, &ids[i], 1);
	}
	file_begin_data(&f);
	put_records(&b, &f);
	put_features(&f);
	file_end(&f);
	ok = write_file(argv[1], "perf.data", b.p, b.n) && write_object(symfs, long_name) &&
	     write_texts(symfs) && write_source(argv[1]);
	bytes_free(&b);
	free(symfs);
	free(tmp);
	return ok ? 0 : 1;
}
