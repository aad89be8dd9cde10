/* SPDX-License-Identifier: MIT */
/* Records of the kernel's kinds, encoded and decoded again. */
#include "fileformat/write/record_encode.h"

#include "base/mem.h"
#include "fileformat/record_minor.h"
#include "tests/fileformat/write/use_record_encode.h"
#include "tests/frame/unit.h"

TEST(trailer_size_by_attr)
{
	struct pd_attr a = encode_attr(PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
					       PD_SAMPLE_CALLCHAIN | PD_SAMPLE_PERIOD,
				       true);

	CHECK_EQ(pd_trailer_size(&a), 16);
	a.sample_type |= PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU | PD_SAMPLE_IDENTIFIER;
	CHECK_EQ(pd_trailer_size(&a), 48);
	a.flags = 0;
	CHECK_EQ(pd_trailer_size(&a), 0);
}

static struct pd_mmap a_mapping(const char *name)
{
	return (struct pd_mmap){ .pid = 10,
				 .tid = 11,
				 .start = 0x7f0000001000,
				 .len = 0x2000,
				 .pgoff = 0x3000,
				 .maj = 8,
				 .min = 1,
				 .ino = 77,
				 .ino_generation = 5,
				 .prot = 5,
				 .flags = 2,
				 .filename = span_of(name, strlen(name)) };
}

TEST(mmap)
{
	struct pd_mmap m = a_mapping("[kernel.kallsyms]_text"), got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	/* the bit of MMAP2 must not slip in */
	m.has_build_id = true;
	pd_put_mmap(&b, &m, PD_CPUMODE_KERNEL | PD_MISC_MMAP_DATA, TRAILER);
	r = encoded_only(&b, PD_RECORD_MMAP);
	CHECK_EQ(r.size, 40 + 24 + TRAILER);
	CHECK_EQ(r.misc, PD_CPUMODE_KERNEL | PD_MISC_MMAP_DATA);
	CHECK(!pd_read_mmap(&r, false, &got, &e));
	CHECK_EQ(got.pid, 10);
	CHECK_EQ(got.tid, 11);
	CHECK_EQ(got.start, 0x7f0000001000);
	CHECK_EQ(got.len, 0x2000);
	CHECK_EQ(got.pgoff, 0x3000);
	CHECK_TEXT(got.filename, "[kernel.kallsyms]_text");
	check_encoded_trailer(&r, TRAILER);
	wb_fini(&b);
}

TEST(mmap2_with_inode)
{
	struct pd_mmap m = a_mapping("/bin/x"), got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	m.is_mmap2 = true;
	pd_put_mmap(&b, &m, PD_CPUMODE_USER | PD_MISC_MMAP_BUILD_ID, TRAILER);
	r = encoded_only(&b, PD_RECORD_MMAP2);
	CHECK_EQ(r.size, 72 + 8 + TRAILER);
	CHECK_EQ(r.misc, PD_CPUMODE_USER);
	CHECK(!pd_read_mmap(&r, false, &got, &e));
	CHECK(!got.has_build_id);
	CHECK_EQ(got.maj, 8);
	CHECK_EQ(got.min, 1);
	CHECK_EQ(got.ino, 77);
	CHECK_EQ(got.ino_generation, 5);
	CHECK_EQ(got.prot, 5);
	CHECK_EQ(got.flags, 2);
	CHECK_TEXT(got.filename, "/bin/x");
	wb_fini(&b);
}

TEST(mmap2_with_build_id)
{
	struct pd_mmap m = a_mapping("/bin/x"), got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	m.is_mmap2 = m.has_build_id = true;
	m.build_id.size = 16;
	memset(m.build_id.data, 0xab, 16);
	pd_put_mmap(&b, &m, PD_CPUMODE_USER, TRAILER);
	r = encoded_only(&b, PD_RECORD_MMAP2);
	CHECK_EQ(r.misc, PD_CPUMODE_USER | PD_MISC_MMAP_BUILD_ID);
	CHECK(!pd_read_mmap(&r, false, &got, &e));
	CHECK(got.has_build_id);
	CHECK_EQ(got.build_id.size, 16);
	CHECK_MEM(got.build_id.data, m.build_id.data, 20);
	CHECK_EQ(got.prot, 5);
	CHECK_EQ(got.flags, 2);
	wb_fini(&b);
}

