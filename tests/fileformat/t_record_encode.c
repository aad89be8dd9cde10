/* SPDX-License-Identifier: MIT */
/* Records that fileformat/write/record_encode writes, decoded with our own reader. */
#include "fileformat/write/record_encode.h"

#include "base/mem.h"
#include "fileformat/record_minor.h"
#include "fileformat/write/writer.h"
#include "tests/frame/unit.h"

#define TRAILER 24

/* The record at *at, which is moved behind it. */
static struct pd_record next_record(const struct wbuf *b, size_t *at, u32 type)
{
	const u8 *p = b->p + *at;
	struct pd_record r;

	CHECK(b->n - *at >= 8);
	r = (struct pd_record){ .type = get_u32(p, false),
				.misc = get_u16(p + 4, false),
				.size = get_u16(p + 6, false),
				.data = p };
	CHECK_EQ(r.type, type);
	CHECK(r.size >= 8 && r.size <= b->n - *at);
	if (type != PD_RECORD_HEADER_FEATURE)
		CHECK_EQ(r.size % 8, 0);
	*at += r.size;
	return r;
}

/* The only record of b. */
static struct pd_record only(const struct wbuf *b, u32 type)
{
	size_t at = 0;
	struct pd_record r = next_record(b, &at, type);

	CHECK_EQ(at, b->n);
	return r;
}

static void check_zero_trailer(const struct pd_record *r, u32 n)
{
	static const u8 zeros[64];

	CHECK_MEM(r->data + r->size - n, zeros, n);
}

#define CHECK_TEXT(got, text)                          \
	do {                                           \
		struct span t_ = (got);                \
		CHECK_EQ(t_.n, strlen(text));          \
		CHECK_MEM(t_.p, (text), strlen(text)); \
	} while (0)

static struct pd_attr attr_of(u64 sample_type, bool id_all)
{
	return (struct pd_attr){ .size = 64,
				 .sample_type = sample_type,
				 .flags = id_all ? 1ull << PD_ATTR_SAMPLE_ID_ALL : 0 };
}

