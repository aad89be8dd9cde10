/* SPDX-License-Identifier: MIT */
#include "tests/frame/unit.h"

#include "base/mem.h"
#include "fileformat/record.h"
#include "fileformat/record_minor.h"
#include "fileformat/record_user.h"
#include "tests/frame/build_file.h"

/* Every case runs in both byte orders. */
#define BOTH(name)                  \
	static void name(bool big); \
	TEST(name)                  \
	{                           \
		name(false);        \
		name(true);         \
	}                           \
	static void name(bool big)

#define BUILT                            \
	struct bytes b = bytes_new(big); \
	bool swap = bytes_swapped(&b);   \
	struct pd_record r;              \
	struct perr e

static void check_text(struct span s, const char *want)
{
	char *got = xstrndup((const char *)s.p, s.n);

	CHECK_EQ(s.n, strlen(want));
	CHECK_STR(got, want);
	free(got);
}

/* Bytes of a record at the very end of an allocation, so that a sanitizer sees a read past it. */
static struct pd_record cut_copy(const struct pd_record *r, u32 size, u8 **ret_buf)
{
	struct pd_record cut = *r;

	*ret_buf = xmalloc(size);
	memcpy(*ret_buf, r->data, size);
	cut.data = *ret_buf;
	cut.size = size;
	return cut;
}

/* All sizes below `need` are refused with the record's offset, all from there on are taken. */
#define CHECK_CUTS(r, need, call)                                          \
	do {                                                               \
		u32 size;                                                  \
		for (size = 8; size <= (r).size; size++) {                 \
			u8 *buf;                                           \
			struct pd_record cut = cut_copy(&(r), size, &buf); \
			int err;                                           \
			cut.off = 0x1234;                                  \
			e = (struct perr){ 0 };                            \
			err = (call);                                      \
			CHECK_EQ(err, size < (need) ? PERR_FORMAT : 0);    \
			CHECK_EQ(e.off, size < (need) ? 0x1234 : 0);       \
			free(buf);                                         \
		}                                                          \
	} while (0)

static struct pd_attr attr_with_trailer(void)
{
	struct pd_attr a = attr_plain();

	a.sample_type |= PD_SAMPLE_CPU;
	return a;
}

static const struct sample_parts trailer = {
	.pid = 0x11111111,
	.tid = 0x22222222,
	.time = 0x3333333333333333,
	.id = 0x4444444444444444,
	.cpu = 0x55555555,
};

BOTH(mmap)
{
	struct pd_attr a = attr_with_trailer();
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
	check_text(m.filename, "/lib/x.so");
	CHECK_CUTS(r, 40, pd_read_mmap(&cut, swap, &m, &e));
	bytes_free(&b);
}

BOTH(mmap2)
{
	struct pd_attr a = attr_with_trailer();
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
	check_text(m.filename, "/bin/true");
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
		{ 20, 20, 20 }, { 16, 16, 16 },  { 8, 8, 8 },    { 20, 16, 16 }, { 20, 8, 8 },
		{ 0, 20, 20 },  { 0, 16, 16 },   { 0, 8, 8 },    { 16, 8, 8 },   { 20, 0, 0 },
		{ 0, 0, 0 },    { 255, 20, 20 }, { 12, 12, 12 }, { 5, 5, 5 },    { 20, 17, 20 },
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
		check_text(m.filename, "/x");
		bytes_free(&b);
	}
}

BOTH(comm)
{
	struct pd_attr a = attr_with_trailer();
	struct pd_comm c;
	BUILT;

	put_comm(&b, 12, 13, "kworker/0:1-eve", &a, &trailer);
	r = last_record(&b);
	CHECK_EQ(pd_read_comm(&r, swap, &c, &e), 0);
	CHECK_EQ(c.pid, 12);
	CHECK_EQ(c.tid, 13);
	check_text(c.comm, "kworker/0:1-eve");
	CHECK_CUTS(r, 16, pd_read_comm(&cut, swap, &c, &e));
	bytes_free(&b);
}

