/* SPDX-License-Identifier: MIT */
/* Attrs and payloads of feature sections, written and read back. */
#include "fileformat/write/writer.h"

#include "fileformat/event_desc.h"
#include "fileformat/feature_build_id.h"
#include "fileformat/write/feature_encode.h"
#include "fileformat/write/record_encode.h"
#include "tests/frame/unit.h"

/* Every field another value; flags with both bits of precise_ip different. */
static struct pd_attr full_attr(void)
{
	return (struct pd_attr){
		.type = 0x01020304,
		.size = 144,
		.config = 0x1122334455667788,
		.sample_period_or_freq = 4000,
		.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ID,
		.read_format = PD_FORMAT_ID | PD_FORMAT_LOST,
		.flags = 1ull << PD_ATTR_DISABLED | 2ull << PD_ATTR_PRECISE_IP |
			 1ull << PD_ATTR_SAMPLE_ID_ALL | 1ull << PD_ATTR_DEFER_OUTPUT,
		.wakeup_events_or_watermark = 11,
		.bp_type = 12,
		.config1 = 13,
		.config2 = 14,
		.branch_sample_type = 15,
		.sample_regs_user = 16,
		.sample_stack_user = 17,
		.clockid = -18,
		.sample_regs_intr = 19,
		.aux_watermark = 20,
		.sample_max_stack = 21,
		.aux_sample_size = 22,
		.aux_action = 4,
		.sig_data = 24,
		.config3 = 25,
		.config4 = 26,
	};
}

static struct pd_attr decoded(const struct wbuf *b)
{
	struct cursor c = cursor_of(wb_span(b), false);
	struct pd_attr a;
	struct perr e;

	CHECK(!pd_attr_decode(&c, &a, &e));
	CHECK_EQ(cur_left(&c), 0);
	return a;
}

TEST(attr_comes_back)
{
	struct pd_attr a = full_attr(), got;
	struct wbuf b = { 0 };

	pd_attr_encode(&b, &a, 144);
	CHECK_EQ(b.n, 144);
	got = decoded(&b);
	CHECK_MEM(&got, &a, sizeof(a));
	wb_fini(&b);
}

TEST(larger_attr_ends_in_zeros)
{
	static const u8 zeros[16];
	struct pd_attr a = full_attr();
	struct wbuf b = { 0 };

	pd_attr_encode(&b, &a, 160);
	CHECK_EQ(b.n, 160);
	CHECK_EQ(decoded(&b).size, 160);
	CHECK_EQ(decoded(&b).config4, 26);
	CHECK_MEM(b.p + 144, zeros, 16);
	wb_fini(&b);
}

TEST(smaller_attr_is_cut)
{
	struct pd_attr a = full_attr();
	struct wbuf b = { 0 };

	wb_u32(&b, 0xabcdabcd); /* what stands in front stays */
	pd_attr_encode(&b, &a, 64);
	CHECK_EQ(b.n, 68);
	CHECK_EQ(get_u32(b.p, false), 0xabcdabcd);
	CHECK_EQ(get_u32(b.p + 8, false), 64);
	CHECK_EQ(get_u64(b.p + 4 + 56, false), 13);
	wb_fini(&b);
}

/* Each field set alone, and the size that it must give: the field is then still there. */
#define CHECK_SIZE(field, value, want)                              \
	do {                                                        \
		struct pd_attr a_ = { .type = 1, .size = (want) };  \
		struct wbuf b_ = { 0 };                             \
		a_.field = (value);                                 \
		CHECK_EQ(pd_attr_size_needed(&a_), (want));         \
		pd_attr_encode(&b_, &a_, pd_attr_size_needed(&a_)); \
		struct pd_attr got_ = decoded(&b_);                 \
		CHECK_MEM(&got_, &a_, sizeof(a_));                  \
		wb_fini(&b_);                                       \
	} while (0)

TEST(smallest_size_that_holds_the_fields)
{
	CHECK_SIZE(config1, 1, 64);
	CHECK_SIZE(flags, 1ull << PD_ATTR_DEFER_OUTPUT, 64);
	CHECK_SIZE(config2, 1, 72);
	CHECK_SIZE(branch_sample_type, 1, 80);
	CHECK_SIZE(sample_regs_user, 1, 96);
	CHECK_SIZE(sample_stack_user, 8, 96);
	CHECK_SIZE(clockid, 1, 96);
	CHECK_SIZE(flags, 1ull << PD_ATTR_USE_CLOCKID, 96); /* CLOCK_REALTIME is 0 */
	CHECK_SIZE(sample_regs_intr, 1, 104);
	CHECK_SIZE(aux_watermark, 1, 112);
	CHECK_SIZE(sample_max_stack, 1, 112);
	CHECK_SIZE(aux_sample_size, 1, 120);
	CHECK_SIZE(aux_action, 1, 120);
	CHECK_SIZE(sig_data, 1, 128);
	CHECK_SIZE(config3, 1, 136);
	CHECK_SIZE(config4, 1, 144);
}

/* --- payloads --- */