TEST(trailer_size_by_attr)
{
	struct pd_attr a = attr_of(PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
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
	r = only(&b, PD_RECORD_MMAP);
	CHECK_EQ(r.size, 40 + 24 + TRAILER);
	CHECK_EQ(r.misc, PD_CPUMODE_KERNEL | PD_MISC_MMAP_DATA);
	CHECK(!pd_read_mmap(&r, false, &got, &e));
	CHECK_EQ(got.pid, 10);
	CHECK_EQ(got.tid, 11);
	CHECK_EQ(got.start, 0x7f0000001000);
	CHECK_EQ(got.len, 0x2000);
	CHECK_EQ(got.pgoff, 0x3000);
	CHECK_TEXT(got.filename, "[kernel.kallsyms]_text");
	check_zero_trailer(&r, TRAILER);
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
	r = only(&b, PD_RECORD_MMAP2);
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
	r = only(&b, PD_RECORD_MMAP2);
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
		r = next_record(&b, &at, PD_RECORD_MMAP);
		CHECK_EQ(r.size, 40 + (n + 8) / 8 * 8 + TRAILER);
		CHECK(!pd_read_mmap(&r, false, &got, &e));
		CHECK_EQ(got.filename.n, n);
		check_zero_trailer(&r, TRAILER);
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
	r = next_record(&b, &at, PD_RECORD_MMAP);
	CHECK(!pd_read_mmap(&r, false, &got, &e));
	CHECK_EQ(got.filename.n, 4095);
	r = next_record(&b, &at, PD_RECORD_COMM);
	CHECK_EQ(r.size, 16 + 16 + TRAILER);
	CHECK(!pd_read_comm(&r, false, &c, &e));
	CHECK_EQ(c.comm.n, 15);
	r = next_record(&b, &at, PD_RECORD_KSYMBOL);
	CHECK(!pd_read_ksymbol(&r, false, &k, &e));
	CHECK_EQ(k.name.n, 255);
	r = next_record(&b, &at, PD_RECORD_CGROUP);
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
	r = only(&b, PD_RECORD_COMM);
	CHECK_EQ(r.misc, PD_MISC_COMM_EXEC);
	CHECK_EQ(r.size, 16 + 16 + TRAILER);
	CHECK(!pd_read_comm(&r, false, &c, &e));
	CHECK_EQ(c.pid, 3);
	CHECK_EQ(c.tid, 4);
	CHECK_TEXT(c.comm, "perf-exec");
	check_zero_trailer(&r, TRAILER);
	wb_fini(&b);
}

TEST(fork)
{
	struct pd_task t = { .pid = 1, .ppid = 2, .tid = 3, .ptid = 4, .time = 5 }, got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	pd_put_fork(&b, &t, PD_MISC_FORK_EXEC, TRAILER);
	r = only(&b, PD_RECORD_FORK);
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
	r = only(&b, PD_RECORD_NAMESPACES);
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
	r = next_record(&b, &at, PD_RECORD_KSYMBOL);
	CHECK(!pd_read_ksymbol(&r, false, &k, &e));
	CHECK_EQ(k.addr, 0xffffffffc0001000);
	CHECK_EQ(k.len, 99);
	CHECK_EQ(k.ksym_type, 1);
	CHECK_EQ(k.flags, 0);
	CHECK_TEXT(k.name, "bpf_prog_12_x");
	check_zero_trailer(&r, TRAILER);
	r = next_record(&b, &at, PD_RECORD_BPF_EVENT);
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
	r = only(&b, PD_RECORD_CGROUP);
	CHECK(!pd_read_cgroup(&r, false, &g, &e));
	CHECK_EQ(g.id, 4242);
	CHECK_TEXT(g.path, "/user.slice");
	wb_fini(&b);
}

/* The id is where the reader of this attr looks for it. */
static void check_lost(u64 sample_type, bool id_all, u64 want_id)
{
	struct pd_event ev = { .attr = attr_of(sample_type, id_all) };
	struct pd_lost_samples lost;
	struct wbuf b = { 0 };
	struct pd_sample s;
	struct pd_record r;
	struct perr e;

	pd_event_prepare(&ev);
	pd_put_lost_samples(&b, &ev.attr, 12, 345);
	r = only(&b, PD_RECORD_LOST_SAMPLES);
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
	CHECK_EQ(next_record(&b, &at, PD_RECORD_FINISHED_ROUND).size, 8);
	CHECK_EQ(next_record(&b, &at, PD_RECORD_FINISHED_INIT).size, 8);
	CHECK_EQ(at, b.n);
	wb_fini(&b);
}

TEST(id_index_goes_into_as_many_records_as_it_needs)
{
	size_t i, nr = 5000, seen = 0, at = 0, records = 0;
	struct pd_id_index_entry *x = xcalloc(nr, sizeof(*x)), got;
	struct wbuf b = { 0 };
	struct pd_id_index index;
	struct pd_record r;
	struct perr e;
	u64 k;

	for (i = 0; i < nr; i++)
		x[i] = (struct pd_id_index_entry){
			.id = i + 1, .idx = i % 7, .cpu = (u64)-1, .tid = i * 3
		};
	pd_put_id_index(&b, x, nr);
	while (at < b.n) {
		r = next_record(&b, &at, PD_RECORD_ID_INDEX);
		records++;
		CHECK(!pd_read_id_index(&r, false, &index, &e));
		CHECK_EQ(index.machines.n, 0);
		for (k = 0; k < index.nr; k++, seen++) {
			got = pd_id_index_get(&index, k, false);
			CHECK_MEM(&got, &x[seen], sizeof(got));
		}
	}
	CHECK_EQ(seen, nr);
	CHECK_EQ(records, 3);
	b.n = 0;
	pd_put_id_index(&b, x, 0);
	CHECK_EQ(b.n, 0);
	wb_fini(&b);
	free(x);
}

TEST(thread_map)
{
	static const char comms[2][16] = { "one", "fifteen letters" };
	static const u64 pids[2] = { 5, 6 };
	struct pd_thread_map m;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	pd_put_thread_map(&b, pids, comms, 2);
	r = only(&b, PD_RECORD_THREAD_MAP);
	CHECK_EQ(r.size, 16 + 2 * 24);
	CHECK(!pd_read_thread_map(&r, false, &m, &e));
	CHECK_EQ(m.nr, 2);
	CHECK_EQ(pd_thread_map_get(&m, 0, false).pid, 5);
	CHECK_TEXT(pd_thread_map_get(&m, 0, false).comm, "one");
	CHECK_EQ(pd_thread_map_get(&m, 1, false).pid, 6);
	CHECK_TEXT(pd_thread_map_get(&m, 1, false).comm, "fifteen letters");
	wb_fini(&b);
}

TEST(thread_map_of_more_than_fits)
{
	size_t nr = 4000;
	u64 *pids = xcalloc(nr, sizeof(*pids));
	char(*comms)[16] = xcalloc(nr, sizeof(*comms));
	struct pd_thread_map m;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;

	pd_put_thread_map(&b, pids, (const char(*)[16])comms, nr);
	r = only(&b, PD_RECORD_THREAD_MAP);
	CHECK(!pd_read_thread_map(&r, false, &m, &e));
	CHECK_EQ(m.nr, (65528 - 16) / 24);
	wb_fini(&b);
	free(pids);
	free(comms);
}

static void check_cpus(const struct pd_cpu_map *m, const s32 *cpus, size_t nr)
{
	u32 pos = 0;
	size_t i;
	s32 cpu;

	for (i = 0; i < nr; i++) {
		CHECK(pd_cpu_map_next(m, &pos, false, &cpu));
		CHECK_EQ(cpu, cpus[i]);
	}
	CHECK(!pd_cpu_map_next(m, &pos, false, &cpu));
}

TEST(cpu_map)
{
	static const s32 cpus[] = { 0, 1, 5, 300 }, any[] = { -1 };
	struct pd_cpu_map m;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;
	size_t at = 0;

	pd_put_cpu_map(&b, cpus, 4);
	pd_put_cpu_map(&b, any, 1);
	r = next_record(&b, &at, PD_RECORD_CPU_MAP);
	CHECK_EQ(r.size, 24);
	CHECK(!pd_read_cpu_map(&r, false, &m, &e));
	CHECK_EQ(m.kind, PD_CPU_MAP_LIST);
	check_cpus(&m, cpus, 4);
	r = next_record(&b, &at, PD_RECORD_CPU_MAP);
	CHECK(!pd_read_cpu_map(&r, false, &m, &e));
	check_cpus(&m, any, 1);
	CHECK_EQ(at, b.n);
	wb_fini(&b);
}

TEST(event_updates)
{
	static const s32 cpus[] = { 2, 3 };
	struct pd_event_update u;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;
	size_t at = 0;

	pd_put_event_unit(&b, 7, "msec");
	pd_put_event_scale(&b, 7, 1e-6);
	pd_put_event_name(&b, 8, "branches");
	pd_put_event_cpus(&b, 9, cpus, 2);
	r = next_record(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK_EQ(r.size, 32);
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_UNIT);
	CHECK_EQ(u.id, 7);
	CHECK_TEXT(u.text, "msec");
	r = next_record(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_SCALE);
	CHECK(u.scale == 1e-6);
	r = next_record(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK_EQ(r.size, 40); /* eight letters and a NUL */
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_NAME);
	CHECK_EQ(u.id, 8);
	CHECK_TEXT(u.text, "branches");
	r = next_record(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_CPUS);
	CHECK_EQ(u.id, 9);
	check_cpus(&u.cpus, cpus, 2);
	CHECK_EQ(at, b.n);
	wb_fini(&b);
}

TEST(time_conv)
{
	struct pd_time_conv t = { .shift = 1,
				  .mult = 2,
				  .zero = 3,
				  .has_cycles = true,
				  .cycles = 4,
				  .mask = 5,
				  .cap_user_time_zero = 1,
				  .cap_user_time_short = 1 };
	struct pd_time_conv got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;
	size_t at = 0;

	pd_put_time_conv(&b, &t);
	r = next_record(&b, &at, PD_RECORD_TIME_CONV);
	CHECK_EQ(r.size, 56);
	CHECK(!pd_read_time_conv(&r, false, &got, &e));
	CHECK_EQ(got.shift, 1);
	CHECK_EQ(got.mult, 2);
	CHECK_EQ(got.zero, 3);
	CHECK(got.has_cycles);
	CHECK_EQ(got.cycles, 4);
	CHECK_EQ(got.mask, 5);
	CHECK_EQ(got.cap_user_time_zero, 1);
	CHECK_EQ(got.cap_user_time_short, 1);
	t.has_cycles = false;
	pd_put_time_conv(&b, &t);
	r = next_record(&b, &at, PD_RECORD_TIME_CONV);
	CHECK_EQ(r.size, 32);
	CHECK(!pd_read_time_conv(&r, false, &got, &e));
	CHECK(!got.has_cycles);
	wb_fini(&b);
}

/* --- what pipes start with --- */

TEST(header_attr)
{
	static const u64 ids[] = { 1, 2, 3 };
	struct pd_attr a = attr_of(PD_SAMPLE_IP, true), got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct cursor c;
	struct perr e;

	pd_put_header_attr(&b, &a, 72, ids, 3);
	r = only(&b, PD_RECORD_HEADER_ATTR);
	CHECK_EQ(r.size, 8 + 72 + 24);
	c = cursor_of(pd_record_body(&r), false);
	CHECK(!pd_attr_decode(&c, &got, &e));
	CHECK_EQ(got.size, 72);
	CHECK_EQ(got.sample_type, PD_SAMPLE_IP);
	CHECK_EQ(cur_u64(&c), 1);
	CHECK_EQ(cur_u64(&c), 2);
	CHECK_EQ(cur_u64(&c), 3);
	wb_fini(&b);
}

TEST(header_attr_with_more_ids_than_fit)
{
	u64 *ids = xcalloc(9000, sizeof(*ids));
	struct pd_attr a = attr_of(PD_SAMPLE_IP, true);
	struct wbuf b = { 0 };

	pd_put_header_attr(&b, &a, 64, ids, 9000);
	CHECK_EQ(only(&b, PD_RECORD_HEADER_ATTR).size, 65528);
	wb_fini(&b);
	free(ids);
}

TEST(header_feature)
{
	u8 *big = xcalloc(1, 65536);
	struct pd_header_feature f;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct perr e;
	size_t at = 0;

	pd_put_header_feature(&b, 9, span_of("abc", 3));
	pd_put_finished_round(&b); /* starts where the feature ends, and is itself in order */
	pd_put_header_feature(&b, 10, span_of(big, 65535 - 16));
	r = next_record(&b, &at, PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(r.size, 19);
	CHECK(!pd_read_header_feature(&r, false, &f, &e));
	CHECK_EQ(f.feat_id, 9);
	CHECK_EQ(f.data.n, 3);
	CHECK_MEM(f.data.p, "abc", 3);
	CHECK_EQ(next_record(&b, &at, PD_RECORD_FINISHED_ROUND).size, 8);
	r = next_record(&b, &at, PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(r.size, 65535);
	CHECK_EQ(at, b.n);
	pd_put_header_feature(&b, 10, span_of(big, 65535 - 15));
	CHECK_EQ(at, b.n);
	wb_fini(&b);
	free(big);
}

TEST(header_tracing_data)
{
	struct wbuf b = { 0 };
	struct pd_record r;
	size_t at = 0;

	pd_put_header_tracing_data(&b, span_of("0123456789", 10));
	r = next_record(&b, &at, PD_RECORD_HEADER_TRACING_DATA);
	CHECK_EQ(r.size, 16);
	CHECK_EQ(get_u32(r.data + 8, false), 16);
	CHECK_EQ(b.n, 16 + 16);
	CHECK_MEM(b.p + 16, "0123456789\0\0\0\0\0", 16);
	wb_fini(&b);
}
