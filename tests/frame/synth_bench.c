/* SPDX-License-Identifier: MIT */
#include "tests/frame/synth_bench.h"

#include <stdio.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

struct bench *bench_new(void)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	b->proc = fake_tree_new();
	b->sys = fake_tree_new();
	diag_init(&b->diag);
	rec_opts_init(&b->o);
	b->o.host.procfs = b->proc.root;
	b->o.host.sysfs = b->sys.root;
	b->o.diag = &b->diag;
	return b;
}

void bench_begin(struct bench *b)
{
	synth_init(&b->s, &b->out, &b->o, TRAILER);
}

void bench_records(struct bench *b)
{
	size_t off = 0;

	b->nr = 0;
	while (off < b->out.n) {
		struct pd_record r = { .off = off, .data = b->out.p + off };

		CHECK(b->out.n - off >= 8);
		r.type = get_u32(r.data, false);
		r.misc = get_u16(r.data + 4, false);
		r.size = get_u16(r.data + 6, false);
		CHECK(r.size >= 8 && r.size <= b->out.n - off);
		CHECK(b->nr < ARRAY_SIZE(b->recs));
		b->recs[b->nr++] = r;
		off += r.size;
	}
}

void bench_end(struct bench *b)
{
	synth_fini(&b->s);
	bench_records(b);
}

void bench_free(struct bench *b)
{
	wb_fini(&b->out);
	diag_fini(&b->diag);
	fake_tree_free(&b->proc);
	fake_tree_free(&b->sys);
	free(b);
}

struct pd_mmap mmap_at(const struct bench *b, size_t i)
{
	struct pd_mmap m;

	CHECK(i < b->nr);
	CHECK(b->recs[i].type == PD_RECORD_MMAP2 || b->recs[i].type == PD_RECORD_MMAP);
	CHECK_EQ(pd_read_mmap(&b->recs[i], false, &m, NULL), 0);
	return m;
}

const char *text_of(struct span s)
{
	static char bufs[4][5000];
	static int next;
	char *buf = bufs[next++ % 4];

	CHECK(s.n < sizeof(bufs[0]));
	memcpy(buf, s.p, s.n);
	buf[s.n] = 0;
	return buf;
}

const char *name_at(const struct bench *b, size_t i)
{
	return text_of(mmap_at(b, i).filename);
}

bool told(const struct bench *b, const char *part)
{
	for (size_t i = 0; i < b->diag.nr; i++)
		if (strstr(b->diag.entries[i].text, part))
			return true;
	return false;
}

char *summary(const struct bench *b)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	CHECK(f);
	for (size_t i = 0; i < b->nr; i++) {
		const struct pd_record *r = &b->recs[i];
		struct pd_task task;
		struct pd_comm comm;
		struct pd_mmap m;
		struct pd_namespaces ns;

		if (i)
			fputs("; ", f);
		switch (r->type) {
		case PD_RECORD_FORK:
			CHECK_EQ(pd_read_task(r, false, &task, NULL), 0);
			CHECK_EQ(r->misc, PD_MISC_FORK_EXEC);
			CHECK_EQ(task.time, 0);
			CHECK_EQ(task.ppid, task.ptid);
			fprintf(f, "FORK %u/%u from %u", task.pid, task.tid, task.ppid);
			break;
		case PD_RECORD_COMM:
			CHECK_EQ(pd_read_comm(r, false, &comm, NULL), 0);
			CHECK_EQ(r->misc, 0);
			fprintf(f, "COMM %u/%u %s", comm.pid, comm.tid, text_of(comm.comm));
			break;
		case PD_RECORD_MMAP:
		case PD_RECORD_MMAP2:
			CHECK_EQ(pd_read_mmap(r, false, &m, NULL), 0);
			CHECK_EQ(m.pid == UINT32_MAX ? 0 : m.pid, m.tid);
			fprintf(f, "%s %d %s", pd_record_name(r->type), (s32)m.pid,
				text_of(m.filename));
			break;
		case PD_RECORD_NAMESPACES:
			CHECK_EQ(pd_read_namespaces(r, false, &ns, NULL), 0);
			CHECK_EQ(ns.nr, 7);
			fprintf(f, "NS %u/%u", ns.pid, ns.tid);
			break;
		default: fputs(pd_record_name(r->type), f);
		}
	}
	fclose(f);
	return text;
}

void fake_status(const struct bench *b, const char *rest, const char *name, int tgid, int ppid,
		 bool memory, int nr_threads)
{
	fake_file(&b->proc, rest,
		  "Name:\t%s\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t%d\nNgid:\t0\nPid:\t1\n"
		  "PPid:\t%d\n%sThreads:\t%d\nSigQ:\t0/1\n",
		  name, tgid, ppid, memory ? "VmPeak:\t 1 kB\nVmSize:\t 1 kB\n" : "", nr_threads);
}

void fake_processes(const struct bench *b)
{
	fake_status(b, "7/status", "plain", 7, 1, true, 1);
	fake_file(&b->proc, "7/maps", "1000-2000 r-xp 0 0:0 0 /seven\n");
	fake_status(b, "8/status", "a\\nb\\\\c d)e", 8, 7, true, 2);
	fake_status(b, "8/task/8/status", "a\\nb\\\\c d)e", 8, 7, true, 2);
	fake_status(b, "8/task/80/status", "worker-with-a-very-long-name", 8, 7, true, 2);
	fake_folder(&b->proc, "8/task/81");
	fake_file(&b->proc, "8/maps", "1000-2000 r-xp 0 0:0 0 /eight\n");
	fake_status(b, "9/status", "kworker/0:1-events_and_more", 9, 2, false, 1);
	fake_file(&b->proc, "9/maps", "1000-2000 r-xp 0 0:0 0 /none\n");
	fake_folder(&b->proc, "10");
	fake_status(b, "11/status", "main", 11, 1, false, 2);
	fake_status(b, "11/task/12/status", "rest", 11, 1, true, 2);
	fake_file(&b->proc, "11/task/12/maps", "1000-2000 r-xp 0 0:0 0 /eleven\n");
	fake_file(&b->proc, "13/status", "Name:\tno more\n");
	fake_folder(&b->proc, "self");
	fake_folder(&b->proc, "99999999999999999999");
}

void fake_kernel(const struct bench *b)
{
	u8 notes[36] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0 };

	fake_file(&b->proc, "kallsyms",
		  "0000000000000000 A fixed\nffffffff81000000 T _stext\nffffffff81000000 T _text\n"
		  "ffffffff81001000 t f.x\nffffffff82000000 T _etext\n"
		  "ffffffffc0001000 t g\t[z_mod]\nffffffff83000000 T _edata\n");
	fake_file(&b->proc, "sys/kernel/osrelease", "9.9.9-fake\n");
	fake_file(&b->proc, "modules",
		  "z_mod 16384 0 - Live 0xffffffffc0001000\n"
		  "a_mod 8192 1 z_mod, Live 0xffffffffc0000000 (O)\n"
		  "hidden 4096 0 - Live 0x0000000000000000\nodd\n");
	fake_file(&b->sys, "lib/9.9.9-fake/modules.dep",
		  "kernel/x/other.ko: \nkernel/x/z-mod.ko.xz: kernel/x/other.ko\n");
	memset(notes + 16, 0x11, 20);
	fake_bytes(&b->sys, "kernel/notes", notes, sizeof(notes));
	memset(notes + 16, 0x22, 20);
	fake_bytes(&b->sys, "module/z_mod/notes/.note.gnu.build-id", notes, sizeof(notes));
}
