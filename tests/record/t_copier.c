/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "fileformat/sample.h"
#include "record/ring/copier.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define ALL_BITS ((1ull << 25) - 1)
#define STACK_SIZE 64u

static const u64 chain[] = { PD_CONTEXT_USER, 0x401000, 0x402000 };
static const u64 branch_words[] = { 0x10, 0x20, 0x30, 0x40, 0x50, 0x60 };
static const u64 counter_words[] = { 0x70, 0x80 };
static const u64 user_regs[] = { 0x1001, 0x1002, 0x1003 };
static const u64 intr_regs[] = { 0x2001, 0x2002 };
static const u64 read_words[] = { 111, 222, 333, 444 };
static const char stack_bytes[] =
	"The stack of a thread, from its stack pointer up: 64 bytes long.";

static struct sample_parts parts_full(void)
{
	return (struct sample_parts){
		.misc = PD_CPUMODE_USER,
		.ip = 0x401000,
		.time = 0x1112131415161718,
		.addr = 0x2122232425262728,
		.id = 77,
		.stream_id = 0x4142434445464748,
		.period = 0x5152535455565758,
		.pid = 0x61626364,
		.tid = 0x65666768,
		.cpu = 3,
		.read = read_words,
		.nr_read = 4,
		.ips = chain,
		.nr_ips = 3,
		.raw = "raw bytes 12",
		.raw_size = 12,
		.branches = branch_words,
		.nr_branches = 2,
		.branch_hw_idx = 0x8182838485868788,
		.branch_counters = counter_words,
		.user_abi = 2,
		.intr_abi = 1,
		.user_regs = user_regs,
		.intr_regs = intr_regs,
		.stack = stack_bytes,
		.stack_size = STACK_SIZE,
		.stack_dyn_size = 20,
		.weight = 0x0003000200000001,
		.data_src = 0x9192939495969798,
		.transaction = 0xa1a2a3a4a5a6a7a8,
		.phys_addr = 0xb1b2b3b4b5b6b7b8,
		.cgroup = 0xc1c2c3c4c5c6c7c8,
		.data_page_size = 4096,
		.code_page_size = 0x200000,
		.aux = "auxdata8",
		.aux_size = 8,
	};
}

static struct pd_attr attr_of(u64 sample_type)
{
	return (struct pd_attr){
		.size = 144,
		.sample_type = sample_type,
		.read_format =
			PD_FORMAT_TOTAL_TIME_ENABLED | PD_FORMAT_TOTAL_TIME_RUNNING | PD_FORMAT_ID,
		.branch_sample_type = PD_BRANCH_HW_INDEX | PD_BRANCH_COUNTERS,
		.sample_regs_user = 1ull << 31 | 1ull << 7 | 1,
		.sample_regs_intr = 0x30,
		.sample_stack_user = STACK_SIZE,
		.flags = 1ull << PD_ATTR_SAMPLE_ID_ALL,
	};
}

static struct rec_event *add_event(struct rec_evlist *l, const struct pd_attr *a, u64 id)
{
	struct rec_event *ev = evlist_add(l, "e", a->type, 0);

	ev->attr = *a;
	ev->fds = xcalloc(1, sizeof(*ev->fds));
	ev->fds[0] = -1;
	ev->ids = xcalloc(1, sizeof(*ev->ids));
	ev->ids[0] = id;
	ev->nr_fds = 1;
	return ev;
}

/* The sample as it should leave: the stack is what is valid, rounded up to 8. */
static void put_wanted(struct bytes *b, const struct pd_attr *a, struct sample_parts p)
{
	p.stack_size = (p.stack_dyn_size + 7) & ~7ull;
	put_sample(b, a, &p);
}

