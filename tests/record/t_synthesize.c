/* SPDX-License-Identifier: MIT */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/before/synth_bpf.h"
#include "record/before/synth_cgroups.h"
#include "record/before/synth_events.h"
#include "record/before/synth_kernel.h"
#include "record/before/synthesize.h"
#include "tests/frame/synth_bench.h"
#include "tests/frame/unit.h"

static void run_kernel(struct bench *b)
{
	char *root = xasprintf("%s/lib", b->sys.root);

	wb_fini(&b->out);
	bench_begin(b);
	synth_kernel(&b->s, root);
	bench_end(b);
	free(root);
}

TEST(kernel_and_modules)
{
	struct bench *b = bench_new();
	struct pd_mmap m;
	char *path;

	fake_kernel(b);
	run_kernel(b);
	CHECK_EQ(b->nr, 3);
	m = mmap_at(b, 0);
	CHECK_EQ(b->recs[0].misc, PD_CPUMODE_KERNEL | PD_MISC_MMAP_BUILD_ID);
	CHECK_STR(text_of(m.filename), "[kernel.kallsyms]_text");
	CHECK_EQ((s32)m.pid, -1);
	CHECK_EQ(m.tid, 0);
	CHECK_EQ(m.start, 0xffffffff81000000);
	CHECK_EQ(m.pgoff, 0xffffffff81000000);
	CHECK_EQ(m.len, 0x1000000);
	CHECK_EQ(m.build_id.data[0], 0x11);
	CHECK_EQ(m.prot, 0);
	CHECK_STR(name_at(b, 1), "[a_mod]");
	CHECK_EQ(b->recs[1].type, PD_RECORD_MMAP);
	CHECK_EQ(b->recs[1].misc, PD_CPUMODE_KERNEL);
	path = xasprintf("%s/lib/9.9.9-fake/kernel/x/z-mod.ko.xz", b->sys.root);
	m = mmap_at(b, 2);
	CHECK_STR(text_of(m.filename), path);
	free(path);
	CHECK_EQ(m.start, 0xffffffffc0001000);
	CHECK_EQ(m.len, 16384);
	CHECK_EQ(m.build_id.data[0], 0x22);
	CHECK_EQ(b->diag.nr, 0);

	b->o.buildid_mmap = false;
	run_kernel(b);
	CHECK_EQ(b->nr, 3);
	CHECK_EQ(b->recs[0].type, PD_RECORD_MMAP);
	CHECK_EQ(b->recs[0].misc, PD_CPUMODE_KERNEL);
	bench_free(b);
}

TEST(kernel_text_by_iomem)
{
	struct bench *b = bench_new();

	fake_kernel(b);
	fake_file(&b->proc, "iomem",
		  "00100000-bfffffff : System RAM\n  01000000-01dfffff : Kernel code\n");
	run_kernel(b);
#ifdef __x86_64__
	CHECK_EQ(mmap_at(b, 0).len, 0xe00000);
	b->o.sample_address = true;
	run_kernel(b);
#endif
	CHECK_EQ(mmap_at(b, 0).len, 0x1000000);
	/* As users without the right see it. */
	b->o.sample_address = false;
	fake_file(&b->proc, "iomem", "00000000-00000000 : Kernel code\n");
	run_kernel(b);
	CHECK_EQ(mmap_at(b, 0).len, 0x1000000);
	bench_free(b);
}

TEST(hidden_kernel_is_told)
{
	struct bench *b = bench_new();

	fake_kernel(b);
	fake_file(&b->proc, "kallsyms", "0000000000000000 T _text\n0000000000000000 T _stext\n");
	fake_file(&b->proc, "sys/kernel/kptr_restrict", "2\n");
	fake_file(&b->proc, "sys/kernel/perf_event_paranoid", "3\n");
	run_kernel(b);
	CHECK_EQ(b->nr, 0);
	CHECK_EQ(b->diag.nr, 1);
	CHECK(told(b, "kernel.kptr_restrict is 2"));
	CHECK(told(b, "sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1"));
	fake_file(&b->proc, "sys/kernel/kptr_restrict", "0\n");
	run_kernel(b);
	CHECK(told(b, "kernel.perf_event_paranoid 3)"));
	CHECK(told(b, "names: sudo sysctl kernel.perf_event_paranoid=1"));
	fake_file(&b->proc, "sys/kernel/kptr_restrict", "1\n");
	fake_file(&b->proc, "sys/kernel/perf_event_paranoid", "1\n");
	run_kernel(b);
	CHECK(told(b, "names: sudo sysctl kernel.kptr_restrict=0"));
	bench_free(b);
}