TEST(names_of_every_length_are_padded)
{
	char name[40];
	struct pd_mmap m, got;
	struct wbuf b = { 0 };
	struct pd_record r;
	size_t n, at = 0;
	struct perr e;

	memset(name, 'n', sizeof(name));
	for (n = 0; n < sizeof(name); n++) {
		m = a_mapping("");
		m.filename = span_of(name, n);
		pd_put_mmap(&b, &m, PD_CPUMODE_USER, TRAILER);
		r = encoded_next(&b, &at, PD_RECORD_MMAP);
		CHECK_EQ(r.size, 40 + (n + 8) / 8 * 8 + TRAILER);
		CHECK(!pd_read_mmap(&r, false, &got, &e));
		CHECK_EQ(got.filename.n, n);
		check_encoded_trailer(&r, TRAILER);
	}
	CHECK_EQ(at, b.n);
	wb_fini(&b);
}

TEST(endless_names_are_cut)
{
	char *name = xmalloc(100000);
	struct wbuf b = { 0 };
	struct pd_mmap m, got;
	struct pd_ksymbol k;
	struct pd_cgroup g;
	struct pd_record r;
	struct pd_comm c;
	struct perr e;
	size_t at = 0;

	memset(name, 'n', 99999);
	name[99999] = '\0';
	m = a_mapping(name);
	pd_put_mmap(&b, &m, 0, TRAILER);
	pd_put_comm(&b, 1, 2, name, 0, TRAILER);
	pd_put_ksymbol(&b, 1, 2, 3, 4, name, TRAILER);
	pd_put_cgroup(&b, 1, name, TRAILER);
	r = encoded_next(&b, &at, PD_RECORD_MMAP);
	CHECK(!pd_read_mmap(&r, false, &got, &e));
	CHECK_EQ(got.filename.n, 4095);
	r = encoded_next(&b, &at, PD_RECORD_COMM);
	CHECK_EQ(r.size, 16 + 16 + TRAILER);
	CHECK(!pd_read_comm(&r, false, &c, &e));
	CHECK_EQ(c.comm.n, 15);
	r = encoded_next(&b, &at, PD_RECORD_KSYMBOL);
	CHECK(!pd_read_ksymbol(&r, false, &k, &e));
	CHECK_EQ(k.name.n, 255);
	r = encoded_next(&b, &at, PD_RECORD_CGROUP);
	CHECK(!pd_read_cgroup(&r, false, &g, &e));
	CHECK_EQ(g.path.n, 4095);
	CHECK_EQ(at, b.n);
	wb_fini(&b);
	free(name);
}

TEST(comm)
{
	struct wbuf b = { 0 };
	struct pd_record r;
	struct pd_comm c;
	struct perr e;

	pd_put_comm(&b, 3, 4, "perf-exec", PD_MISC_COMM_EXEC, TRAILER);
	r = encoded_only(&b, PD_RECORD_COMM);
	CHECK_EQ(r.misc, PD_MISC_COMM_EXEC);
	CHECK_EQ(r.size, 16 + 16 + TRAILER);
	CHECK(!pd_read_comm(&r, false, &c, &e));
	CHECK_EQ(c.pid, 3);
	CHECK_EQ(c.tid, 4);
	CHECK_TEXT(c.comm, "perf-exec");
	check_encoded_trailer(&r, TRAILER);
	wb_fini(&b);
}

TEST(fork)
{
	struct pd_task t = { .pid = 1, .ppid = 2, .tid = 3, .ptid = 4, .time = 5 }, got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	pd_put_fork(&b, &t, PD_MISC_FORK_EXEC, TRAILER);
	r = encoded_only(&b, PD_RECORD_FORK);
	CHECK_EQ(r.misc, PD_MISC_FORK_EXEC);
	CHECK_EQ(r.size, 32 + TRAILER);
	CHECK(!pd_read_task(&r, false, &got, &e));
	CHECK_MEM(&got, &t, sizeof(t));
	wb_fini(&b);
}