/* Through the copier in two runs split at `split` (0: one run). */
static void pass(const struct rec_evlist *l, const struct bytes *in, size_t split, struct wbuf *out)
{
	struct rec_copier *c = copier_new(l, NULL);
	/* runs of their own, so that a sanitizer sees every byte too many */
	u8 *first = xmalloc(split ? split : in->n), *second = xmalloc(in->n - split);
	struct span runs[2] = { { first, split ? split : in->n }, { second, in->n - split } };
	struct perr e;

	memcpy(first, in->p, runs[0].n);
	memcpy(second, in->p + split, in->n - split);
	out->n = 0;
	CHECK_EQ(copier_pass(c, runs, split ? 2 : 1, out, &e), 0);
	CHECK_EQ(copier_counts(c)->bytes_in, in->n);
	CHECK_EQ(copier_counts(c)->bytes_out, out->n);
	free(first);
	free(second);
	copier_free(c);
}

static void check_cut(u64 type, u64 dyn_size, bool every_split)
{
	struct pd_attr a = attr_of(type);
	struct sample_parts p = parts_full();
	struct bytes in = bytes_new(false), want = bytes_new(false);
	struct wbuf out = { 0 };
	struct rec_evlist l;
	size_t split;

	p.stack_dyn_size = dyn_size;
	put_sample(&in, &a, &p);
	put_wanted(&want, &a, p);
	evlist_init(&l);
	add_event(&l, &a, p.id);
	for (split = 0; split < in.n; split += 8) {
		struct pd_event ev = { .attr = a };
		struct pd_sample s;
		struct pd_record r;
		struct perr e;

		pass(&l, &in, split, &out);
		CHECK_EQ(out.n, want.n);
		CHECK_MEM(out.p, want.p, want.n);
		/* and the reader's decoder finds what was valid */
		r = (struct pd_record){ .type = PD_RECORD_SAMPLE,
					.size = (u32)out.n,
					.data = out.p };
		pd_event_prepare(&ev);
		CHECK_EQ(pd_read_sample(&ev, &r, false, &s, &e), 0);
		CHECK_EQ(s.user_stack.n, type & PD_SAMPLE_STACK_USER ? dyn_size : 0);
		if (s.user_stack.n)
			CHECK_MEM(s.user_stack.p, stack_bytes, s.user_stack.n);
		if (!every_split)
			break;
	}
	wb_fini(&out);
	bytes_free(&in);
	bytes_free(&want);
	evlist_fini(&l);
}

/* WEIGHT and WEIGHT_STRUCT exclude each other. */
static u64 possible(u64 type)
{
	return type & PD_SAMPLE_WEIGHT ? type & ~PD_SAMPLE_WEIGHT_STRUCT : type;
}

TEST(stack_is_cut_whatever_else_is_sampled)
{
	int a, b;

	for (a = 0; a < 25; a++)
		for (b = a; b < 25; b++)
			check_cut(possible(1ull << a | 1ull << b | PD_SAMPLE_STACK_USER), 20,
				  false);
}

TEST(stack_is_cut_in_many_layouts)
{
	u64 x = 88172645463325252ull;
	int i;

	for (i = 0; i < 3000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		check_cut(possible(x & ALL_BITS) | PD_SAMPLE_STACK_USER, x >> 40 & 63, false);
	}
}

TEST(records_may_lie_in_two_parts)
{
	static const u64 dyn_sizes[] = { 0, 1, 8, 20, 63, 64 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dyn_sizes); i++) {
		check_cut(possible(ALL_BITS), dyn_sizes[i], true);
		check_cut(PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER,
			  dyn_sizes[i], true);
		check_cut(ALL_BITS & ~PD_SAMPLE_STACK_USER & ~PD_SAMPLE_WEIGHT, 0, true);
	}
}

TEST(a_sample_without_a_stack_stays)
{
	struct pd_attr a = attr_of(possible(ALL_BITS));
	struct sample_parts p = parts_full();
	struct bytes in = bytes_new(false);
	struct wbuf out = { 0 };
	struct rec_evlist l;

	/* kernel threads have neither stack nor user registers */
	p.stack_size = 0;
	p.user_abi = 0;
	put_sample(&in, &a, &p);
	evlist_init(&l);
	add_event(&l, &a, p.id);
	pass(&l, &in, 0, &out);
	CHECK_EQ(out.n, in.n);
	CHECK_MEM(out.p, in.p, in.n);
	wb_fini(&out);
	bytes_free(&in);
	evlist_fini(&l);
}