TEST(no_kallsyms)
{
	struct bench *b = bench_new();

	run_kernel(b);
	CHECK_EQ(b->nr, 0);
	CHECK(told(b, "/kallsyms: kernel samples get no names"));
	bench_free(b);
}

TEST(cgroups_parents_first)
{
	struct bench *b = bench_new();
	struct pd_cgroup c;
	u64 root_id = 0;

	fake_file(&b->proc, "mounts",
		  "cgroup2 /nowhere cgroup2 rw 0 0\ncgroup %s cgroup rw,perf_event,x 0 0\n",
		  b->sys.root);
	fake_folder(&b->sys, "a/b c");
	fake_file(&b->sys, "a/tasks", "1\n");
	bench_begin(b);
	synth_cgroups(&b->s);
	bench_end(b);
	CHECK_EQ(b->nr, 3);
	for (size_t i = 0; i < 3; i++) {
		static const char *const paths[] = { "/", "/a", "/a/b c" };

		CHECK_EQ(b->recs[i].type, PD_RECORD_CGROUP);
		CHECK_EQ(pd_read_cgroup(&b->recs[i], false, &c, NULL), 0);
		CHECK_STR(text_of(c.path), paths[i]);
		CHECK(c.id && c.id != root_id);
		if (!i)
			root_id = c.id;
	}
	fake_file(&b->proc, "mounts", "proc /proc proc rw 0 0\n");
	wb_fini(&b->out);
	bench_begin(b);
	synth_cgroups(&b->s);
	bench_end(b);
	CHECK_EQ(b->nr, 0);
	CHECK(told(b, "no cgroup file system"));
	bench_free(b);
}

TEST(btf_names)
{
	/* int, a struct of one member, func "f" and a func without a name */
	struct {
		struct btf_header h;
		u32 types[4 + 6 + 3 + 3];
		char strings[16];
	} btf = {
		.h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(struct btf_header) },
		.types = { 1, BTF_KIND_INT << 24, 4, 32, 0, BTF_KIND_STRUCT << 24 | 1, 4, 1, 1, 0,
			   5, BTF_KIND_FUNC << 24, 1, 0, BTF_KIND_FUNC << 24, 1 },
		.strings = "\0int\0f\0unclosed",
	};
	struct span raw = span_of(&btf, sizeof(btf));

	btf.strings[15] = 'x';
	btf.h.type_len = sizeof(btf.types);
	btf.h.str_off = sizeof(btf.types);
	btf.h.str_len = sizeof(btf.strings);
	CHECK_STR(btf_type_name(raw, 1), "int");
	CHECK_STR(btf_type_name(raw, 3), "f");
	CHECK_STR(btf_type_name(raw, 2), NULL);
	CHECK_STR(btf_type_name(raw, 4), NULL);
	CHECK_STR(btf_type_name(raw, 0), NULL);
	CHECK_STR(btf_type_name(raw, 5), NULL);
	CHECK_STR(btf_type_name(raw, UINT32_MAX), NULL);
	for (size_t n = 0; n < sizeof(btf); n++)
		CHECK_STR(btf_type_name(span_of(&btf, n), 3), NULL);
	btf.types[10] = 7; /* its string is not closed */
	CHECK_STR(btf_type_name(raw, 3), NULL);
	btf.types[10] = 5;
	btf.types[5] = 31u << 24;
	CHECK_STR(btf_type_name(raw, 3), NULL);
}

TEST(loaded_program)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insn_cnt = 2,
		.insns = (u64)(uintptr_t)code,
		.license = (u64)(uintptr_t) "MIT",
		.prog_name = "prec_test",
	};
	int fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	struct bench *b;
	bool found = false;

	if (fd < 0)
		SKIP("no BPF program can be loaded here");
	b = bench_new();
	bench_begin(b);
	synth_bpf(&b->s);
	bench_end(b);
	close(fd);
	if (!b->nr)
		SKIP("the addresses of BPF programs cannot be seen");
	for (size_t i = 0; i + 1 < b->nr; i++) {
		struct pd_ksymbol k;
		struct pd_bpf_event ev;
		const char *name;

		if (b->recs[i].type != PD_RECORD_KSYMBOL)
			continue;
		CHECK_EQ(pd_read_ksymbol(&b->recs[i], false, &k, NULL), 0);
		name = text_of(k.name);
		if (!strstr(name, "_prec_test"))
			continue;
		found = true;
		CHECK(!strncmp(name, "bpf_prog_", 9));
		CHECK_EQ(strspn(name + 9, "0123456789abcdef"), 16);
		CHECK(k.addr && k.len);
		CHECK_EQ(k.ksym_type, 1);
		CHECK_EQ(pd_read_bpf_event(&b->recs[i + 1], false, &ev, NULL), 0);
		CHECK_EQ(ev.type, 1);
		CHECK(ev.id > 0);
	}
	CHECK(found);
	bench_free(b);
}

