/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/before/synth_maps.h"
#include "record/before/synth_tasks.h"
#include "symbols/elf/object.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/synth_bench.h"
#include "tests/frame/unit.h"

static struct span line_of(const char *s)
{
	return span_of(s, strlen(s));
}

TEST(lines_of_maps)
{
	static const char *const bad[] = {
		"",
		"x",
		"1000-2000",
		"1000-2000 r-xp",
		"1000-2000 r-xp 0 fe:00",
		"1000-2000 r-xp 0 fe:00 ",
		"1000-2000 r-xp 0 fe:00 x",
		"2000-1000 r-xp 0 fe:00 1",
		"1000-1000 r-xp 0 fe:00 1",
		"10000000000000000-2 r-xp 0 fe:00 1",
		"1000-2000 r-xp 0 fe 1",
		"1000-2000 r-xp 0 fe:100000000 1",
		"1000-2000 r-xp 0 fe:00 99999999999999999999",
	};
	struct maps_line m;

	CHECK(maps_line_parse(line_of("7f1-7f3 r-xs 2000 fe:1f 42        /a b (deleted)"), &m));
	CHECK_EQ(m.start, 0x7f1);
	CHECK_EQ(m.end, 0x7f3);
	CHECK_EQ(m.prot, PROT_READ | PROT_EXEC);
	CHECK(m.shared);
	CHECK_EQ(m.pgoff, 0x2000);
	CHECK_EQ(m.maj, 0xfe);
	CHECK_EQ(m.min, 0x1f);
	CHECK_EQ(m.ino, 42);
	CHECK_STR(text_of(m.name), "/a b (deleted)");
	CHECK(maps_line_parse(line_of("ffffffffff600000-ffffffffff601000 --xp 0 00:00 0"), &m));
	CHECK_EQ(m.prot, PROT_EXEC);
	CHECK_EQ(m.name.n, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(!maps_line_parse(line_of(bad[i]), &m));
}

#define ODD_MAPS                                                         \
	"1000-2000 r--p 00000000 00:01 7      /data\n"                   \
	"2000-3000 r-xp 00001000 00:01 0      /a b\\012c\\x (deleted)\n" \
	"not a line\n"                                                   \
	"3000-4000 rwxp 00000000 00:00 0 \n"                             \
	"4000-5000 rwxp 00000000 00:00 0      [anon:js code]\n"          \
	"5000-6000 r-xs 00000000 00:0f 9      /huge/x\n"                 \
	"6000-7000 r-xp 00000000 00:0f 0      /huger\n"                  \
	"7000-8000 rw-p 00000000 00:00 0      [anon:heap]\n"             \
	"8000-9000 ---p 00000000 00:00 0 \n"                             \
	"9000-a000 r-xp 00000000 00:00 0      [vdso]\n"

TEST(maps_become_records)
{
	struct bench *b = bench_new();
	struct pd_mmap m;

	fake_file(&b->proc, "mounts", "proc /proc proc rw 0 0\nnodev /huge hugetlbfs rw 0 0\n");
	fake_file(&b->proc, "5/maps", ODD_MAPS);
	bench_begin(b);
	synth_maps(&b->s, 5, 5);
	bench_end(b);
	CHECK_SUMMARY(b, "MMAP2 5 /a b\nc\\x (deleted); MMAP2 5 //anon; MMAP2 5 //anon; "
			 "MMAP2 5 //anon; MMAP2 5 /huger; MMAP2 5 [vdso]");
	for (size_t i = 0; i < b->nr; i++) {
		CHECK_EQ(b->recs[i].misc, PD_CPUMODE_USER);
		for (size_t k = b->recs[i].size - TRAILER; k < b->recs[i].size; k++)
			CHECK_EQ(b->recs[i].data[k], 0);
	}
	m = mmap_at(b, 0);
	CHECK_EQ(m.start, 0x2000);
	CHECK_EQ(m.len, 0x1000);
	CHECK_EQ(m.pgoff, 0x1000);
	CHECK_EQ(m.min, 1);
	CHECK_EQ(m.flags, MAP_PRIVATE);
	CHECK_EQ(m.prot, PROT_READ | PROT_EXEC);
	CHECK_EQ(mmap_at(b, 3).flags, MAP_SHARED | MAP_HUGETLB);
	CHECK_EQ(mmap_at(b, 4).flags, MAP_PRIVATE);
	bench_free(b);
}

TEST(data_maps_with_addresses)
{
	struct bench *b = bench_new();

	fake_file(&b->proc, "5/maps", ODD_MAPS);
	b->o.sample_address = true;
	bench_begin(b);
	synth_maps(&b->s, 5, 5);
	bench_end(b);
	CHECK_SUMMARY(b, "MMAP2 5 /data; MMAP2 5 /a b\nc\\x (deleted); MMAP2 5 //anon; "
			 "MMAP2 5 //anon; MMAP2 5 /huge/x; MMAP2 5 /huger; MMAP2 5 [anon:heap]; "
			 "MMAP2 5 [vdso]");
	CHECK_EQ(b->recs[0].misc, PD_CPUMODE_USER | PD_MISC_MMAP_DATA);
	CHECK_EQ(b->recs[1].misc, PD_CPUMODE_USER);
	bench_free(b);
}

TEST(endless_line_is_passed_over)
{
	struct bench *b = bench_new();
	char *text = xmalloc(400001);
	char *name = xmalloc(6001);

	memset(text, 'x', 400000);
	text[400000] = 0;
	memset(name, 'n', 6000);
	name[6000] = 0;
	fake_file(&b->proc, "5/maps",
		  "1000-2000 r-xp 0 0:0 0 /a\n2000-3000 r-xp 0 0:0 0 /%s\n"
		  "3000-4000 r-xp 0 0:0 0 /b\n4000-5000 r-xp 0 0:0 0 /%s\n"
		  "5000-6000 r-xp 0 0:0 0 /unfinished",
		  text, name);
	free(text);
	free(name);
	bench_begin(b);
	synth_maps(&b->s, 5, 5);
	bench_end(b);
	CHECK_EQ(b->nr, 3);
	CHECK_STR(name_at(b, 0), "/a");
	CHECK_STR(name_at(b, 1), "/b");
	CHECK(mmap_at(b, 2).filename.n > 4000); /* cut */
	bench_free(b);
}

TEST(time_for_maps_is_bounded)
{
	struct bench *b = bench_new();
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	for (int i = 0; i < 200000; i++)
		fprintf(f, "%x-%x rw-p 00000000 00:00 0 \n", i * 4096 + 4096, i * 4096 + 8192);
	fputs("40000000-40001000 r-xp 0 0:0 0 /a\n40001000-40002000 r-xp 0 0:0 0 /b\n", f);
	fclose(f);
	fake_bytes(&b->proc, "5/maps", text, n);
	/* Large enough to take more than 1 ms: the last lines come too late. */
	b->o.proc_map_timeout_ms = 1;
	bench_begin(b);
	synth_maps(&b->s, 5, 5);
	bench_end(b);
	CHECK(b->nr <= 1);
	if (b->nr)
		CHECK_EQ(b->recs[0].misc, PD_CPUMODE_USER | 1u << 12);
	CHECK(told(b, "--proc-map-timeout"));
	free(text);
	bench_free(b);
}

static u64 inode_of(const struct fake_tree *t, const char *rest)
{
	char *path = xasprintf("%s/%s", t->root, rest);
	struct stat st;

	CHECK_EQ(stat(path, &st), 0);
	free(path);
	return st.st_ino;
}

static void fake_elf(const struct fake_tree *t, const char *rest, u8 fill)
{
	struct mkelf *e = mkelf_new(true, false, ET_DYN, 62);
	u8 id[20], *p;
	size_t n;

	memset(id, fill, sizeof(id));
	mkelf_build_id(e, id, sizeof(id));
	p = mkelf_end(e, &n);
	fake_bytes(t, rest, p, n);
	free(p);
}

TEST(build_ids_of_maps)
{
	struct bench *b = bench_new();
	struct pd_mmap m;

	fake_elf(&b->proc, "5/root/lib/a.so", 0xaa);
	fake_elf(&b->proc, "5/root/lib/new.so", 0xbb);
	fake_file(&b->proc, "5/root/lib/text", "no ELF\n");
	fake_elf(&b->proc, "5/map_files/9000-a000", 0xcc);
	fake_file(&b->proc, "5/maps",
		  "1000-2000 r-xp 0 fe:1 %llu /lib/a.so\n"
		  "2000-3000 r-xp 0 fe:1 99999999 /lib/new.so\n"
		  "3000-4000 r-xp 0 fe:1 %llu /lib/text\n"
		  "4000-5000 r-xp 0 fe:1 1 /lib/gone\n"
		  "5000-6000 r-xp 1000 fe:1 %llu /lib/a.so\n"
		  "9000-a000 r-xp 0 fe:1 %llu /c (deleted)\n",
		  (unsigned long long)inode_of(&b->proc, "5/root/lib/a.so"),
		  (unsigned long long)inode_of(&b->proc, "5/root/lib/text"),
		  (unsigned long long)inode_of(&b->proc, "5/root/lib/a.so"),
		  (unsigned long long)inode_of(&b->proc, "5/map_files/9000-a000"));
	bench_begin(b);
	synth_maps(&b->s, 5, 5);
	bench_end(b);
	CHECK_EQ(b->nr, 6);
	m = mmap_at(b, 0);
	CHECK_EQ(b->recs[0].misc, PD_CPUMODE_USER | PD_MISC_MMAP_BUILD_ID);
	CHECK(m.has_build_id);
	CHECK_EQ(m.build_id.size, 20);
	CHECK_EQ(m.build_id.data[19], 0xaa);
	/* Another file has taken the name: no id is better than a wrong one. */
	CHECK_EQ(b->recs[1].misc, PD_CPUMODE_USER);
	CHECK_EQ(mmap_at(b, 1).ino, 99999999);
	CHECK_EQ(b->recs[2].misc, PD_CPUMODE_USER);
	CHECK_EQ(b->recs[3].misc, PD_CPUMODE_USER);
	CHECK_EQ(mmap_at(b, 4).build_id.data[0], 0xaa);
	CHECK_EQ(mmap_at(b, 5).build_id.data[0], 0xcc);
	wb_fini(&b->out);
	b->o.buildid_mmap = false;
	bench_begin(b);
	synth_maps(&b->s, 5, 5);
	bench_end(b);
	CHECK_EQ(b->nr, 6);
	CHECK_EQ(b->recs[0].misc, PD_CPUMODE_USER);
	bench_free(b);
}

TEST(every_task)
{
	struct bench *b = bench_new();
	const char *want[] = {
		"FORK 7/7 from 1; COMM 7/7 plain; MMAP2 7 /seven",
		"FORK 8/8 from 7; COMM 8/8 a\nb\\c d)e; MMAP2 8 /eight; FORK 8/80 from 8; "
		"COMM 8/80 worker-with-a-v",
		"FORK 9/9 from 2; COMM 9/9 kworker/0:1-eve",
		"FORK 11/11 from 1; COMM 11/11 main; FORK 11/12 from 11; COMM 11/12 rest; "
		"MMAP2 11 /eleven",
	};
	size_t len = 0;
	char *got;

	fake_processes(b);
	bench_begin(b);
	synth_all_tasks(&b->s);
	bench_end(b);
	got = summary(b);
	/* Folders of a file system other than /proc have no order. */
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		if (!strstr(got, want[i]))
			unit_fail(__FILE__, __LINE__, "no \"%s\" in \"%s\"", want[i], got);
		len += strlen(want[i]) + 2;
	}
	CHECK_EQ(strlen(got) + 2, len);
	free(got);
	bench_free(b);
}

