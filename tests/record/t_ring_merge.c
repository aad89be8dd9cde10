/* SPDX-License-Identifier: MIT */
/* Records of several rings in the order of time, from rings without a kernel. */
#include "record/ring/ring_merge.h"

#include <linux/perf_event.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/record.h"
#include "tests/frame/unit.h"

#define RING_BYTES 4096u

static const struct ring_times times = { .sample_at = 16, .other_from_end = 8 };

struct rig {
	struct rec_ring ring[3];
	struct rec_rings rings;
	struct ring_merge m;
	/* what note() was given: times, in order */
	u64 noted[64];
	size_t nr_noted;
	/* written to ring 1 by the first note(): another CPU goes on meanwhile */
	u32 late_type;
	u64 late_time;
};

static struct perf_event_mmap_page *control(struct rig *r, size_t i)
{
	return r->ring[i].map;
}

static void rig_init(struct rig *r, size_t nr)
{
	*r = (struct rig){ 0 };
	for (size_t i = 0; i < nr; i++) {
		r->ring[i] = (struct rec_ring){ .fd = -1, .data_bytes = RING_BYTES };
		r->ring[i].map = xcalloc(1, (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES);
	}
	r->rings = (struct rec_rings){ .rings = r->ring, .nr = nr, .data_bytes = RING_BYTES };
	ring_merge_init(&r->m, &r->rings, times);
}

static void rig_fini(struct rig *r)
{
	ring_merge_fini(&r->m);
	for (size_t i = 0; i < r->rings.nr; i++)
		free(r->ring[i].map);
}

/* Writes a record of 24 bytes or more with this time: behind 8 other bytes, or as the last. */
static void put(struct rig *r, size_t i, u32 type, u64 time, u32 size)
{
	u8 *data = (u8 *)r->ring[i].map + sysconf(_SC_PAGESIZE), rec[256] = { 0 };
	u64 head = control(r, i)->data_head;

	memcpy(rec, &type, 4);
	memcpy(rec + 6, &(u16){ (u16)size }, 2);
	memcpy(rec + (type == PD_RECORD_SAMPLE ? 16 : size - 8), &time, 8);
	for (u32 k = 0; k < size; k++)
		data[(head + k) % RING_BYTES] = rec[k];
	control(r, i)->data_head = head + size;
}

static void sample(struct rig *r, size_t i, u64 time)
{
	put(r, i, PD_RECORD_SAMPLE, time, 24);
}

static void note(void *ctx, const struct ring_view *v, u64 time)
{
	struct rig *r = ctx;

	CHECK(v->size >= 24);
	r->noted[r->nr_noted++] = time;
	if (r->late_type)
		put(r, 1, r->late_type, r->late_time, 24);
	r->late_type = 0;
}

static void begin(struct rig *r)
{
	struct perr e;

	r->nr_noted = 0;
	CHECK_EQ(ring_merge_begin(&r->m, note, r, &e), 0);
}

static void next_is(struct rig *r, u64 want)
{
	struct ring_view v;
	struct perr e;
	u64 time;

	CHECK_EQ(ring_merge_next(&r->m, &v, &time, &e), 1);
	CHECK_EQ(time, want);
	CHECK(v.size >= 24);
}

static void no_more(struct rig *r)
{
	struct ring_view v;
	struct perr e;
	u64 time;

	CHECK_EQ(ring_merge_next(&r->m, &v, &time, &e), 0);
}

TEST(records_of_all_rings_by_time)
{
	struct rig r;

	rig_init(&r, 3);
	begin(&r);
	no_more(&r);
	sample(&r, 0, 10);
	sample(&r, 0, 40);
	sample(&r, 2, 20);
	put(&r, 2, PD_RECORD_COMM, 30, 32);
	put(&r, 2, PD_RECORD_LOST, 0, 24); /* without a time: as the one before */
	sample(&r, 2, 50);
	begin(&r);
	CHECK_EQ(r.nr_noted, 1);
	CHECK_EQ(r.noted[0], 30);
	for (u64 t = 10; t <= 30; t += 10)
		next_is(&r, t);
	next_is(&r, 30);
	next_is(&r, 40);
	CHECK_EQ(control(&r, 0)->data_tail, 0);
	ring_merge_consume(&r.m);
	CHECK_EQ(control(&r, 0)->data_tail, 48);
	CHECK_EQ(control(&r, 2)->data_tail, 24 + 32 + 24);
	next_is(&r, 50);
	no_more(&r);
	/* nothing is noted or returned twice */
	begin(&r);
	CHECK_EQ(r.nr_noted, 0);
	no_more(&r);
	rig_fini(&r);
}

/* Of a mapping that is recorded after the heads were read, older samples are not passed. */
TEST(what_comes_meanwhile)
{
	struct rig r;

	rig_init(&r, 2);
	put(&r, 0, PD_RECORD_MMAP2, 10, 32);
	sample(&r, 0, 20);
	sample(&r, 0, 40);
	r.late_type = PD_RECORD_MMAP2;
	r.late_time = 30;
	begin(&r);
	CHECK_EQ(r.nr_noted, 2);
	CHECK_EQ(r.noted[1], 30);
	next_is(&r, 10);
	next_is(&r, 20);
	no_more(&r);
	ring_merge_consume(&r.m);
	begin(&r);
	CHECK_EQ(r.nr_noted, 0);
	next_is(&r, 30);
	next_is(&r, 40);
	no_more(&r);

	/* so does a sample of another ring that is older than one that was read */
	put(&r, 0, PD_RECORD_COMM, 50, 24);
	sample(&r, 0, 70);
	r.late_type = PD_RECORD_SAMPLE;
	r.late_time = 60;
	begin(&r);
	next_is(&r, 50);
	no_more(&r);
	begin(&r);
	next_is(&r, 60);
	next_is(&r, 70);
	rig_fini(&r);
}

TEST(rings_that_wrap_and_fill)
{
	struct ring_view v;
	struct rig r;
	struct perr e;
	u64 time = 0, seen = 0;
	size_t in_two = 0;

	rig_init(&r, 2);
	for (int turn = 0; turn < 40; turn++) {
		for (int k = 0; k < 30; k++)
			put(&r, (size_t)(k % 2), PD_RECORD_SAMPLE, ++time, 56);
		begin(&r);
		CHECK_EQ(ring_merge_load(&r.m), 15 * 56 * 100 / RING_BYTES);
		while (ring_merge_next(&r.m, &v, &time, &e) == 1) {
			CHECK_EQ(time, ++seen);
			in_two += v.n < v.size;
			if (ring_merge_is_full(&r.m))
				ring_merge_consume(&r.m);
		}
		ring_merge_consume(&r.m);
	}
	CHECK_EQ(seen, 40 * 30);
	CHECK(in_two > 0);
	rig_fini(&r);
}

TEST(malformed_records)
{
	struct ring_view v;
	struct rig r;
	struct perr e;
	u64 time;

	rig_init(&r, 1);
	sample(&r, 0, 10);
	put(&r, 0, PD_RECORD_SAMPLE, 20, 28);
	CHECK(ring_merge_begin(&r.m, note, &r, &e) < 0);
	rig_fini(&r);

	rig_init(&r, 1);
	put(&r, 0, PD_RECORD_SAMPLE, 20, 32);
	control(&r, 0)->data_head -= 8;
	CHECK(ring_merge_begin(&r.m, note, &r, &e) < 0 || ring_merge_next(&r.m, &v, &time, &e) < 0);
	rig_fini(&r);
}
