/* SPDX-License-Identifier: MIT */
/* Records of the kernel: whole, cut at every byte, in both byte orders. */
#include "tests/fileformat/both_orders.h"

#include "base/mem.h"
#include "fileformat/record.h"
#include "fileformat/record_minor.h"
#include "tests/fileformat/use_record.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

BOTH(mmap)
{
	struct pd_attr a = record_attr_with_trailer();
	struct pd_mmap m;
	BUILT;

	put_mmap(&b, 0x10203, 0x7f0011223344, 0x5566, 0x1000, "/lib/x.so", &a, &trailer);
	r = last_record(&b);
	CHECK_EQ(pd_read_mmap(&r, swap, &m, &e), 0);
	CHECK_EQ(m.pid, 0x10203);
	CHECK_EQ(m.tid, 0x10203);
	CHECK_EQ(m.start, 0x7f0011223344);
	CHECK_EQ(m.len, 0x5566);
	CHECK_EQ(m.pgoff, 0x1000);
	CHECK(!m.is_mmap2);
	CHECK(!m.has_build_id);
	check_record_text(m.filename, "/lib/x.so");
	CHECK_CUTS(r, 40, pd_read_mmap(&cut, swap, &m, &e));
	bytes_free(&b);
}

BOTH(mmap2)
{
	struct pd_attr a = record_attr_with_trailer();
	struct pd_mmap m;
	BUILT;

	put_mmap2(&b, 77, 0x400000, 0x2000, 0x3000, "/bin/true", &a, &trailer);
	r = last_record(&b);
	CHECK_EQ(pd_read_mmap(&r, swap, &m, &e), 0);
	CHECK(m.is_mmap2);
	CHECK(!m.has_build_id);
	CHECK_EQ(m.build_id.size, 0);
	CHECK_EQ(m.maj, 8);
	CHECK_EQ(m.min, 1);
	CHECK_EQ(m.ino, 1234);
	CHECK_EQ(m.ino_generation, 0);
	CHECK_EQ(m.prot, 5);
	CHECK_EQ(m.flags, 2);
	check_record_text(m.filename, "/bin/true");
	CHECK_CUTS(r, 72, pd_read_mmap(&cut, swap, &m, &e));
	bytes_free(&b);
}

static void put_mmap2_build_id(struct bytes *b, u8 size_field, size_t nr_real)
{
	size_t i;

	record_begin(b, PD_RECORD_MMAP2, PD_CPUMODE_USER | PD_MISC_MMAP_BUILD_ID);
	put_u64(b, 1);
	put_u64(b, 0x1000);
	put_u64(b, 0x1000);
	put_u64(b, 0);
	put_u8(b, size_field);
	put_u8(b, 0);
	put_u16(b, 0);
	for (i = 0; i < 20; i++)
		put_u8(b, i < nr_real ? (u8)(0xa0 + i) : 0);
	put_u32(b, 5);
	put_u32(b, 2);
	put_text(b, "/x", 8);
	record_end(b);
}

BOTH(mmap2_with_build_id)
{
	static const struct {
		u8 size_field;
		size_t nr_real;
		u8 want;
	} cases[] = {
		{ 20, 20, 20 },  { 16, 16, 16 }, { 8, 8, 8 }, { 20, 16, 16 }, { 20, 8, 8 },
		{ 0, 20, 20 },   { 0, 16, 16 },  { 0, 8, 8 }, { 16, 8, 8 },   { 20, 0, 0 },
		{ 255, 20, 20 }, { 12, 12, 12 }, { 5, 5, 5 }, { 20, 17, 20 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pd_mmap m;
		BUILT;

		put_mmap2_build_id(&b, cases[i].size_field, cases[i].nr_real);
		r = last_record(&b);
		CHECK_EQ(pd_read_mmap(&r, swap, &m, &e), 0);
		CHECK(m.has_build_id);
		CHECK_EQ(m.build_id.size, cases[i].want);
		CHECK_MEM(m.build_id.data, r.data + 44, m.build_id.size);
		CHECK_EQ(m.prot, 5);
		CHECK_EQ(m.flags, 2);
		check_record_text(m.filename, "/x");
		bytes_free(&b);
	}
}

/* As the kernel leaves the bit set when another recorder asked for build-ids. */
BOTH(mmap2_has_no_build_id_although_its_bit_is_set)
{
	static const struct {
		u32 maj, min;
		u64 ino, generation;
	} files[] = {
		{ 254, 0, 248056, 0 },           /* virtio */
		{ 8, 1, 1234, 0 },               /* a disk: 8 is also the size of short build-ids */
		{ 8, 17, 1234, 0x12345678 },     /* the same, with a generation */
		{ 8, 1, 0x1234567890, 0x12345 }, /* a large inode number */
		{ 259, 3, 1234, 0 },             /* NVMe */
		{ 0, 43, 1234, 0 },              /* overlay */
		{ 0, 0, 0, 0 },                  /* [vdso] */
	};
	struct pd_mmap m;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		BUILT;

		record_begin(&b, PD_RECORD_MMAP2, PD_CPUMODE_USER | PD_MISC_MMAP_BUILD_ID);
		put_u64(&b, 1);
		put_u64(&b, 0x1000);
		put_u64(&b, 0x1000);
		put_u64(&b, 0);
		put_u32(&b, files[i].maj);
		put_u32(&b, files[i].min);
		put_u64(&b, files[i].ino);
		put_u64(&b, files[i].generation);
		put_u32(&b, 5);
		put_u32(&b, 2);
		put_text(&b, "/x", 8);
		record_end(&b);
		r = last_record(&b);
		CHECK_EQ(pd_read_mmap(&r, swap, &m, &e), 0);
		CHECK(!m.has_build_id);
		CHECK_EQ(m.maj, files[i].maj);
		CHECK_EQ(m.min, files[i].min);
		CHECK_EQ(m.ino, files[i].ino);
		CHECK_EQ(m.ino_generation, files[i].generation);
		CHECK_EQ(m.prot, 5);
		bytes_free(&b);
	}
}