BOTH(fork_and_exit)
{
	struct pd_attr a = attr_with_trailer();
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
	check_text(k.name, "bpf_prog_1234_x");
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
	check_text(cg.path, "/system.slice");
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
	check_text(h.filename, "[kernel.kallsyms]");
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
	check_text(c.comm, "sixteen letters!");
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

BOTH(id_index)
{
	struct pd_id_index x;
	struct pd_id_index_entry en;
	size_t i;
	BUILT;

	record_begin(&b, PD_RECORD_ID_INDEX, 0);
	put_u64(&b, 2);
	for (i = 0; i < 8; i++)
		put_u64(&b, 100 + i);
	for (i = 0; i < 4; i++)
		put_u64(&b, 200 + i);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_id_index(&r, swap, &x, &e), 0);
	CHECK_EQ(x.nr, 2);
	en = pd_id_index_get(&x, 1, swap);
	CHECK_EQ(en.id, 104);
	CHECK_EQ(en.idx, 105);
	CHECK_EQ(en.cpu, 106);
	CHECK_EQ(en.tid, 107);
	CHECK_EQ(en.machine_pid, 202);
	CHECK_EQ(en.vcpu, 203);
	en = pd_id_index_get(&x, 2, swap);
	CHECK_EQ(en.id, 0);
	en = pd_id_index_get(&x, UINT64_MAX, swap);
	CHECK_EQ(en.id, 0);
	CHECK_CUTS(r, 16 + 64, pd_read_id_index(&cut, swap, &x, &e));
	r.size = 16 + 64;
	CHECK_EQ(pd_read_id_index(&r, swap, &x, &e), 0);
	CHECK_EQ(x.machines.n, 0);
	bytes_free(&b);
}

BOTH(auxtrace_records)
{
	struct pd_auxtrace_info info;
	struct pd_auxtrace_record a;
	struct pd_auxtrace_error x;
	BUILT;

	record_begin(&b, PD_RECORD_AUXTRACE_INFO, 0);
	put_u32(&b, 1);
	put_u32(&b, 0);
	put_u64(&b, 7);
	put_u64(&b, 8);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_auxtrace_info(&r, swap, &info, &e), 0);
	CHECK_EQ(info.type, 1);
	CHECK_EQ(info.priv.n, 16);
	CHECK_EQ(span_u64(info.priv, 1, swap), 8);
	CHECK_CUTS(r, 16, pd_read_auxtrace_info(&cut, swap, &info, &e));

	record_begin(&b, PD_RECORD_AUXTRACE, 0);
	put_u64(&b, 1);
	put_u64(&b, 2);
	put_u64(&b, 3);
	put_u32(&b, 4);
	put_u32(&b, 5);
	put_u32(&b, 6);
	put_u32(&b, 0);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_auxtrace(&r, swap, &a, &e), 0);
	CHECK_EQ(a.size, 1);
	CHECK_EQ(a.offset, 2);
	CHECK_EQ(a.reference, 3);
	CHECK_EQ(a.idx, 4);
	CHECK_EQ(a.tid, 5);
	CHECK_EQ(a.cpu, 6);
	CHECK_CUTS(r, 44, pd_read_auxtrace(&cut, swap, &a, &e));

	record_begin(&b, PD_RECORD_AUXTRACE_ERROR, 0);
	put_u32(&b, 1);
	put_u32(&b, 2);
	put_u32(&b, 3);
	put_u32(&b, 4);
	put_u32(&b, 5);
	put_u32(&b, 2);
	put_u64(&b, 0x1234);
	put_u64(&b, 0x5678);
	put_text(&b, "broken", 64);
	put_u32(&b, 8);
	put_u32(&b, 9);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_auxtrace_error(&r, swap, &x, &e), 0);
	CHECK_EQ(x.type, 1);
	CHECK_EQ(x.code, 2);
	CHECK_EQ(x.cpu, 3);
	CHECK_EQ(x.pid, 4);
	CHECK_EQ(x.tid, 5);
	CHECK_EQ(x.ip, 0x1234);
	CHECK_EQ(x.time, 0x5678);
	check_text(x.msg, "broken");
	CHECK_EQ(x.machine_pid, 8);
	CHECK_EQ(x.vcpu, 9);
	CHECK_CUTS(r, 120, pd_read_auxtrace_error(&cut, swap, &x, &e));
	set_u32(&b, r.off + 28, 1);
	CHECK_CUTS(r, 48, pd_read_auxtrace_error(&cut, swap, &x, &e));
	/* fmt 0 has its text where others have the time */
	set_u32(&b, r.off + 28, 0);
	memcpy(b.p + r.off + 40, "old text", 9);
	CHECK_EQ(pd_read_auxtrace_error(&r, swap, &x, &e), 0);
	CHECK_EQ(x.time, 0);
	check_text(x.msg, "old text");
	bytes_free(&b);
}

