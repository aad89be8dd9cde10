/* SPDX-License-Identifier: MIT */
/* Samples: each field alone and with others, cut, with counts that lie. */
#include "tests/fileformat/both_orders.h"

#include "base/mem.h"
#include "fileformat/sample.h"
#include "tests/fileformat/use_sample.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static void check_u64s(struct span s, const u64 *want, size_t nr, bool swap)
{
	size_t i;

	CHECK_EQ(s.n, nr * 8);
	for (i = 0; i < nr; i++)
		CHECK_EQ(span_u64(s, i, swap), want[i]);
}

/* Every field: as put when the type has it, its default when not. */
static void check_sample(const struct pd_sample *s, u64 type, const struct sample_parts *p,
			 bool swap)
{
#define HAS(bit) (type & PD_SAMPLE_##bit)
	CHECK_EQ(s->swap, swap);
	CHECK_EQ(s->misc, p->misc);
	CHECK_EQ(s->cpumode, p->misc & 7);
	CHECK_EQ(s->ip, HAS(IP) ? p->ip : 0);
	CHECK_EQ(s->pid, HAS(TID) ? p->pid : UINT32_MAX);
	CHECK_EQ(s->tid, HAS(TID) ? p->tid : UINT32_MAX);
	CHECK_EQ(s->time, HAS(TIME) ? p->time : UINT64_MAX);
	CHECK_EQ(s->addr, HAS(ADDR) ? p->addr : 0);
	CHECK_EQ(s->id, HAS(ID) || HAS(IDENTIFIER) ? p->id : 0);
	CHECK_EQ(s->stream_id, HAS(STREAM_ID) ? p->stream_id : 0);
	CHECK_EQ(s->cpu, HAS(CPU) ? p->cpu : UINT32_MAX);
	CHECK_EQ(s->period, HAS(PERIOD) ? p->period : 4321);
	CHECK_EQ(s->read.nr, HAS(READ) ? 1 : 0);
	CHECK_EQ(pd_read_get(&s->read, 0, swap).value, HAS(READ) ? 111 : 0);
	CHECK_EQ(s->read.time_enabled, HAS(READ) ? 222 : 0);
	CHECK_EQ(s->read.time_running, HAS(READ) ? 333 : 0);
	CHECK_EQ(pd_read_get(&s->read, 0, swap).id, HAS(READ) ? 444 : 0);
	check_u64s(s->callchain, chain, HAS(CALLCHAIN) ? p->nr_ips : 0, swap);
	CHECK_EQ(s->raw.n, HAS(RAW) ? p->raw_size : 0);
	CHECK_MEM(s->raw.p, p->raw, s->raw.n);
	check_u64s(s->branches, branch_words, HAS(BRANCH_STACK) ? 6 : 0, swap);
	check_u64s(s->branch_counters, counter_words, HAS(BRANCH_STACK) ? 2 : 0, swap);
	CHECK_EQ(s->branch_hw_idx, HAS(BRANCH_STACK) ? p->branch_hw_idx : 0);
	CHECK_EQ(s->user_regs.abi, HAS(REGS_USER) ? 2 : 0);
	CHECK_EQ(s->user_regs.mask, HAS(REGS_USER) ? (1ull << 63 | 1ull << 8 | 1) : 0);
	check_u64s(s->user_regs.values, user_regs, HAS(REGS_USER) ? 3 : 0, swap);
	CHECK_EQ(s->intr_regs.abi, HAS(REGS_INTR) ? 1 : 0);
	check_u64s(s->intr_regs.values, intr_regs, HAS(REGS_INTR) ? 2 : 0, swap);
	CHECK_EQ(s->user_stack.n, HAS(STACK_USER) ? 10 : 0);
	CHECK_EQ(s->user_stack_size, HAS(STACK_USER) ? 16 : 0);
	CHECK_MEM(s->user_stack.p, p->stack, s->user_stack.n);
	if (HAS(WEIGHT)) {
		CHECK_EQ(s->weight, p->weight);
		CHECK_EQ(s->ins_lat, 0);
	} else {
		CHECK_EQ(s->weight, HAS(WEIGHT_STRUCT) ? 1 : 0);
		CHECK_EQ(s->ins_lat, HAS(WEIGHT_STRUCT) ? 2 : 0);
		CHECK_EQ(s->weight3, HAS(WEIGHT_STRUCT) ? 3 : 0);
	}
	CHECK_EQ(s->data_src, HAS(DATA_SRC) ? p->data_src : PD_DATA_SRC_NONE);
	CHECK_EQ(s->transaction, HAS(TRANSACTION) ? p->transaction : 0);
	CHECK_EQ(s->phys_addr, HAS(PHYS_ADDR) ? p->phys_addr : 0);
	CHECK_EQ(s->cgroup, HAS(CGROUP) ? p->cgroup : 0);
	CHECK_EQ(s->data_page_size, HAS(DATA_PAGE_SIZE) ? p->data_page_size : 0);
	CHECK_EQ(s->code_page_size, HAS(CODE_PAGE_SIZE) ? p->code_page_size : 0);
	CHECK_EQ(s->aux.n, HAS(AUX) ? 8 : 0);
	CHECK_MEM(s->aux.p, p->aux, s->aux.n);
	CHECK_EQ(s->deferred.n, 0);
#undef HAS
}