BOTH(comm)
{
	struct pd_attr a = record_attr_with_trailer();
	struct pd_comm c;
	BUILT;

	put_comm(&b, 12, 13, "kworker/0:1-eve", &a, &trailer);
	r = last_record(&b);
	CHECK_EQ(pd_read_comm(&r, swap, &c, &e), 0);
	CHECK_EQ(c.pid, 12);
	CHECK_EQ(c.tid, 13);
	check_record_text(c.comm, "kworker/0:1-eve");
	CHECK_CUTS(r, 16, pd_read_comm(&cut, swap, &c, &e));
	bytes_free(&b);
}

BOTH(fork_and_exit)
{
	struct pd_attr a = record_attr_with_trailer();
	struct pd_task t;
	BUILT;

	put_task(&b, PD_RECORD_FORK, 1, 2, 3, 4, 0x1122334455667788, &a, &trailer);
	r = last_record(&b);
	CHECK_EQ(pd_read_task(&r, swap, &t, &e), 0);
	CHECK_EQ(t.pid, 1);
	CHECK_EQ(t.ppid, 2);
	CHECK_EQ(t.tid, 3);
	CHECK_EQ(t.ptid, 4);
	CHECK_EQ(t.time, 0x1122334455667788);
	CHECK_CUTS(r, 32, pd_read_task(&cut, swap, &t, &e));
	bytes_free(&b);
}

BOTH(namespaces)
{
	struct pd_namespaces ns;
	size_t i;
	BUILT;

	record_begin(&b, PD_RECORD_NAMESPACES, 0);
	put_u32(&b, 5);
	put_u32(&b, 6);
	put_u64(&b, 7);
	for (i = 0; i < 14; i++)
		put_u64(&b, 0xf0000000 + i);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_namespaces(&r, swap, &ns, &e), 0);
	CHECK_EQ(ns.pid, 5);
	CHECK_EQ(ns.tid, 6);
	CHECK_EQ(ns.nr, 7);
	CHECK_EQ(ns.links.n, 7 * 16);
	CHECK_EQ(span_u64(ns.links, 13, swap), 0xf000000d);
	CHECK_CUTS(r, 24 + 7 * 16, pd_read_namespaces(&cut, swap, &ns, &e));
	set_u64(&b, r.off + 16, 1ull << 60); /* times 16 is 0 */
	CHECK_EQ(pd_read_namespaces(&r, swap, &ns, &e), PERR_FORMAT);
	bytes_free(&b);
}

BOTH(ksymbol)
{
	struct pd_ksymbol k;
	BUILT;

	record_begin(&b, PD_RECORD_KSYMBOL, 0);
	put_u64(&b, 0xffffffffc0001000);
	put_u32(&b, 0x123);
	put_u16(&b, 1);
	put_u16(&b, 2);
	put_text(&b, "bpf_prog_1234_x", 8);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_ksymbol(&r, swap, &k, &e), 0);
	CHECK_EQ(k.addr, 0xffffffffc0001000);
	CHECK_EQ(k.len, 0x123);
	CHECK_EQ(k.ksym_type, 1);
	CHECK_EQ(k.flags, 2);
	check_record_text(k.name, "bpf_prog_1234_x");
	CHECK_CUTS(r, 24, pd_read_ksymbol(&cut, swap, &k, &e));
	bytes_free(&b);
}

