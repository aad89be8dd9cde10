/* SPDX-License-Identifier: MIT */
/* Counter values of every read_format, and the trailers of other records. */
#include "tests/fileformat/both_orders.h"

#include "base/mem.h"
#include "fileformat/sample.h"
#include "tests/fileformat/use_sample.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* --- read_format ------------------------------------------------------------------------------ */

static struct pd_read decode_read(const struct bytes *b, u64 format, bool *ret_bad)
{
	struct cursor c = cursor_of(bytes_span(b), bytes_swapped(b));
	struct pd_read rd;

	pd_read_decode(&c, format, &rd);
	*ret_bad = c.bad;
	if (!c.bad)
		CHECK_EQ(cur_left(&c), 0);
	return rd;
}

BOTH(single_values_of_every_format)
{
	u64 format;

	for (format = 0; format < 32; format++) {
		struct bytes b = bytes_new(big);
		struct pd_read_value v;
		struct pd_read rd;
		size_t full;
		bool bad;

		if (format & PD_FORMAT_GROUP)
			continue;
		put_u64(&b, 1001);
		if (format & PD_FORMAT_TOTAL_TIME_ENABLED)
			put_u64(&b, 1002);
		if (format & PD_FORMAT_TOTAL_TIME_RUNNING)
			put_u64(&b, 1003);
		if (format & PD_FORMAT_ID)
			put_u64(&b, 1004);
		if (format & PD_FORMAT_LOST)
			put_u64(&b, 1005);
		rd = decode_read(&b, format, &bad);
		CHECK(!bad);
		CHECK_EQ(rd.nr, 1);
		CHECK_EQ(rd.time_enabled, format & PD_FORMAT_TOTAL_TIME_ENABLED ? 1002 : 0);
		CHECK_EQ(rd.time_running, format & PD_FORMAT_TOTAL_TIME_RUNNING ? 1003 : 0);
		v = pd_read_get(&rd, 0, bytes_swapped(&b));
		CHECK_EQ(v.value, 1001);
		CHECK_EQ(v.id, format & PD_FORMAT_ID ? 1004 : 0);
		CHECK_EQ(v.lost, format & PD_FORMAT_LOST ? 1005 : 0);
		CHECK_EQ(pd_read_get(&rd, 1, bytes_swapped(&b)).value, 0);
		full = b.n;
		for (b.n = 0; b.n < full; b.n++) {
			rd = decode_read(&b, format, &bad);
			CHECK(bad);
			CHECK_EQ(rd.nr, 0);
		}
		bytes_free(&b);
	}
}

BOTH(group_values_of_every_format)
{
	u64 format, i;

	for (format = 0; format < 32; format++) {
		struct bytes b = bytes_new(big);
		struct pd_read rd;
		bool bad;

		if (!(format & PD_FORMAT_GROUP))
			continue;
		put_u64(&b, 3);
		if (format & PD_FORMAT_TOTAL_TIME_ENABLED)
			put_u64(&b, 1002);
		if (format & PD_FORMAT_TOTAL_TIME_RUNNING)
			put_u64(&b, 1003);
		for (i = 0; i < 3; i++) {
			put_u64(&b, 10 + i);
			if (format & PD_FORMAT_ID)
				put_u64(&b, 20 + i);
			if (format & PD_FORMAT_LOST)
				put_u64(&b, 30 + i);
		}
		rd = decode_read(&b, format, &bad);
		CHECK(!bad);
		CHECK_EQ(rd.nr, 3);
		for (i = 0; i < 4; i++) {
			struct pd_read_value v = pd_read_get(&rd, i, bytes_swapped(&b));

			CHECK_EQ(v.value, i < 3 ? 10 + i : 0);
			CHECK_EQ(v.id, i < 3 && format & PD_FORMAT_ID ? 20 + i : 0);
			CHECK_EQ(v.lost, i < 3 && format & PD_FORMAT_LOST ? 30 + i : 0);
		}
		b.n -= 8;
		rd = decode_read(&b, format, &bad);
		CHECK(bad);
		bytes_free(&b);
	}
}

/* --- trailers --------------------------------------------------------------------------------- */

static struct sample_parts parts_trailer(void)
{
	return (struct sample_parts){
		.pid = 0x11121314,
		.tid = 0x21222324,
		.time = 0x3132333435363738,
		.id = 0x4142434445464748,
		.stream_id = 0x5152535455565758,
		.cpu = 0x61626364,
	};
}