/* What was in *ret before must not show through. */
static void decode_type(bool big, u64 type)
{
	struct pd_event ev = event_of_type(type);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_sample s;
	struct pd_record r;
	struct perr e;
	int fill;

	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	for (fill = 0; fill < 256; fill += 0x55) {
		memset(&s, fill, sizeof(s));
		CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e), 0);
		check_sample(&s, type, &parts, bytes_swapped(&b));
	}
	bytes_free(&b);
}

#define ALL_BITS (((u64)PD_SAMPLE_WEIGHT_STRUCT << 1) - 1)

BOTH(each_field_alone)
{
	unsigned int bit;

	decode_type(big, 0);
	for (bit = 0; bit <= 24; bit++)
		decode_type(big, 1ull << bit);
}

BOTH(each_pair_of_fields)
{
	unsigned int i, j;

	for (i = 0; i <= 24; i++)
		for (j = 0; j < i; j++)
			decode_type(big, 1ull << i | 1ull << j);
}

BOTH(all_fields)
{
	unsigned int bit;

	decode_type(big, ALL_BITS & ~PD_SAMPLE_WEIGHT);
	decode_type(big, ALL_BITS & ~PD_SAMPLE_WEIGHT_STRUCT);
	for (bit = 0; bit <= 24; bit++)
		decode_type(big, ALL_BITS & ~PD_SAMPLE_WEIGHT & ~(1ull << bit));
}

/* Each cut of a full sample, at the end of an allocation: refused with its offset, never overrun.
 */
BOTH(every_cut)
{
	struct pd_event ev = event_of_type(ALL_BITS & ~PD_SAMPLE_WEIGHT);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_record r;
	struct pd_sample s;
	u32 size;

	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	for (size = 8; size < r.size; size++) {
		struct pd_record cut = r;
		struct perr e = { 0 };
		u8 *buf = xmalloc(size);

		memcpy(buf, r.data, size);
		cut.data = buf;
		cut.size = size;
		cut.off = 0x4321;
		CHECK_EQ(pd_read_sample(&ev, &cut, bytes_swapped(&b), &s, &e), PERR_FORMAT);
		CHECK_EQ(e.off, 0x4321);
		CHECK_EQ(e.code, PERR_FORMAT);
		free(buf);
	}
	bytes_free(&b);
}

/* Counts of every size at every place of a count: no wrap, no overrun. */
BOTH(hostile_counts)
{
	static const u64 counts[] = { 1,          2,
				      8191,       1ull << 31,
				      1ull << 32, 1ull << 60,
				      1ull << 61, (1ull << 61) + 1,
				      1ull << 63, 0x0aaaaaaaaaaaaaab,
				      UINT64_MAX };
	static const u64 types[] = {
		PD_SAMPLE_READ,         PD_SAMPLE_CALLCHAIN,  PD_SAMPLE_RAW,
		PD_SAMPLE_BRANCH_STACK, PD_SAMPLE_STACK_USER, PD_SAMPLE_AUX,
	};
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		for (j = 0; j < ARRAY_SIZE(counts); j++) {
			struct pd_event ev = event_of_type(types[i]);
			struct bytes b = bytes_new(big);
			struct pd_record r;
			struct pd_sample s;
			struct perr e;

			ev.attr.read_format |= PD_FORMAT_GROUP;
			record_begin(&b, PD_RECORD_SAMPLE, 0);
			put_u64(&b, counts[j]);
			record_end(&b);
			r = last_record(&b);
			/* raw's count is the first u32 in file order */
			if (types[i] == PD_SAMPLE_RAW &&
			    get_u32(r.data + 8, bytes_swapped(&b)) <= 4)
				CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e), 0);
			else
				CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e),
					 PERR_FORMAT);
			bytes_free(&b);
		}
	}
}