BOTH(thread_map)
{
	struct pd_thread_map m;
	struct pd_thread_map_entry en;
	BUILT;

	record_begin(&b, PD_RECORD_THREAD_MAP, 0);
	put_u64(&b, 2);
	put_u64(&b, 17);
	put_text(&b, "first", 16);
	put_u64(&b, 18);
	put_mem(&b, "sixteen letters!", 16);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_thread_map(&r, swap, &m, &e), 0);
	CHECK_EQ(m.nr, 2);
	en = pd_thread_map_get(&m, 0, swap);
	CHECK_EQ(en.pid, 17);
	check_text(en.comm, "first");
	en = pd_thread_map_get(&m, 1, swap);
	CHECK_EQ(en.pid, 18);
	check_text(en.comm, "sixteen letters!");
	CHECK_EQ(pd_thread_map_get(&m, 2, swap).comm.n, 0);
	CHECK_CUTS(r, 16 + 48, pd_read_thread_map(&cut, swap, &m, &e));
	bytes_free(&b);
}

static void check_cpus(const struct pd_cpu_map *m, bool swap, const s32 *want, size_t nr)
{
	u32 pos = 0;
	s32 cpu;
	size_t i;

	for (i = 0; i < nr; i++) {
		CHECK(pd_cpu_map_next(m, &pos, swap, &cpu));
		CHECK_EQ(cpu, want[i]);
	}
	CHECK(!pd_cpu_map_next(m, &pos, swap, &cpu));
	CHECK(!pd_cpu_map_next(m, &pos, swap, &cpu));
}

BOTH(cpu_map)
{
	struct pd_cpu_map m;
	BUILT;

	record_begin(&b, PD_RECORD_CPU_MAP, 0);
	put_u16(&b, PD_CPU_MAP_LIST);
	put_u16(&b, 3);
	put_u16(&b, 7);
	put_u16(&b, 0xffff);
	put_u16(&b, 2);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), 0);
	check_cpus(&m, swap, (const s32[]){ 7, -1, 2 }, 3);
	CHECK_CUTS(r, 18, pd_read_cpu_map(&cut, swap, &m, &e));

	record_begin(&b, PD_RECORD_CPU_MAP, 0);
	put_u16(&b, PD_CPU_MAP_MASK);
	put_u16(&b, 2);
	put_u16(&b, 8);
	put_u32(&b, 0);
	put_u64(&b, 1ull << 63 | 5);
	put_u64(&b, 1ull << 62);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), 0);
	check_cpus(&m, swap, (const s32[]){ 0, 2, 63, 126 }, 4);
	CHECK_CUTS(r, 34, pd_read_cpu_map(&cut, swap, &m, &e));

	record_begin(&b, PD_RECORD_CPU_MAP, 0);
	put_u16(&b, PD_CPU_MAP_MASK);
	put_u16(&b, 2);
	put_u16(&b, 4);
	put_u32(&b, 1u << 31);
	put_u32(&b, 6);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), 0);
	check_cpus(&m, swap, (const s32[]){ 31, 33, 34 }, 3);
	set_u16(&b, r.off + 12, 2);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), PERR_FORMAT);
	set_u16(&b, r.off + 12, 0);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), PERR_FORMAT);

	record_begin(&b, PD_RECORD_CPU_MAP, 0);
	put_u16(&b, PD_CPU_MAP_RANGE);
	put_u8(&b, 1);
	put_u8(&b, 0);
	put_u16(&b, 4);
	put_u16(&b, 6);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), 0);
	check_cpus(&m, swap, (const s32[]){ -1, 4, 5, 6 }, 4);
	CHECK_CUTS(r, 16, pd_read_cpu_map(&cut, swap, &m, &e));
	set_u16(&b, r.off + 8, 9);
	CHECK_EQ(pd_read_cpu_map(&r, swap, &m, &e), PERR_FORMAT);
	bytes_free(&b);
}