static void run_targets(struct bench *b, struct rec_thread *threads, size_t nr)
{
	struct rec_target t = { .kind = REC_TARGET_PIDS, .threads = threads, .nr_threads = nr };

	wb_fini(&b->out);
	bench_begin(b);
	synth_target_tasks(&b->s, &t);
	bench_end(b);
}

TEST(tasks_of_a_target)
{
	struct bench *b = bench_new();
	struct rec_thread both[] = { { 8, 8, "", false }, { 8, 80, "", false } };
	struct rec_thread gone[] = { { 10, 10, "", true }, { 7, 7, "", false } };
	struct rec_thread half_dead[] = { { 11, 11, "", false }, { 11, 12, "", false } };

	fake_processes(b);
	run_targets(b, both, 2);
	CHECK_SUMMARY(b, "COMM 8/8 a\nb\\c d)e; MMAP2 8 /eight; COMM 8/80 worker-with-a-v");
	/* -t: the process of the thread is told as well */
	fake_file(&b->proc, "8/task/80/maps", "1000-2000 r-xp 0 0:0 0 /eight\n");
	run_targets(b, both + 1, 1);
	CHECK_SUMMARY(b, "COMM 8/80 worker-with-a-v; COMM 8/8 a\nb\\c d)e; MMAP2 8 /eight");
	run_targets(b, gone, 2);
	CHECK_SUMMARY(b, "COMM 7/7 plain; MMAP2 7 /seven");
	run_targets(b, half_dead, 2);
	CHECK_SUMMARY(b, "COMM 11/11 main; COMM 11/12 rest; MMAP2 11 /eleven");
	b->o.synth_mmap_off = true;
	b->o.namespaces = true;
	run_targets(b, both, 2);
	CHECK_SUMMARY(b, "COMM 8/8 a\nb\\c d)e; NS 8/8; COMM 8/80 worker-with-a-v; NS 8/80");
	bench_free(b);
}

