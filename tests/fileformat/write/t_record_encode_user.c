/* SPDX-License-Identifier: MIT */
/* Records of perf's own kinds, encoded and decoded again, and what pipes start with. */
#include "fileformat/write/record_encode.h"

#include "base/mem.h"
#include "tests/fileformat/write/use_record_encode.h"
#include "tests/frame/unit.h"

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
		r = encoded_next(&b, &at, PD_RECORD_ID_INDEX);
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
	r = encoded_only(&b, PD_RECORD_THREAD_MAP);
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
	r = encoded_only(&b, PD_RECORD_THREAD_MAP);
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
	r = encoded_next(&b, &at, PD_RECORD_CPU_MAP);
	CHECK_EQ(r.size, 24);
	CHECK(!pd_read_cpu_map(&r, false, &m, &e));
	CHECK_EQ(m.kind, PD_CPU_MAP_LIST);
	check_cpus(&m, cpus, 4);
	r = encoded_next(&b, &at, PD_RECORD_CPU_MAP);
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
	r = encoded_next(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK_EQ(r.size, 32);
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_UNIT);
	CHECK_EQ(u.id, 7);
	CHECK_TEXT(u.text, "msec");
	r = encoded_next(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_SCALE);
	CHECK(u.scale == 1e-6);
	r = encoded_next(&b, &at, PD_RECORD_EVENT_UPDATE);
	CHECK_EQ(r.size, 40); /* eight letters and a NUL */
	CHECK(!pd_read_event_update(&r, false, &u, &e));
	CHECK_EQ(u.type, PD_UPDATE_NAME);
	CHECK_EQ(u.id, 8);
	CHECK_TEXT(u.text, "branches");
	r = encoded_next(&b, &at, PD_RECORD_EVENT_UPDATE);
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
	r = encoded_next(&b, &at, PD_RECORD_TIME_CONV);
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
	r = encoded_next(&b, &at, PD_RECORD_TIME_CONV);
	CHECK_EQ(r.size, 32);
	CHECK(!pd_read_time_conv(&r, false, &got, &e));
	CHECK(!got.has_cycles);
	wb_fini(&b);
}

/* --- what pipes start with --- */

TEST(header_attr)
{
	static const u64 ids[] = { 1, 2, 3 };
	struct pd_attr a = encode_attr(PD_SAMPLE_IP, true), got;
	struct wbuf b = { 0 };
	struct pd_record r;
	struct cursor c;
	struct perr e;

	pd_put_header_attr(&b, &a, 72, ids, 3);
	r = encoded_only(&b, PD_RECORD_HEADER_ATTR);
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
	struct pd_attr a = encode_attr(PD_SAMPLE_IP, true);
	struct wbuf b = { 0 };

	pd_put_header_attr(&b, &a, 64, ids, 9000);
	CHECK_EQ(encoded_only(&b, PD_RECORD_HEADER_ATTR).size, 65528);
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
	r = encoded_next(&b, &at, PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(r.size, 19);
	CHECK(!pd_read_header_feature(&r, false, &f, &e));
	CHECK_EQ(f.feat_id, 9);
	CHECK_EQ(f.data.n, 3);
	CHECK_MEM(f.data.p, "abc", 3);
	CHECK_EQ(encoded_next(&b, &at, PD_RECORD_FINISHED_ROUND).size, 8);
	r = encoded_next(&b, &at, PD_RECORD_HEADER_FEATURE);
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
	r = encoded_next(&b, &at, PD_RECORD_HEADER_TRACING_DATA);
	CHECK_EQ(r.size, 16);
	CHECK_EQ(get_u32(r.data + 8, false), 16);
	CHECK_EQ(b.n, 16 + 16);
	CHECK_MEM(b.p + 16, "0123456789\0\0\0\0\0", 16);
	wb_fini(&b);
}