BOTH(stat_records)
{
	struct pd_stat_config sc;
	struct pd_stat s;
	struct pd_stat_round sr;
	BUILT;

	record_begin(&b, PD_RECORD_STAT_CONFIG, 0);
	put_u64(&b, 1);
	put_u64(&b, PD_STAT_INTERVAL);
	put_u64(&b, 1000);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_stat_config(&r, swap, &sc, &e), 0);
	CHECK_EQ(sc.nr, 1);
	CHECK_EQ(span_u64(sc.entries, 1, swap), 1000);
	CHECK_CUTS(r, 32, pd_read_stat_config(&cut, swap, &sc, &e));

	record_begin(&b, PD_RECORD_STAT, 0);
	put_u64(&b, 1);
	put_u32(&b, 2);
	put_u32(&b, 3);
	put_u64(&b, 4);
	put_u64(&b, 5);
	put_u64(&b, 6);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_stat(&r, swap, &s, &e), 0);
	CHECK_EQ(s.id, 1);
	CHECK_EQ(s.cpu, 2);
	CHECK_EQ(s.thread, 3);
	CHECK_EQ(s.val, 4);
	CHECK_EQ(s.ena, 5);
	CHECK_EQ(s.run, 6);
	CHECK_CUTS(r, 48, pd_read_stat(&cut, swap, &s, &e));

	record_begin(&b, PD_RECORD_STAT_ROUND, 0);
	put_u64(&b, 1);
	put_u64(&b, 77);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_stat_round(&r, swap, &sr, &e), 0);
	CHECK_EQ(sr.type, 1);
	CHECK_EQ(sr.time, 77);
	CHECK_CUTS(r, 24, pd_read_stat_round(&cut, swap, &sr, &e));
	bytes_free(&b);
}

BOTH(event_update)
{
	struct pd_event_update u;
	double scale = 0.25;
	u64 bits;
	BUILT;

	memcpy(&bits, &scale, 8);
	record_begin(&b, PD_RECORD_EVENT_UPDATE, 0);
	put_u64(&b, PD_UPDATE_SCALE);
	put_u64(&b, 5);
	put_u64(&b, bits);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_event_update(&r, swap, &u, &e), 0);
	CHECK_EQ(u.id, 5);
	CHECK(u.scale == 0.25);
	CHECK_CUTS(r, 32, pd_read_event_update(&cut, swap, &u, &e));

	record_begin(&b, PD_RECORD_EVENT_UPDATE, 0);
	put_u64(&b, PD_UPDATE_NAME);
	put_u64(&b, 6);
	put_text(&b, "cycles:u", 8);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_event_update(&r, swap, &u, &e), 0);
	check_text(u.text, "cycles:u");
	CHECK_CUTS(r, 24, pd_read_event_update(&cut, swap, &u, &e));

	record_begin(&b, PD_RECORD_EVENT_UPDATE, 0);
	put_u64(&b, PD_UPDATE_CPUS);
	put_u64(&b, 6);
	put_u16(&b, PD_CPU_MAP_LIST);
	put_u16(&b, 1);
	put_u16(&b, 9);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_event_update(&r, swap, &u, &e), 0);
	check_cpus(&u.cpus, swap, (const s32[]){ 9 }, 1);
	CHECK_CUTS(r, 30, pd_read_event_update(&cut, swap, &u, &e));
	bytes_free(&b);
}