BOTH(bpf_event)
{
	struct pd_bpf_event ev;
	BUILT;

	record_begin(&b, PD_RECORD_BPF_EVENT, 0);
	put_u16(&b, 1);
	put_u16(&b, 3);
	put_u32(&b, 99);
	put_mem(&b, "\1\2\3\4\5\6\7\10", 8);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_bpf_event(&r, swap, &ev, &e), 0);
	CHECK_EQ(ev.type, 1);
	CHECK_EQ(ev.flags, 3);
	CHECK_EQ(ev.id, 99);
	CHECK_MEM(ev.tag, "\1\2\3\4\5\6\7\10", 8);
	CHECK_CUTS(r, 24, pd_read_bpf_event(&cut, swap, &ev, &e));
	bytes_free(&b);
}

BOTH(cgroup)
{
	struct pd_cgroup cg;
	BUILT;

	record_begin(&b, PD_RECORD_CGROUP, 0);
	put_u64(&b, 4242);
	put_text(&b, "/system.slice", 8);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_cgroup(&r, swap, &cg, &e), 0);
	CHECK_EQ(cg.id, 4242);
	check_record_text(cg.path, "/system.slice");
	CHECK_CUTS(r, 16, pd_read_cgroup(&cut, swap, &cg, &e));
	bytes_free(&b);
}

BOTH(text_poke)
{
	struct pd_text_poke t;
	BUILT;

	record_begin(&b, PD_RECORD_TEXT_POKE, 0);
	put_u64(&b, 0xffffffff81000000);
	put_u16(&b, 5);
	put_u16(&b, 3);
	put_mem(&b, "abcdexyz", 8);
	record_end_padded(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_text_poke(&r, swap, &t, &e), 0);
	CHECK_EQ(t.addr, 0xffffffff81000000);
	CHECK_EQ(t.old_bytes.n, 5);
	CHECK_EQ(t.new_bytes.n, 3);
	CHECK_MEM(t.old_bytes.p, "abcde", 5);
	CHECK_MEM(t.new_bytes.p, "xyz", 3);
	CHECK_CUTS(r, 28, pd_read_text_poke(&cut, swap, &t, &e));
	bytes_free(&b);
}

BOTH(callchain_deferred)
{
	struct pd_callchain_deferred d;
	BUILT;

	record_begin(&b, PD_RECORD_CALLCHAIN_DEFERRED, PD_CPUMODE_USER);
	put_u64(&b, 0xc00c1e);
	put_u64(&b, 3);
	put_u64(&b, 1);
	put_u64(&b, 2);
	put_u64(&b, 3);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_callchain_deferred(&r, swap, &d, &e), 0);
	CHECK_EQ(d.cookie, 0xc00c1e);
	CHECK_EQ(d.nr, 3);
	CHECK_EQ(span_u64(d.ips, 2, swap), 3);
	CHECK_CUTS(r, 48, pd_read_callchain_deferred(&cut, swap, &d, &e));
	set_u64(&b, r.off + 16, (1ull << 61) + 1); /* times 8 is 8 */
	CHECK_EQ(pd_read_callchain_deferred(&r, swap, &d, &e), PERR_FORMAT);
	bytes_free(&b);
}

BOTH(header_build_id)
{
	struct pd_header_build_id h;
	BUILT;

	record_begin(&b, PD_RECORD_HEADER_BUILD_ID, PD_CPUMODE_KERNEL | PD_MISC_BUILD_ID_SIZE);
	put_u32(&b, (u32)-1);
	put_fill(&b, 0xab, 20);
	put_u8(&b, 16);
	put_u8(&b, 0);
	put_u16(&b, 0);
	put_text(&b, "[kernel.kallsyms]", 8);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_header_build_id(&r, swap, &h, &e), 0);
	CHECK_EQ(h.pid, -1);
	CHECK_EQ(h.build_id.size, 16);
	CHECK_EQ(h.build_id.data[15], 0xab);
	CHECK_EQ(h.build_id.data[16], 0);
	check_record_text(h.filename, "[kernel.kallsyms]");
	CHECK_CUTS(r, 36, pd_read_header_build_id(&cut, swap, &h, &e));
	/* the size is only valid with its misc bit: without it, 20 */
	r.misc = PD_CPUMODE_KERNEL;
	CHECK_EQ(pd_read_header_build_id(&r, swap, &h, &e), 0);
	CHECK_EQ(h.build_id.size, 20);
	bytes_free(&b);
}

BOTH(text_without_nul_ends_with_the_record)
{
	struct pd_comm c;
	BUILT;

	record_begin(&b, PD_RECORD_COMM, 0);
	put_u64(&b, 0);
	put_mem(&b, "sixteen letters!", 16);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_comm(&r, swap, &c, &e), 0);
	check_record_text(c.comm, "sixteen letters!");
	bytes_free(&b);
}