TEST(namespaces)
{
	struct pd_ns_link links[7];
	struct pd_namespaces ns;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;
	u32 i;

	for (i = 0; i < 7; i++)
		links[i] = (struct pd_ns_link){ .dev = 3, .ino = 1000 + i };
	pd_put_namespaces(&b, 8, 9, links, 7, TRAILER);
	r = encoded_only(&b, PD_RECORD_NAMESPACES);
	CHECK_EQ(r.size, 24 + 7 * 16 + TRAILER);
	CHECK(!pd_read_namespaces(&r, false, &ns, &e));
	CHECK_EQ(ns.pid, 8);
	CHECK_EQ(ns.tid, 9);
	CHECK_EQ(ns.nr, 7);
	CHECK_EQ(span_u64(ns.links, 12, false), 3);
	CHECK_EQ(span_u64(ns.links, 13, false), 1006);
	wb_fini(&b);
}

TEST(kernel_symbols_and_programs)
{
	struct pd_bpf_event ev = {
		.type = 1, .flags = 2, .id = 3, .tag = { 1, 2, 3, 4, 5, 6, 7, 8 }
	};
	struct pd_bpf_event got_ev;
	struct wbuf b = { 0 };
	struct pd_ksymbol k;
	struct pd_record r;
	struct perr e;
	size_t at = 0;

	pd_put_ksymbol(&b, 0xffffffffc0001000, 99, 1, 0, "bpf_prog_12_x", TRAILER);
	pd_put_bpf_event(&b, &ev, TRAILER);
	r = encoded_next(&b, &at, PD_RECORD_KSYMBOL);
	CHECK(!pd_read_ksymbol(&r, false, &k, &e));
	CHECK_EQ(k.addr, 0xffffffffc0001000);
	CHECK_EQ(k.len, 99);
	CHECK_EQ(k.ksym_type, 1);
	CHECK_EQ(k.flags, 0);
	CHECK_TEXT(k.name, "bpf_prog_12_x");
	check_encoded_trailer(&r, TRAILER);
	r = encoded_next(&b, &at, PD_RECORD_BPF_EVENT);
	CHECK_EQ(r.size, 24 + TRAILER);
	CHECK(!pd_read_bpf_event(&r, false, &got_ev, &e));
	CHECK_MEM(&got_ev, &ev, sizeof(ev));
	CHECK_EQ(at, b.n);
	wb_fini(&b);
}

TEST(cgroup)
{
	struct wbuf b = { 0 };
	struct pd_cgroup g;
	struct pd_record r;
	struct perr e;

	pd_put_cgroup(&b, 4242, "/user.slice", TRAILER);
	r = encoded_only(&b, PD_RECORD_CGROUP);
	CHECK(!pd_read_cgroup(&r, false, &g, &e));
	CHECK_EQ(g.id, 4242);
	CHECK_TEXT(g.path, "/user.slice");
	wb_fini(&b);
}

/* The id is where the reader of this attr looks for it. */
static void check_lost(u64 sample_type, bool id_all, u64 want_id)
{
	struct pd_event ev = { .attr = encode_attr(sample_type, id_all) };
	struct pd_lost_samples lost;
	struct wbuf b = { 0 };
	struct pd_sample s;
	struct pd_record r;
	struct perr e;

	pd_event_prepare(&ev);
	pd_put_lost_samples(&b, &ev.attr, 12, 345);
	r = encoded_only(&b, PD_RECORD_LOST_SAMPLES);
	CHECK_EQ(r.size, 16 + pd_trailer_size(&ev.attr));
	CHECK(!pd_read_lost_samples(&r, false, &lost, &e));
	CHECK_EQ(lost.lost, 12);
	memset(&s, 0, sizeof(s));
	CHECK(!pd_read_sample_id(&ev, &r, false, &s, &e));
	CHECK_EQ(s.id, want_id);
	wb_fini(&b);
}

TEST(lost_samples_carry_the_id)
{
	u64 all = PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU;

	check_lost(all | PD_SAMPLE_ID, true, 345);
	check_lost(all | PD_SAMPLE_IDENTIFIER, true, 345);
	check_lost(PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_ID, true, 345);
	check_lost(PD_SAMPLE_IP | PD_SAMPLE_ID, false, 0);
}

TEST(marks)
{
	struct wbuf b = { 0 };
	size_t at = 0;

	pd_put_finished_round(&b);
	pd_put_finished_init(&b);
	CHECK_EQ(encoded_next(&b, &at, PD_RECORD_FINISHED_ROUND).size, 8);
	CHECK_EQ(encoded_next(&b, &at, PD_RECORD_FINISHED_INIT).size, 8);
	CHECK_EQ(at, b.n);
	wb_fini(&b);
}