/* Two events on two CPUs and a process of two threads. */
struct setup {
	u32 cpus[2];
	struct rec_thread threads[2];
	struct rec_target t;
	u64 ids[2][4];
	struct rec_event ev[2], *events[2];
	struct rec_evlist l;
};

static struct setup *setup_new(void)
{
	struct setup *s = xcalloc(1, sizeof(*s));

	s->cpus[0] = 1;
	s->cpus[1] = 3;
	s->threads[0] = (struct rec_thread){ 8, 8, "a", false };
	s->threads[1] = (struct rec_thread){ 8, 80, "", false };
	s->t = (struct rec_target){ .kind = REC_TARGET_PIDS,
				    .threads = s->threads,
				    .nr_threads = 2,
				    .cpus = { s->cpus, 2, 2 } };
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 4; k++)
			s->ids[i][k] = (u64)(100 + i * 10 + k);
		s->ev[i] = (struct rec_event){ .name = (char[]){ 'x', 0 }, .scale = 1 };
		s->ev[i].ids = s->ids[i];
		s->ev[i].nr_fds = 4;
		s->ev[i].attr.sample_type = PD_SAMPLE_TID | PD_SAMPLE_TIME;
		s->ev[i].attr.flags = 1ull << PD_ATTR_SAMPLE_ID_ALL;
		s->events[i] = &s->ev[i];
	}
	s->ev[0].name = (char *)"first";
	s->ev[1].name = (char *)"second";
	s->ids[1][2] = 0; /* could not be opened */
	s->l = (struct rec_evlist){ .events = s->events, .nr = 2 };
	return s;
}

TEST(ids_of_events)
{
	static const u64 want[][4] = {
		{ 100, 0, 1, 8 }, { 101, 0, 1, 80 }, { 102, 1, 3, 8 },  { 103, 1, 3, 80 },
		{ 110, 0, 1, 8 }, { 111, 0, 1, 80 }, { 113, 1, 3, 80 },
	};
	struct bench *b = bench_new();
	struct setup *s = setup_new();
	struct pd_id_index x;
	struct pd_id_index_entry e;

	synth_id_index(&b->out, &s->l, &s->t);
	bench_records(b);
	CHECK_EQ(b->nr, 1);
	CHECK_EQ(pd_read_id_index(&b->recs[0], false, &x, NULL), 0);
	CHECK_EQ(x.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < x.nr; i++) {
		e = pd_id_index_get(&x, i, false);
		CHECK_EQ(e.id, want[i][0]);
		CHECK_EQ(e.idx, want[i][1]);
		CHECK_EQ(e.cpu, want[i][2]);
		CHECK_EQ(e.tid, want[i][3]);
	}
	/* --per-thread: a ring for each thread, any CPU */
	wb_fini(&b->out);
	s->t.any_cpu = true;
	s->t.cpus.nr = 0;
	s->ev[0].nr_fds = 2;
	s->l.nr = 1;
	synth_id_index(&b->out, &s->l, &s->t);
	bench_records(b);
	CHECK_EQ(pd_read_id_index(&b->recs[0], false, &x, NULL), 0);
	CHECK_EQ(x.nr, 2);
	e = pd_id_index_get(&x, 1, false);
	CHECK_EQ(e.idx, 1);
	CHECK_EQ(e.cpu, UINT64_MAX);
	CHECK_EQ(e.tid, 80);
	free(s);
	bench_free(b);
}

static char *types_of(const struct bench *b)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	for (size_t i = 0; i < b->nr; i++)
		fprintf(f, "%s%s", i ? " " : "", pd_record_name(b->recs[i].type));
	fclose(f);
	return text;
}

static void check_types(struct bench *b, const struct setup *s, const char *want)
{
	char *got;

	wb_fini(&b->out);
	synthesize_all(&b->out, &s->l, &s->t, &b->o, NULL);
	bench_records(b);
	got = types_of(b);
	CHECK_STR(got, want);
	free(got);
}