BOTH(stack_without_bytes_has_no_length_behind)
{
	struct pd_event ev = event_of_type(PD_SAMPLE_STACK_USER | PD_SAMPLE_DATA_SRC);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_record r;
	struct pd_sample s;
	struct perr e;

	parts.stack_size = 0;
	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	CHECK_EQ(r.size, 24);
	CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e), 0);
	CHECK_EQ(s.user_stack.n, 0);
	CHECK_EQ(s.user_stack_size, 0);
	CHECK_EQ(s.data_src, parts.data_src);
	bytes_free(&b);
}

BOTH(stack_length_beyond_the_copy)
{
	struct pd_event ev = event_of_type(PD_SAMPLE_STACK_USER);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_record r;
	struct pd_sample s;
	struct perr e;

	parts.stack_dyn_size = UINT64_MAX;
	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e), 0);
	CHECK_EQ(s.user_stack.n, 16);
	bytes_free(&b);
}

BOTH(registers_of_a_kernel_thread)
{
	struct pd_event ev = event_of_type(PD_SAMPLE_REGS_USER | PD_SAMPLE_REGS_INTR);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_record r;
	struct pd_sample s;
	struct perr e;

	parts.user_abi = 0;
	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	CHECK_EQ(r.size, 8 + 8 + 8 + 16);
	CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e), 0);
	CHECK_EQ(s.user_regs.abi, 0);
	CHECK_EQ(s.user_regs.values.n, 0);
	check_u64s(s.intr_regs.values, intr_regs, 2, bytes_swapped(&b));
	bytes_free(&b);
}

BOTH(branch_stack_without_options)
{
	struct pd_event ev = event_of_type(PD_SAMPLE_BRANCH_STACK);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_record r;
	struct pd_sample s;
	struct perr e;

	ev.attr.branch_sample_type = 0;
	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	CHECK_EQ(r.size, 8 + 8 + 48);
	CHECK_EQ(pd_read_sample(&ev, &r, bytes_swapped(&b), &s, &e), 0);
	check_u64s(s.branches, branch_words, 6, bytes_swapped(&b));
	CHECK_EQ(s.branch_hw_idx, 0);
	CHECK_EQ(s.branch_counters.n, 0);
	bytes_free(&b);
}

/* A sample decoded over another one is as if it were decoded alone, whole or cut. */
BOTH(plain_samples_one_over_the_other)
{
	struct pd_event events[] = {
		event_of_type(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			      PD_SAMPLE_CPU | PD_SAMPLE_PERIOD | PD_SAMPLE_RAW),
		event_of_type(PD_SAMPLE_TIME | PD_SAMPLE_CALLCHAIN | PD_SAMPLE_RAW),
		event_of_type(PD_SAMPLE_TID | PD_SAMPLE_CALLCHAIN),
	};
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_sample alone = { 0 }, over = { 0 };
	struct perr e, same;
	struct pd_record r;

	put_sample(&b, &events[1].attr, &parts);
	r = last_record(&b);
	CHECK_EQ(pd_read_sample(&events[1], &r, bytes_swapped(&b), &over, &e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		u32 size;

		CHECK(events[i].layout.ends_with_raw);
		put_sample(&b, &events[i].attr, &parts);
		r = last_record(&b);
		for (size = r.size; r.size >= 8; r.size--) {
			int err = pd_read_sample(&events[i], &r, bytes_swapped(&b), &alone, &e);

			CHECK_EQ(pd_read_sample_again(&events[i], &r, bytes_swapped(&b), &over,
						      &same),
				 err);
			if (err)
				CHECK_STR(same.text, e.text);
			else
				CHECK_EQ(memcmp(&alone, &over, sizeof(alone)), 0);
		}
		r.size = size;
		CHECK_EQ(pd_read_sample_again(&events[i], &r, bytes_swapped(&b), &over, &e), 0);
	}
	bytes_free(&b);
}

/* The members of a brief sample are those of the whole one; a record that is cut is refused by
 * both.
 */
BOTH(brief_samples)
{
	struct pd_event events[] = { event_of_type(PD_TRACEPOINT_FIELDS),
				     event_of_type(PD_TRACEPOINT_FIELDS | PD_SAMPLE_CALLCHAIN) };
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(big);
	struct pd_sample whole, brief;
	struct pd_record r;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		put_sample(&b, &events[i].attr, &parts);
		for (r = last_record(&b); r.size >= 8; r.size--) {
			bool swap = bytes_swapped(&b);
			int err = pd_read_sample(&events[i], &r, swap, &whole, NULL);

			memset(&brief, 0xee, sizeof(brief));
			CHECK_EQ(pd_read_sample_brief(&events[i], &r, swap, &brief), !err && !swap);
			if (err || swap)
				continue;
			CHECK(!brief.swap);
			CHECK_EQ(brief.pid, whole.pid);
			CHECK_EQ(brief.tid, whole.tid);
			CHECK_EQ(brief.time, whole.time);
			CHECK_EQ(brief.cpu, whole.cpu);
			CHECK_EQ(brief.callchain.n, whole.callchain.n);
			CHECK(!brief.callchain.n || brief.callchain.p == whole.callchain.p);
			CHECK_EQ(brief.raw.n, whole.raw.n);
			CHECK(brief.raw.p == whole.raw.p);
		}
	}
	bytes_free(&b);
}