BOTH(kernel_records_of_plain_numbers)
{
	struct pd_lost lost;
	struct pd_lost_samples ls;
	struct pd_throttle th;
	struct pd_aux aux;
	struct pd_itrace_start it;
	struct pd_switch_cpu_wide sw;
	struct pd_aux_output_hw_id hw;
	BUILT;

	record_begin(&b, PD_RECORD_AUX, 0);
	put_u32(&b, 0x01020304);
	put_u32(&b, 0x05060708);
	put_u64(&b, 0x1112131415161718);
	put_u64(&b, 0x2122232425262728);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_aux(&r, swap, &aux, &e), 0);
	CHECK_EQ(aux.offset, big ? 0x0102030405060708 : 0x0506070801020304);
	CHECK_EQ(aux.size, 0x1112131415161718);
	CHECK_EQ(aux.flags, 0x2122232425262728);
	CHECK_CUTS(r, 32, pd_read_aux(&cut, swap, &aux, &e));
	r.type = PD_RECORD_THROTTLE;
	CHECK_EQ(pd_read_throttle(&r, swap, &th, &e), 0);
	CHECK_EQ(th.time, aux.offset);
	CHECK_EQ(th.id, aux.size);
	CHECK_EQ(th.stream_id, aux.flags);
	CHECK_CUTS(r, 32, pd_read_throttle(&cut, swap, &th, &e));
	r.type = PD_RECORD_LOST;
	CHECK_EQ(pd_read_lost(&r, swap, &lost, &e), 0);
	CHECK_EQ(lost.id, aux.offset);
	CHECK_EQ(lost.lost, aux.size);
	CHECK_CUTS(r, 24, pd_read_lost(&cut, swap, &lost, &e));
	r.type = PD_RECORD_LOST_SAMPLES;
	CHECK_EQ(pd_read_lost_samples(&r, swap, &ls, &e), 0);
	CHECK_EQ(ls.lost, aux.offset);
	CHECK_CUTS(r, 16, pd_read_lost_samples(&cut, swap, &ls, &e));
	r.type = PD_RECORD_ITRACE_START;
	CHECK_EQ(pd_read_itrace_start(&r, swap, &it, &e), 0);
	CHECK_EQ(it.pid, 0x01020304);
	CHECK_EQ(it.tid, 0x05060708);
	CHECK_CUTS(r, 16, pd_read_itrace_start(&cut, swap, &it, &e));
	r.type = PD_RECORD_SWITCH_CPU_WIDE;
	CHECK_EQ(pd_read_switch_cpu_wide(&r, swap, &sw, &e), 0);
	CHECK_EQ(sw.pid, 0x01020304);
	CHECK_EQ(sw.tid, 0x05060708);
	CHECK_CUTS(r, 16, pd_read_switch_cpu_wide(&cut, swap, &sw, &e));
	r.type = PD_RECORD_AUX_OUTPUT_HW_ID;
	CHECK_EQ(pd_read_aux_output_hw_id(&r, swap, &hw, &e), 0);
	CHECK_EQ(hw.hw_id, aux.offset);
	CHECK_CUTS(r, 16, pd_read_aux_output_hw_id(&cut, swap, &hw, &e));
	bytes_free(&b);
}

BOTH(read_record)
{
	struct pd_event ev = { .attr = attr_plain() };
	struct pd_read_record rr;
	BUILT;

	ev.attr.read_format = PD_FORMAT_TOTAL_TIME_ENABLED | PD_FORMAT_ID;
	record_begin(&b, PD_RECORD_READ, 0);
	put_u32(&b, 10);
	put_u32(&b, 11);
	put_u64(&b, 1000);
	put_u64(&b, 2000);
	put_u64(&b, 3000);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_read(&ev, &r, swap, &rr, &e), 0);
	CHECK_EQ(rr.pid, 10);
	CHECK_EQ(rr.tid, 11);
	CHECK_EQ(rr.read.time_enabled, 2000);
	CHECK_EQ(pd_read_get(&rr.read, 0, swap).value, 1000);
	CHECK_EQ(pd_read_get(&rr.read, 0, swap).id, 3000);
	CHECK_CUTS(r, 40, pd_read_read(&ev, &cut, swap, &rr, &e));
	bytes_free(&b);
}

TEST(record_names)
{
	u32 type;

	CHECK_STR(pd_record_name(PD_RECORD_MMAP2), "MMAP2");
	CHECK_STR(pd_record_name(PD_RECORD_FINISHED_ROUND), "FINISHED_ROUND");
	CHECK(!pd_record_name(0));
	for (type = 23; type < 64; type++)
		CHECK(!pd_record_name(type));
	for (type = 64; type < PD_RECORD_MAX; type++)
		CHECK(pd_record_name(type));
	CHECK(!pd_record_name(PD_RECORD_MAX));
	CHECK(!pd_record_name(UINT32_MAX));
}