TEST(namespaces_of_this_process)
{
	struct bench *b = bench_new();
	struct pd_namespaces ns;
	struct stat st;

	if (stat("/proc/self/ns/mnt", &st))
		SKIP("no /proc/self/ns");
	b->o.host.procfs = "/proc";
	b->o.namespaces = true;
	prctl(PR_SET_NAME, "some name");
	bench_begin(b);
	synth_workload(&b->s, getpid());
	bench_end(b);
	CHECK_EQ(b->nr, 2);
	CHECK_EQ(b->recs[0].type, PD_RECORD_COMM);
	CHECK_EQ(pd_read_namespaces(&b->recs[1], false, &ns, NULL), 0);
	CHECK_EQ(ns.nr, 7);
	CHECK_EQ(span_u64(ns.links, 10, false), st.st_dev); /* mnt is the sixth */
	CHECK_EQ(span_u64(ns.links, 11, false), st.st_ino);
	bench_free(b);
}

TEST(maps_of_this_process)
{
	struct bench *b = bench_new();
	FILE *f = fopen("/proc/self/maps", "re");
	struct object *self = NULL;
	char line[4096], exe[4096];
	size_t want = 0, nr_self = 0;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (!f || n <= 0)
		SKIP("no /proc");
	exe[n] = 0;
	while (fgets(line, sizeof(line), f)) {
		char perms[8];

		if (sscanf(line, "%*s %7s", perms) == 1 && perms[2] == 'x')
			want++;
	}
	fclose(f);
	CHECK_EQ(object_open("/proc/self/exe", &self, NULL), 0);
	b->o.host.procfs = "/proc";
	bench_begin(b);
	synth_maps(&b->s, getpid(), getpid());
	bench_end(b);
	CHECK_EQ(b->nr, want);
	for (size_t i = 0; i < b->nr; i++) {
		struct pd_mmap m = mmap_at(b, i);

		if (m.filename.n != strlen(exe) || memcmp(m.filename.p, exe, m.filename.n))
			continue;
		nr_self++;
		CHECK_EQ(m.has_build_id, self->build_id_size > 0);
		if (m.has_build_id)
			CHECK_MEM(m.build_id.data, self->build_id, self->build_id_size);
	}
	CHECK(nr_self >= 1);
	object_close(self);
	bench_free(b);
}