TEST(strings_are_padded_to_64)
{
	static const char *const two[] = { "a", "bc" };
	struct pd_strings s;
	struct wbuf b = { 0 };
	struct cursor c;
	struct span t;

	pd_put_strings(&b, two, 2);
	CHECK_EQ(b.n, 4 + 2 * (4 + 64));
	CHECK_EQ(get_u32(b.p + 4, false), 64);
	c = cursor_of(wb_span(&b), false);
	s = pd_cur_strings(&c);
	CHECK(!c.bad && !cur_left(&c));
	CHECK_EQ(s.nr, 2);
	CHECK(pd_strings_next(&s, &t));
	CHECK_EQ(t.n, 1);
	CHECK(pd_strings_next(&s, &t));
	CHECK_EQ(t.n, 2);
	CHECK_MEM(t.p, "bc", 2);
	wb_fini(&b);
}

/* The NUL belongs to the length: 63 letters fit 64 bytes, 64 do not. */
TEST(string_of_the_padded_length)
{
	char text[65];
	struct wbuf b = { 0 };

	memset(text, 'x', 64);
	text[63] = '\0';
	pd_put_string(&b, text);
	CHECK_EQ(b.n, 4 + 64);
	text[63] = 'x';
	text[64] = '\0';
	pd_put_string(&b, text);
	CHECK_EQ(b.n, 4 + 64 + 4 + 128);
	wb_fini(&b);
}

TEST(groups_come_back)
{
	static const struct pd_out_group groups[] = { { NULL, 1, 2 }, { "mine", 4, 3 } };
	struct pd_group_desc g;
	struct wbuf b = { 0 };
	struct pd_list l;
	struct perr e;

	pd_put_group_desc(&b, groups, 2);
	CHECK(!pd_list_open(wb_span(&b), false, &l, &e));
	CHECK_EQ(l.nr, 2);
	CHECK_EQ(pd_group_desc_next(&l, &g, &e), 1);
	CHECK_MEM(g.name.p, "{anon_group}", g.name.n);
	CHECK_EQ(g.name.n, 12);
	CHECK_EQ(g.leader_idx, 1);
	CHECK_EQ(g.nr_members, 2);
	CHECK_EQ(pd_group_desc_next(&l, &g, &e), 1);
	CHECK_MEM(g.name.p, "mine", 4);
	CHECK_EQ(g.leader_idx, 4);
	CHECK_EQ(g.nr_members, 3);
	CHECK_EQ(cur_left(&l.c), 0);
	wb_fini(&b);
}

TEST(build_ids_come_back)
{
	struct pd_build_id id20 = { .size = 20 }, id16 = { .size = 16 };
	struct pd_build_id_entry got;
	struct pd_build_ids list;
	struct wbuf b = { 0 };
	struct perr e;

	memset(id20.data, 0xa5, 20);
	memset(id16.data, 0x5a, 16);
	pd_put_build_id(&b, -1, PD_CPUMODE_KERNEL, &id20, "[kernel.kallsyms]");
	pd_put_build_id(&b, -1, PD_CPUMODE_USER, &id16, "/bin/abc");
	list = pd_build_ids_open(wb_span(&b), false);
	CHECK_EQ(pd_build_ids_next(&list, &got, &e), 1);
	CHECK(!list.old_abi);
	CHECK_EQ(got.pid, -1);
	CHECK_EQ(got.cpumode, PD_CPUMODE_KERNEL);
	CHECK_EQ(got.build_id.size, 20);
	CHECK_MEM(got.build_id.data, id20.data, 20);
	CHECK_MEM(got.filename.p, "[kernel.kallsyms]", 18);
	CHECK_EQ(pd_build_ids_next(&list, &got, &e), 1);
	CHECK_EQ(got.cpumode, PD_CPUMODE_USER);
	CHECK_EQ(got.build_id.size, 16);
	CHECK_EQ(got.filename.n, 8);
	CHECK_MEM(got.filename.p, "/bin/abc", 9);
	CHECK_EQ(pd_build_ids_next(&list, &got, &e), 0);
	wb_fini(&b);
}

TEST(numbers_come_back)
{
	struct pd_compressed c = { 0, 1, 3, 9, 4096 }, got_c;
	struct pd_clock_data k = { 7, 1111, 2222 }, got_k;
	struct pd_sample_time t;
	struct wbuf b = { 0 };
	struct perr e;

	pd_put_compressed(&b, &c);
	CHECK_EQ(b.n, 20);
	CHECK(!pd_feature_compressed(wb_span(&b), false, &got_c, &e));
	CHECK_MEM(&got_c, &c, sizeof(c));
	b.n = 0;
	pd_put_clock_data(&b, &k);
	CHECK_EQ(b.n, 24);
	CHECK(!pd_feature_clock_data(wb_span(&b), false, &got_k, &e));
	CHECK_EQ(got_k.clockid, 7);
	CHECK_EQ(got_k.wall_ns, 1111);
	CHECK_EQ(got_k.clock_ns, 2222);
	b.n = 0;
	pd_put_sample_time(&b, 5, 6);
	CHECK(!pd_feature_sample_time(wb_span(&b), false, &t, &e));
	CHECK_EQ(t.first, 5);
	CHECK_EQ(t.last, 6);
	wb_fini(&b);
}