TEST(order_of_everything)
{
	struct bench *b = bench_new();
	struct setup *s = setup_new();
	struct cpu_list pmu_cpus = { s->cpus, 1, 1 };
	struct pd_event_update u;

	fake_processes(b);
	fake_kernel(b);
	fake_file(&b->proc, "modules", "%s", "");
	b->o.bpf_event = REC_OFF;
	s->ev[0].unit = (char *)"msec";
	s->ev[0].scale = 1e-6;
	s->ev[1].pmu_cpus = &pmu_cpus;
	check_types(b, s,
		    "ID_INDEX MMAP2 EVENT_UPDATE EVENT_UPDATE EVENT_UPDATE THREAD_MAP CPU_MAP COMM "
		    "MMAP2 COMM FINISHED_INIT");
	CHECK_EQ(pd_read_event_update(&b->recs[2], false, &u, NULL), 0);
	CHECK_EQ(u.type, PD_UPDATE_UNIT);
	CHECK_EQ(u.id, 100);
	CHECK_STR(text_of(u.text), "msec");
	CHECK_EQ(pd_read_event_update(&b->recs[4], false, &u, NULL), 0);
	CHECK_EQ(u.type, PD_UPDATE_CPUS);
	CHECK_EQ(u.id, 110);

	/* user only: nothing of the kernel; pipes: names */
	b->o.output = "-";
	s->ev[0].unit = NULL;
	s->ev[0].scale = 1;
	s->ev[1].pmu_cpus = NULL;
	for (int i = 0; i < 2; i++)
		s->ev[i].attr.flags |= 1ull << PD_ATTR_EXCLUDE_KERNEL;
	check_types(b, s,
		    "ID_INDEX EVENT_UPDATE EVENT_UPDATE THREAD_MAP CPU_MAP COMM MMAP2 COMM "
		    "FINISHED_INIT");
	CHECK_EQ(pd_read_event_update(&b->recs[2], false, &u, NULL), 0);
	CHECK_EQ(u.type, PD_UPDATE_NAME);
	CHECK_STR(text_of(u.text), "second");

	b->o.output = NULL;
	b->o.synth_none = true;
	check_types(b, s, "ID_INDEX THREAD_MAP CPU_MAP FINISHED_INIT");
	s->t.kind = REC_TARGET_WORKLOAD;
	b->o.synth_none = false;
	check_types(b, s, "ID_INDEX THREAD_MAP CPU_MAP COMM FINISHED_INIT");
	free(s);
	bench_free(b);
}

TEST(threads_and_cpus)
{
	struct bench *b = bench_new();
	struct setup *s = setup_new();
	struct pd_thread_map tm;
	struct pd_cpu_map cm;
	u32 pos = 0;
	s32 cpu;

	synth_thread_map(&b->out, &s->t);
	synth_cpu_map(&b->out, &s->t);
	s->threads[0] = (struct rec_thread){ -1, -1, "", false };
	s->t.nr_threads = 1;
	s->t.any_cpu = true;
	synth_thread_map(&b->out, &s->t);
	synth_cpu_map(&b->out, &s->t);
	bench_records(b);
	CHECK_EQ(b->nr, 4);
	CHECK_EQ(pd_read_thread_map(&b->recs[0], false, &tm, NULL), 0);
	CHECK_EQ(tm.nr, 2);
	CHECK_EQ(pd_thread_map_get(&tm, 1, false).pid, 80);
	CHECK_EQ(pd_read_cpu_map(&b->recs[1], false, &cm, NULL), 0);
	CHECK(pd_cpu_map_next(&cm, &pos, false, &cpu));
	CHECK_EQ(cpu, 1);
	CHECK(pd_cpu_map_next(&cm, &pos, false, &cpu));
	CHECK_EQ(cpu, 3);
	CHECK(!pd_cpu_map_next(&cm, &pos, false, &cpu));
	CHECK_EQ(pd_read_thread_map(&b->recs[2], false, &tm, NULL), 0);
	CHECK_EQ(pd_thread_map_get(&tm, 0, false).pid, UINT64_MAX);
	CHECK_EQ(pd_read_cpu_map(&b->recs[3], false, &cm, NULL), 0);
	pos = 0;
	CHECK(pd_cpu_map_next(&cm, &pos, false, &cpu));
	CHECK_EQ(cpu, -1);
	free(s);
	bench_free(b);
}