TEST(events_of_other_layouts_are_told_apart_by_id)
{
	struct pd_attr with = attr_of(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_STACK_USER);
	struct pd_attr without =
		attr_of(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_ADDR | PD_SAMPLE_PERIOD);
	struct sample_parts p = parts_full();
	struct bytes in = bytes_new(false), want = bytes_new(false);
	struct wbuf out = { 0 };
	struct rec_evlist l;
	struct rec_event *later;

	evlist_init(&l);
	add_event(&l, &without, 10);
	later = add_event(&l, &with, 11);
	p.id = 11;
	put_sample(&in, &with, &p);
	put_wanted(&want, &with, p);
	p.id = 10;
	put_sample(&in, &without, &p);
	put_sample(&want, &without, &p);
	pass(&l, &in, 0, &out);
	CHECK_EQ(out.n, want.n);
	CHECK_MEM(out.p, want.p, want.n);
	(void)later;
	wb_fini(&out);
	bytes_free(&in);
	bytes_free(&want);
	evlist_fini(&l);
}

TEST(counts_what_passes)
{
	struct pd_attr a = attr_of(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TIME |
				   PD_SAMPLE_STACK_USER);
	struct sample_parts p = parts_full();
	struct bytes in = bytes_new(false);
	struct rec_evlist l;
	struct rec_copier *c;
	const struct rec_counts *n;
	struct span run;
	u64 samples, lost;
	struct perr e;

	evlist_init(&l);
	add_event(&l, &a, 10);
	add_event(&l, &a, 11);
	p.id = 11;
	p.time = 500;
	put_sample(&in, &a, &p);
	p.time = 300;
	p.stack_dyn_size = STACK_SIZE;
	put_sample(&in, &a, &p);
	record_begin(&in, PD_RECORD_LOST, 0);
	put_u64(&in, 11);
	put_u64(&in, 5);
	put_trailer(&in, &a, &p);
	record_end(&in);
	record_begin(&in, PD_RECORD_LOST_SAMPLES, 0);
	put_u64(&in, 7);
	p.id = 10;
	put_trailer(&in, &a, &p);
	record_end(&in);
	record_begin(&in, PD_RECORD_THROTTLE, 0);
	put_fill(&in, 0, 24);
	record_end(&in);
	c = copier_new(&l, NULL);
	CHECK(copier_must_copy(c));
	run = bytes_span(&in);
	CHECK_EQ(copier_pass(c, &run, 1, NULL, &e), 0);
	n = copier_counts(c);
	CHECK_EQ(n->samples, 2);
	CHECK_EQ(n->records, 5);
	CHECK_EQ(n->lost_records, 5);
	CHECK_EQ(n->lost_samples, 7);
	CHECK_EQ(n->throttled, 1);
	CHECK_EQ(n->first_time, 300);
	CHECK_EQ(n->last_time, 500);
	copier_event_counts(c, 0, &samples, &lost);
	CHECK_EQ(samples, 0);
	CHECK_EQ(lost, 7);
	/* LOST is the ring's, whatever id it has */
	copier_event_counts(c, 1, &samples, &lost);
	CHECK_EQ(samples, 2);
	CHECK_EQ(lost, 0);
	CHECK_EQ(n->bytes_in, in.n);
	copier_free(c);
	bytes_free(&in);
	evlist_fini(&l);
}

