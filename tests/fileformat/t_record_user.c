/* SPDX-License-Identifier: MIT */
/* Records that the recorder itself writes: whole, cut at every byte, in both byte orders. */
#include "tests/fileformat/both_orders.h"

#include "base/mem.h"
#include "fileformat/record.h"
#include "fileformat/record_user.h"
#include "tests/fileformat/use_record.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

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
	check_record_text(x.msg, "broken");
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
	check_record_text(x.msg, "old text");
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
	check_record_text(en.comm, "first");
	en = pd_thread_map_get(&m, 1, swap);
	CHECK_EQ(en.pid, 18);
	check_record_text(en.comm, "sixteen letters!");
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
	check_record_text(u.text, "cycles:u");
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
	check_record_text(m.prog_name, "prog");
	CHECK_EQ(m.nr, 1);
	en = pd_bpf_metadata_get(&m, 0);
	check_record_text(en.key, "key");
	check_record_text(en.value, "value");
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