/* A count of call chain entries that is too large for any record is refused. */
TEST(brief_sample_with_a_huge_chain)
{
	struct pd_event ev = event_of_type(PD_TRACEPOINT_FIELDS | PD_SAMPLE_CALLCHAIN);
	struct sample_parts parts = sample_parts_full();
	struct bytes b = bytes_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	static const u64 numbers[] = { UINT64_MAX, 1ull << 61 /* of 2^64 bytes */, 1u << 13 };
	struct pd_sample s;
	struct pd_record r;

	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	CHECK(pd_read_sample_brief(&ev, &r, false, &s));
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		memcpy(b.p + b.n - r.size + 56, &numbers[i], 8);
		CHECK(!pd_read_sample_brief(&ev, &r, false, &s));
	}
	bytes_free(&b);
}

/* Both orders of {pid, tid} and {cpu, res} are two u32s in file order, never one u64. */
TEST(u32_pairs_in_a_big_endian_file)
{
	static const u8 bytes[] = {
		0, 0, 0,    9,    0,   0,   0,    32,   /* SAMPLE, size 32 */
		0, 0, 0x12, 0x34, 0,   0,   0x56, 0x78, /* pid, tid */
		0, 0, 0,    0x07, 0,   0,   0,    0,    /* cpu, res */
		0, 0, 0,    4,    'a', 'b', 'c',  'd',  /* raw size, raw */
	};
	struct pd_event ev = event_of_type(PD_SAMPLE_TID | PD_SAMPLE_CPU | PD_SAMPLE_RAW);
	struct pd_record r = { .type = PD_RECORD_SAMPLE, .size = 32, .data = bytes };
	bool swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	struct pd_sample s;

	CHECK_EQ(pd_read_sample(&ev, &r, swap, &s, NULL), 0);
	CHECK_EQ(s.pid, 0x1234);
	CHECK_EQ(s.tid, 0x5678);
	CHECK_EQ(s.cpu, 7);
	CHECK_MEM(s.raw.p, "abcd", 4);
}

TEST(branch_flags_of_both_orders)
{
	bool swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	CHECK_EQ(pd_branch_flags(0x0123456789abcdef, !swap), 0x0123456789abcdef);
	/* big endian: 63 mispred, 62 predicted, 61 in_tx, 60 abort, 59-44 cycles, 43-40 type */
	CHECK_EQ(pd_branch_flags(1ull << 63, swap), 1);
	CHECK_EQ(pd_branch_flags(1ull << 62, swap), 2);
	CHECK_EQ(pd_branch_flags(1ull << 61, swap), 4);
	CHECK_EQ(pd_branch_flags(1ull << 60, swap), 8);
	CHECK_EQ(pd_branch_flags(0xbeefull << 44, swap), 0xbeefull << 4);
	CHECK_EQ(pd_branch_flags(5ull << 40, swap), 5ull << 20);
	/* 39-38 spec, 37-34 new_type, 33-31 priv */
	CHECK_EQ(pd_branch_flags(2ull << 38, swap), 2ull << 24);
	CHECK_EQ(pd_branch_flags(9ull << 34, swap), 9ull << 26);
	CHECK_EQ(pd_branch_flags(6ull << 31, swap), 6ull << 30);
	CHECK_EQ(pd_branch_flags(0x7fffffff, swap), 0);
}
