/* SPDX-License-Identifier: MIT */
/* Feature sections: names and groups of events, build ids, payloads cut and with counts that lie.
 */
#include "tests/frame/feature_all.h"

#include "fileformat/feature/feature_topology.h"
#include "fileformat/trace_field.h"
#include "tests/fileformat/feature/use_feature.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

/* --- names and groups ------------------------------------------------------------------------- */

TEST(event_desc_by_id)
{
	static const char *const names[] = { "for-101", "for-nobody", "for-100" };
	static const u64 ids[] = { 101, 999, 100 };
	struct bytes b = bytes_new(true);
	struct feature_file f;

	feature_file_init(&f, bytes_swapped(&b));
	put_event_desc(&b, 3, ids, names);
	CHECK_EQ(event_desc_apply(&f.pd, bytes_span(&b), NULL), 0);
	CHECK_STR(f.events[0].name, "for-100");
	CHECK_STR(f.events[1].name, "for-101");
	CHECK(f.events[0].name_given && !f.events[2].name_given);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(event_desc_by_position)
{
	static const char *const names[] = { "a", "b", "c" };
	struct bytes b = bytes_new(false);
	struct feature_file f;
	struct perr e;

	feature_file_init(&f, bytes_swapped(&b));
	f.events[0].attr = f.events[2].attr = attr_plain();
	put_event_desc(&b, 3, NULL, names);
	b.n--;
	CHECK_EQ(event_desc_apply(&f.pd, bytes_span(&b), &e), PERR_FORMAT);
	CHECK_STR(e.text, "ends inside item 3 of 3");
	CHECK_STR(f.events[0].name, "a");
	CHECK_STR(f.events[1].name, "unknown tracepoint id=0x1"); /* of another type */
	CHECK(!f.events[2].name_given);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(groups)
{
	struct bytes b = bytes_new(true);
	struct feature_file f;
	struct perr e;

	feature_file_init(&f, bytes_swapped(&b));
	put_payload(&b, PD_FEAT_GROUP_DESC);
	CHECK_EQ(group_desc_apply(&f.pd, bytes_span(&b), &e), 0);
	CHECK_EQ(f.events[0].nr_members, 2);
	CHECK_EQ(f.events[1].nr_members, 0);
	CHECK_EQ(f.events[1].leader_idx, 0);
	CHECK_EQ(f.events[3].leader_idx, 2);
	CHECK_STR(f.events[0].group_name, NULL);
	CHECK_STR(f.events[2].group_name, "mine");
	feature_file_fini(&f);
	bytes_free(&b);
}

static void check_bad_group(u32 leader, u32 members)
{
	struct bytes b = bytes_new(false);
	struct feature_file f;
	struct perr e;

	feature_file_init(&f, false);
	put_u32(&b, 2);
	put_group(&b, "x", 0, 2);
	put_group(&b, "y", leader, members);
	CHECK_EQ(group_desc_apply(&f.pd, bytes_span(&b), &e), PERR_FORMAT);
	CHECK_EQ(f.events[0].nr_members, 2);
	CHECK_EQ(f.events[2].nr_members, 1);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(groups_out_of_bounds)
{
	check_bad_group(1, 2); /* overlaps */
	check_bad_group(2, 0);
	check_bad_group(2, 3);
	check_bad_group(2, UINT32_MAX);
	check_bad_group(4, 1);
	check_bad_group(UINT32_MAX, 1);
}

static void check_tracepoints(bool big)
{
	static const char *const want[] = { "prev_comm", "name", "p" };
	struct bytes b = bytes_new(big);
	struct feature_file f;
	struct pd_tracepoint tp;
	struct pd_tracing t;
	struct pd_trace_field field;
	size_t pos = 0, i = 0;

	put_tracing(&b);
	/* the blob tells its byte order itself */
	feature_file_init(&f, !bytes_swapped(&b));
	feature_file_set(&f, PD_FEAT_TRACING_DATA, bytes_span(&b));
	event_names_apply(&f.pd);
	CHECK_STR(f.events[0].name, "unknown tracepoint id=0");
	CHECK_STR(f.events[1].name, "sched:sched_switch");
	CHECK_STR(f.events[2].name, "sched:sched_wakeup");
	CHECK_EQ(pd_tracing_open(bytes_span(&b), &t, NULL), 0);
	CHECK_EQ(t.page_size, 4096);
	CHECK_EQ(pd_tracing_next(&t, &tp, NULL), 1);
	while (pd_trace_field_next(tp.format, &pos, &field)) {
		CHECK(i < ARRAY_SIZE(want));
		CHECK(span_is(field.name, want[i++]));
	}
	CHECK_EQ(i, 3);
	CHECK_EQ(pd_tracing_next(&t, &tp, NULL), 1);
	CHECK_EQ(pd_tracing_next(&t, &tp, NULL), 0);
	feature_file_fini(&f);
	bytes_free(&b);
}

TEST(tracepoint_names_little_endian)
{
	check_tracepoints(false);
}

TEST(tracepoint_names_big_endian)
{
	check_tracepoints(true);
}

TEST(simpleperf_names)
{
	static const char meta[] = "timestamp\0"
				   "1\0"
				   "event_type_info\0"
				   "sched:sched_switch,2,1\ncpu-cycles,0,0\ncs-etm,8,0\0"
				   "x";
	struct feature_file f;

	feature_file_init(&f, false);
	f.events[0].attr.type = 8; /* config differs from the list's */
	f.events[0].attr.config = 0x4000;
	f.events[2].attr.type = PD_TYPE_HARDWARE;
	f.events[2].attr.config = 0;
	feature_file_set(&f, PD_FEAT_SIMPLEPERF_META_INFO, span_of(meta, sizeof(meta) - 1));
	event_names_apply(&f.pd);
	CHECK_STR(f.events[0].name, "cs-etm");
	CHECK_STR(f.events[1].name, "sched:sched_switch");
	CHECK(!f.events[2].name_given);
	CHECK(!f.events[3].name_given);
	feature_file_fini(&f);
}

/* --- build ids -------------------------------------------------------------------------------- */

static void check_build_ids(bool big)
{
	static const u8 short_id[20] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct bytes b = bytes_new(big);
	struct pd_build_id_entry v;
	struct pd_build_ids ids;

	put_build_id(&b, PD_CPUMODE_KERNEL, -1, some_id, 7, "[kernel.kallsyms]");
	put_build_id(&b, PD_CPUMODE_USER | PD_MISC_BUILD_ID_SIZE, -1, some_id, 16, "/bin/a");
	put_build_id(&b, PD_CPUMODE_GUEST_USER, 42, short_id, 0, "/bin/b");
	ids = pd_build_ids_open(bytes_span(&b), bytes_swapped(&b));
	CHECK(!ids.old_abi);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.pid, -1);
	CHECK_EQ(v.cpumode, PD_CPUMODE_KERNEL);
	CHECK_EQ(v.build_id.size, 20); /* the size byte does not count without its bit */
	CHECK(span_is(v.filename, "[kernel.kallsyms]"));
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.build_id.size, 16);
	CHECK_MEM(v.build_id.data, some_id, 16);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.pid, 42);
	CHECK_EQ(v.build_id.size, 8); /* padded with zeros */
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 0);
	bytes_free(&b);
}