BOTH(time_conv)
{
	struct pd_time_conv t;
	size_t i;
	BUILT;

	record_begin(&b, PD_RECORD_TIME_CONV, 0);
	for (i = 1; i <= 5; i++)
		put_u64(&b, i);
	put_u8(&b, 1);
	put_u8(&b, 1);
	record_end_padded(&b);
	r = last_record(&b);
	CHECK_EQ(r.size, 56);
	CHECK_EQ(pd_read_time_conv(&r, swap, &t, &e), 0);
	CHECK_EQ(t.shift, 1);
	CHECK_EQ(t.mult, 2);
	CHECK_EQ(t.zero, 3);
	CHECK(t.has_cycles);
	CHECK_EQ(t.cycles, 4);
	CHECK_EQ(t.mask, 5);
	CHECK_EQ(t.cap_user_time_zero, 1);
	CHECK_CUTS(r, 32, pd_read_time_conv(&cut, swap, &t, &e));
	r.size = 32;
	CHECK_EQ(pd_read_time_conv(&r, swap, &t, &e), 0);
	CHECK(!t.has_cycles);
	bytes_free(&b);
}

BOTH(bpf_metadata)
{
	struct pd_bpf_metadata m;
	struct pd_bpf_metadata_entry en;
	BUILT;

	record_begin(&b, PD_RECORD_BPF_METADATA, 0);
	put_text(&b, "prog", 512);
	put_u64(&b, 1);
	put_text(&b, "key", 64);
	put_text(&b, "value", 256);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_bpf_metadata(&r, swap, &m, &e), 0);
	check_text(m.prog_name, "prog");
	CHECK_EQ(m.nr, 1);
	en = pd_bpf_metadata_get(&m, 0);
	check_text(en.key, "key");
	check_text(en.value, "value");
	CHECK_CUTS(r, 528 + 320, pd_read_bpf_metadata(&cut, swap, &m, &e));
	bytes_free(&b);
}

BOTH(schedstat)
{
	struct pd_schedstat_cpu c;
	struct pd_schedstat_domain d;
	u32 i;
	BUILT;

	record_begin(&b, PD_RECORD_SCHEDSTAT_CPU, 0);
	put_u64(&b, 99);
	put_u32(&b, 3);
	put_u16(&b, 15);
	put_u16(&b, 0);
	for (i = 1; i <= 6; i++)
		put_u32(&b, i);
	for (; i <= 9; i++)
		put_u64(&b, i);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_schedstat_cpu(&r, swap, &c, &e), 0);
	CHECK_EQ(c.timestamp, 99);
	CHECK_EQ(c.cpu, 3);
	CHECK_EQ(c.version, 15);
	CHECK_EQ(c.yld_count, 1);
	CHECK_EQ(c.ttwu_local, 6);
	CHECK_EQ(c.rq_cpu_time, 7);
	CHECK_EQ(c.pcount, 9);
	CHECK_CUTS(r, 72, pd_read_schedstat_cpu(&cut, swap, &c, &e));

	record_begin(&b, PD_RECORD_SCHEDSTAT_DOMAIN, 0);
	put_u64(&b, 98);
	put_u32(&b, 2);
	put_u16(&b, 16);
	put_u16(&b, 1);
	put_u32(&b, 4);
	put_u32(&b, 5);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_schedstat_domain(&r, swap, &d, &e), 0);
	CHECK_EQ(d.domain, 1);
	CHECK_EQ(d.counters.n, 8);
	CHECK_EQ(get_u32(d.counters.p + 4, swap), 5);
	CHECK_CUTS(r, 24, pd_read_schedstat_domain(&cut, swap, &d, &e));
	bytes_free(&b);
}

BOTH(header_feature)
{
	struct pd_header_feature f;
	BUILT;

	record_begin(&b, PD_RECORD_HEADER_FEATURE, 0);
	put_u64(&b, 6);
	put_mem(&b, "odd", 3);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_header_feature(&r, swap, &f, &e), 0);
	CHECK_EQ(f.feat_id, 6);
	CHECK_EQ(f.data.n, 3);
	CHECK_CUTS(r, 16, pd_read_header_feature(&cut, swap, &f, &e));
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