BOTH(trailers_of_every_kind)
{
	static const u64 bits[] = { PD_SAMPLE_TID,       PD_SAMPLE_TIME, PD_SAMPLE_ID,
				    PD_SAMPLE_STREAM_ID, PD_SAMPLE_CPU,  PD_SAMPLE_IDENTIFIER };
	struct sample_parts p = parts_trailer();
	unsigned int set, i;

	for (set = 0; set < 1u << ARRAY_SIZE(bits); set++) {
		u64 type = PD_SAMPLE_IP | PD_SAMPLE_CALLCHAIN | PD_SAMPLE_PERIOD;
		struct bytes b = bytes_new(big);
		bool swap = bytes_swapped(&b);
		struct pd_event ev, *events[1] = { &ev };
		struct perfdata pd = { .swap = swap, .events = events, .nr_events = 1 };
		struct pd_record r;
		struct pd_sample s;
		struct perr e;

		for (i = 0; i < ARRAY_SIZE(bits); i++)
			if (set >> i & 1)
				type |= bits[i];
		ev = event_of_type(type);
		put_comm(&b, 1, 2, "x", &ev.attr, &p);
		r = last_record(&b);
		memset(&s, 0x55, sizeof(s));
		CHECK_EQ(pd_read_sample_id(&ev, &r, swap, &s, &e), 0);
		CHECK_EQ(s.pid, type & PD_SAMPLE_TID ? p.pid : UINT32_MAX);
		CHECK_EQ(s.tid, type & PD_SAMPLE_TID ? p.tid : UINT32_MAX);
		CHECK_EQ(s.time, type & PD_SAMPLE_TIME ? p.time : UINT64_MAX);
		CHECK_EQ(s.id, type & (PD_SAMPLE_ID | PD_SAMPLE_IDENTIFIER) ? p.id : 0);
		CHECK_EQ(s.stream_id, type & PD_SAMPLE_STREAM_ID ? p.stream_id : 0);
		CHECK_EQ(s.cpu, type & PD_SAMPLE_CPU ? p.cpu : UINT32_MAX);
		CHECK_EQ(s.ip, 0);
		CHECK_EQ(s.addr, 0);
		CHECK_EQ(s.period, 0);
		CHECK_EQ(s.callchain.n, 0);
		CHECK_EQ(s.read.nr, 0);
		CHECK_EQ(s.user_stack.n, 0);
		CHECK_EQ(s.deferred.n, 0);
		CHECK_EQ(pd_record_time(&pd, &r), s.time);
		bytes_free(&b);
	}
}

BOTH(no_trailer)
{
	struct pd_event ev = event_of_type(PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_IDENTIFIER);
	struct sample_parts p = parts_trailer();
	struct bytes b = bytes_new(big);
	struct pd_record r;
	struct pd_sample s;
	struct perr e;

	/* perf's own records have none */
	record_begin(&b, PD_RECORD_THREAD_MAP, 0);
	put_trailer(&b, &ev.attr, &p);
	record_end(&b);
	r = last_record(&b);
	CHECK_EQ(pd_read_sample_id(&ev, &r, bytes_swapped(&b), &s, &e), 0);
	CHECK_EQ(s.time, UINT64_MAX);
	/* nor has anything where sample_id_all is off */
	ev.attr.flags = 0;
	pd_event_prepare(&ev);
	r.type = PD_RECORD_COMM;
	CHECK_EQ(pd_read_sample_id(&ev, &r, bytes_swapped(&b), &s, &e), 0);
	CHECK_EQ(s.time, UINT64_MAX);
	CHECK_EQ(s.pid, UINT32_MAX);
	bytes_free(&b);
}

BOTH(record_smaller_than_its_trailer)
{
	struct pd_event ev = event_of_type(PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_IDENTIFIER);
	struct pd_event *events[1] = { &ev };
	struct bytes b = bytes_new(big);
	struct perfdata pd = { .swap = bytes_swapped(&b), .events = events, .nr_events = 1 };
	struct pd_record r;
	struct pd_sample s;
	u32 size;

	record_begin(&b, PD_RECORD_SWITCH, 0);
	put_fill(&b, 0x77, 24);
	record_end(&b);
	for (size = 8; size < 32; size++) {
		struct perr e = { 0 };

		r = last_record(&b);
		r.size = size;
		r.off = 99;
		CHECK_EQ(pd_read_sample_id(&ev, &r, bytes_swapped(&b), &s, &e), PERR_FORMAT);
		CHECK_EQ(e.off, 99);
		if (size < 24)
			CHECK_EQ(pd_record_time(&pd, &r), UINT64_MAX);
	}
	r = last_record(&b);
	CHECK_EQ(pd_record_time(&pd, &r), 0x7777777777777777);
	bytes_free(&b);
}

BOTH(time_of_samples)
{
	static const u64 before[] = { PD_SAMPLE_IDENTIFIER, PD_SAMPLE_IP, PD_SAMPLE_TID };
	struct sample_parts p = sample_parts_full();
	unsigned int set, i;

	for (set = 0; set < 16; set++) {
		u64 type = PD_SAMPLE_ADDR | PD_SAMPLE_CPU | (set & 8 ? PD_SAMPLE_TIME : 0);
		struct bytes b = bytes_new(big);
		struct pd_event ev, *events[1] = { &ev };
		struct perfdata pd = { .swap = bytes_swapped(&b),
				       .events = events,
				       .nr_events = 1 };
		struct pd_record r;

		for (i = 0; i < ARRAY_SIZE(before); i++)
			if (set >> i & 1)
				type |= before[i];
		ev = event_of_type(type);
		put_sample(&b, &ev.attr, &p);
		r = last_record(&b);
		CHECK_EQ(pd_record_time(&pd, &r), set & 8 ? p.time : UINT64_MAX);
		r.size = 8;
		CHECK_EQ(pd_record_time(&pd, &r), UINT64_MAX);
		bytes_free(&b);
	}
}

TEST(time_of_a_file_without_events)
{
	struct perfdata pd = { 0 };
	struct bytes b = bytes_new(false);
	struct pd_record r;

	put_round(&b);
	r = last_record(&b);
	CHECK_EQ(pd_record_time(&pd, &r), UINT64_MAX);
	r.type = PD_RECORD_SAMPLE;
	CHECK_EQ(pd_record_time(&pd, &r), UINT64_MAX);
	bytes_free(&b);
}