TEST(build_ids_little_endian)
{
	check_build_ids(false);
}

TEST(build_ids_big_endian)
{
	check_build_ids(true);
}

TEST(build_ids_of_the_first_abi)
{
	struct bytes b = bytes_new(false);
	struct pd_build_id_entry v;
	struct pd_build_ids ids;
	int i;

	for (i = 0; i < 2; i++) {
		record_begin(&b, 0, i ? PD_CPUMODE_USER : PD_CPUMODE_KERNEL);
		put_mem(&b, some_id, 20);
		put_fill(&b, 0, 4);
		put_text(&b, i ? "/bin/a" : "[kernel.kallsyms]", 8);
		record_end(&b);
	}
	ids = pd_build_ids_open(bytes_span(&b), false);
	CHECK(ids.old_abi);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK_EQ(v.pid, -1);
	CHECK(span_is(v.filename, "[kernel.kallsyms]"));
	CHECK_MEM(v.build_id.data, some_id, 20);
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 1);
	CHECK(span_is(v.filename, "/bin/a"));
	CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 0);
	bytes_free(&b);
}

TEST(build_id_sizes_that_lie)
{
	static const u16 sizes[] = { 0, 7, 8, 35, 65535 };
	struct pd_build_id_entry v;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct bytes b = bytes_new(false);
		struct pd_build_ids ids;

		put_build_id(&b, 0, -1, some_id, 0, "/bin/a");
		set_u16(&b, 6, sizes[i]);
		ids = pd_build_ids_open(bytes_span(&b), false);
		CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), PERR_FORMAT);
		CHECK_EQ(pd_build_ids_next(&ids, &v, NULL), 0);
		bytes_free(&b);
	}
}