/* Samples that contradict their attr are handed on as they are, whatever they hold. */
TEST(broken_samples_do_no_harm)
{
	struct pd_attr a = attr_of(possible(ALL_BITS));
	struct sample_parts p = parts_full();
	struct bytes in = bytes_new(false);
	struct wbuf out = { 0 };
	struct rec_evlist l;
	size_t cut, at, whole;

	evlist_init(&l);
	add_event(&l, &a, p.id);
	put_sample(&in, &a, &p);
	whole = in.n;
	for (cut = 8; cut < whole; cut += 8) {
		in.n = cut;
		set_u16(&in, 6, (u16)cut);
		pass(&l, &in, 0, &out);
		CHECK(out.n == get_u16(out.p + 6, false));
		pass(&l, &in, cut / 16 * 8, &out);
		CHECK(out.n == get_u16(out.p + 6, false));
	}
	in.n = whole;
	set_u16(&in, 6, (u16)whole);
	for (at = 8; at < whole; at += 8) {
		static const u64 odd[] = { UINT64_MAX, 1ull << 61, 1ull << 32, 65536, 3, 0 };
		u64 before = get_u64(in.p + at, false);
		size_t i;

		for (i = 0; i < ARRAY_SIZE(odd); i++) {
			set_u64(&in, at, odd[i]);
			pass(&l, &in, at, &out);
			CHECK(out.n <= in.n && out.n == get_u16(out.p + 6, false));
		}
		set_u64(&in, at, before);
	}
	wb_fini(&out);
	bytes_free(&in);
	evlist_fini(&l);
}

static void put_mapping(struct bytes *b, u16 misc, const u8 file[24])
{
	record_begin(b, PD_RECORD_MMAP2, misc);
	put_fill(b, 1, 32);
	for (size_t i = 0; i < 24; i++)
		put_u8(b, file[i]);
	put_u64(b, 5);
	put_text(b, "/x", 8);
	record_end(b);
}

TEST(mappings_do_not_claim_to_have_a_build_id)
{
	static const u8 disk[24] = { 254, 0, 0, 0, 1, 0, 0, 0, 77 };
	static const u8 id[24] = { 20,   0,    0, 0, 0xa1, 0xb2, 0xc3, 0xd4,
				   0xe5, 0xf6, 7, 8, 9,    10,   11,   12 };
	const u16 bit = PD_MISC_MMAP_BUILD_ID;
	struct pd_attr a = attr_of(PD_SAMPLE_IP);
	struct bytes in = bytes_new(false), want = bytes_new(false);
	struct wbuf out = { 0 };
	struct rec_copier *c;
	struct rec_evlist l;

	put_mapping(&in, PD_CPUMODE_USER | bit, disk);
	put_mapping(&in, PD_CPUMODE_USER | bit, id);
	put_mapping(&want, PD_CPUMODE_USER, disk);
	put_mapping(&want, PD_CPUMODE_USER | bit, id);
	evlist_init(&l);
	add_event(&l, &a, 1);
	for (size_t split = 0; split < in.n; split += 8) {
		pass(&l, &in, split, &out);
		CHECK_EQ(out.n, want.n);
		CHECK_MEM(out.p, want.p, want.n);
	}
	/* the ring's own bytes are written only when the kernel is asked for build-ids */
	c = copier_new(&l, NULL);
	CHECK(copier_must_copy(c));
	copier_free(c);
	l.events[0]->attr.flags |= 1ull << PD_ATTR_BUILD_ID;
	c = copier_new(&l, NULL);
	CHECK(!copier_must_copy(c));
	copier_free(c);
	wb_fini(&out);
	bytes_free(&in);
	bytes_free(&want);
	evlist_fini(&l);
}

TEST(what_is_no_record_ends_the_pass)
{
	static const u16 sizes[] = { 0, 7, 12, 4096 };
	struct pd_attr a = attr_of(PD_SAMPLE_IP | PD_SAMPLE_STACK_USER);
	struct sample_parts p = parts_full();
	struct rec_evlist l;
	size_t i;

	evlist_init(&l);
	add_event(&l, &a, 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct bytes in = bytes_new(false);
		struct rec_copier *c = copier_new(&l, NULL);
		struct wbuf out = { 0 };
		struct span run;
		struct perr e;
		size_t good;

		put_wanted(&in, &a, p);
		good = in.n;
		put_u32(&in, PD_RECORD_SAMPLE);
		put_u16(&in, 0);
		put_u16(&in, sizes[i]);
		put_fill(&in, 0, 16);
		run = bytes_span(&in);
		CHECK_EQ(copier_pass(c, &run, 1, &out, &e), PERR_FORMAT);
		CHECK_EQ(out.n, good);
		wb_fini(&out);
		copier_free(c);
		bytes_free(&in);
	}
	evlist_fini(&l);
}