/* --- hostile bytes ---------------------------------------------------------------------------- */

/* A copy in a block of exactly its size, so that a sanitizer sees a read past it. */
static u64 touch_exact(unsigned int bit, const u8 *p, size_t n, bool swap)
{
	u8 *copy = malloc(n ? n : 1);
	u64 sum;

	memcpy(copy, p, n);
	sum = feature_touch_all(bit, span_of(copy, n), span_of(NULL, 0), swap);
	free(copy);
	return sum;
}

TEST(cut_at_every_byte)
{
	unsigned int bit;
	int big;

	for (bit = 0; bit < PD_FEAT_END; bit++)
		for (big = 0; big < 2; big++) {
			struct bytes b = bytes_new(big);
			size_t n;

			put_payload(&b, bit);
			/* of long ones (strings are padded to 64) every third length will do */
			for (n = 0; b.n && n <= b.n; n += b.n > 600 ? 3 : 1)
				(void)touch_exact(bit, b.p, n, bytes_swapped(&b));
			bytes_free(&b);
		}
}

TEST(every_word_as_all_ones)
{
	unsigned int bit;

	for (bit = 0; bit < PD_FEAT_END; bit++) {
		struct bytes b = bytes_new(false);
		size_t at;

		put_payload(&b, bit);
		for (at = 0; at + 4 <= b.n; at += 4) {
			u8 was[4];

			memcpy(was, b.p + at, 4);
			memset(b.p + at, 0xff, 4);
			(void)touch_exact(bit, b.p, b.n, false);
			memset(b.p + at, 0x7f, 4);
			(void)touch_exact(bit, b.p, b.n, true);
			memcpy(b.p + at, was, 4);
		}
		bytes_free(&b);
	}
}

TEST(counts_that_lie_cost_nothing)
{
	struct bytes b = bytes_new(false);
	struct pd_numa_node node;
	struct pd_strings s;
	struct pd_list l;
	struct span text;
	struct cursor c;

	put_u32(&b, UINT32_MAX);
	put_u32(&b, 0);
	c = cursor_of(bytes_span(&b), false);
	s = pd_cur_strings(&c);
	CHECK(c.bad);
	CHECK(!pd_strings_next(&s, &text));
	CHECK_EQ(pd_list_open(bytes_span(&b), false, &l, NULL), 0);
	CHECK_EQ(pd_numa_next(&l, &node, NULL), PERR_FORMAT);
	CHECK_EQ(pd_numa_next(&l, &node, NULL), 0);
	bytes_free(&b);
}

TEST(unknown_versions)
{
	struct bytes b = bytes_new(false);
	struct pd_clock_data c;
	struct pd_list l;
	u64 block;

	put_u64(&b, 2);
	put_u64(&b, 0);
	put_u64(&b, 0);
	CHECK_EQ(pd_mem_open(bytes_span(&b), false, &block, &l, NULL), PERR_UNSUPPORTED);
	CHECK_EQ(pd_cache_open(bytes_span(&b), false, &l, NULL), PERR_UNSUPPORTED);
	CHECK_EQ(pd_feature_clock_data(bytes_span(&b), false, &c, NULL), PERR_UNSUPPORTED);
	bytes_free(&b);
}

TEST(names_of_bits)
{
	CHECK_STR(pd_feature_name(0), NULL);
	CHECK_STR(pd_feature_name(1), "TRACING_DATA");
	CHECK_STR(pd_feature_name(34), "CLN_SIZE");
	CHECK_STR(pd_feature_name(35), NULL);
	CHECK_STR(pd_feature_name(1000), NULL);
}
