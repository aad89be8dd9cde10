/* SPDX-License-Identifier: MIT */
/* Samples with chains in place of copies, of every combination of fields. */
#include "record/live/chained_record.h"

#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_file.h"
#include "tests/frame/mutate.h"
#include "tests/frame/unit.h"

#define COPY (PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER)
/* All that a sample may have, but WEIGHT and WEIGHT_STRUCT, of which one excludes the other. */
#define FIELDS                                                                                     \
	(PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR | PD_SAMPLE_READ |         \
	 PD_SAMPLE_CALLCHAIN | PD_SAMPLE_ID | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD |                   \
	 PD_SAMPLE_STREAM_ID | PD_SAMPLE_RAW | PD_SAMPLE_BRANCH_STACK | PD_SAMPLE_WEIGHT |         \
	 PD_SAMPLE_DATA_SRC | PD_SAMPLE_IDENTIFIER | PD_SAMPLE_TRANSACTION | PD_SAMPLE_REGS_INTR | \
	 PD_SAMPLE_PHYS_ADDR | PD_SAMPLE_AUX | PD_SAMPLE_CGROUP | PD_SAMPLE_DATA_PAGE_SIZE |       \
	 PD_SAMPLE_CODE_PAGE_SIZE)

static const u64 kernel_ips[] = { PD_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020 };
static const u64 regs[] = { 1, 2, 3 }, read_body[] = { 77, 5 };
static const u64 branches[] = { 1, 2, 3, 4, 5, 6 };
static const u8 stack[64] = "stack", raw[12] = "raw", aux[16] = "aux";

static const struct sample_parts parts = {
	.misc = PD_CPUMODE_USER | PD_MISC_EXACT_IP,
	.ip = 11,
	.time = 12,
	.addr = 13,
	.id = 14,
	.stream_id = 15,
	.period = 16,
	.pid = 17,
	.tid = 18,
	.cpu = 19,
	.read = read_body,
	.nr_read = 2,
	.ips = kernel_ips,
	.nr_ips = 3,
	.raw = raw,
	.raw_size = sizeof(raw),
	.branches = branches,
	.nr_branches = 2,
	.user_abi = 2,
	.user_regs = regs,
	.intr_abi = 2,
	.intr_regs = regs,
	.stack = stack,
	.stack_size = sizeof(stack),
	.stack_dyn_size = 40,
	.weight = 20,
	.data_src = 21,
	.transaction = 22,
	.phys_addr = 23,
	.cgroup = 24,
	.data_page_size = 25,
	.code_page_size = 26,
	.aux = aux,
	.aux_size = sizeof(aux),
};

static struct pd_attr attr_of(u64 type)
{
	struct pd_attr a = attr_plain();

	a.sample_type = type;
	a.read_format = PD_FORMAT_ID;
	a.sample_regs_user = a.sample_regs_intr = 7;
	a.sample_stack_user = sizeof(stack);
	a.branch_sample_type = PD_BRANCH_ANY;
	return a;
}

/* The sample of these fields, written anew, is the one that is built with that chain. */
static void check_rewritten(u64 type, const struct sample_parts *old, const struct chain_ips *c,
			    const struct sample_parts *want)
{
	struct bytes b = bytes_new(false), w = bytes_new(false);
	struct pd_event ev = { .attr = attr_of(type) };
	struct pd_attr written = chained_attr(&ev.attr, false);
	struct wbuf out = { 0 };
	struct pd_sample s;
	struct pd_record r;
	struct perr e;

	pd_event_prepare(&ev);
	put_sample(&b, &ev.attr, old);
	r = last_record(&b);
	CHECK_EQ(pd_read_sample(&ev, &r, false, &s, &e), 0);
	CHECK_EQ(chained_sample_put(&out, &ev, &r, &s, c, false), 0);
	put_sample(&w, &written, want);
	CHECK_EQ(out.n, w.n);
	unit_check_mem(__FILE__, __LINE__, "the record", out.p, w.p, w.n);
	wb_fini(&out);
	bytes_free(&b);
	bytes_free(&w);
}

TEST(every_combination_of_fields)
{
	u64 ips[] = { 0xffffffff81000010, 0xffffffff81000020, 0x1000, 0x2000 };
	u8 modes[] = { PD_CPUMODE_KERNEL, PD_CPUMODE_KERNEL, PD_CPUMODE_USER, PD_CPUMODE_USER };
	const u64 chain[] = { PD_CONTEXT_KERNEL, ips[0], ips[1], PD_CONTEXT_USER, ips[2], ips[3] };
	struct unwind_frames unwound_frames = { 0 };
	const struct chain_ips c = { .ips = ips,
				     .modes = modes,
				     .nr = 4,
				     .end = STACK_END(UNWIND_TRUNCATED) | STACK_JOINED,
				     .unwound = &unwound_frames };
	struct sample_parts want = parts;
	struct dice d = dice_of("fields", 0);

	want.ips = chain;
	want.nr_ips = 6;
	want.misc |= 2u << PD_MISC_STACK_END_SHIFT | PD_MISC_STACK_JOINED;
	check_rewritten(COPY | FIELDS, &parts, &c, &want);
	check_rewritten(COPY, &parts, &c, &want);
	for (u64 bit = 1; bit <= FIELDS; bit <<= 1) {
		if (!(bit & FIELDS))
			continue;
		check_rewritten(COPY | bit, &parts, &c, &want);
		check_rewritten((COPY | FIELDS) & ~bit, &parts, &c, &want);
	}
	for (int i = 0; i < 3000; i++)
		check_rewritten(COPY | (roll(&d, 1 << 30) & FIELDS), &parts, &c, &want);
}

/* Nothing was unwound, as in samples of kernel threads: the recorded chain stays as it is. */
TEST(samples_without_a_copy)
{
	const u64 recorded[] = { PD_CONTEXT_KERNEL, 0xffffffff81000010, PD_CONTEXT_USER, 0x1000 };
	const struct chain_ips none = { .end = STACK_RECORDED };
	struct sample_parts old = parts;

	old.user_abi = 0;
	old.stack_size = 0;
	old.ips = recorded;
	old.nr_ips = 4;
	check_rewritten(COPY | FIELDS, &old, &none, &old);
	check_rewritten(COPY | PD_SAMPLE_CALLCHAIN, &old, &none, &old);
}

TEST(a_chain_is_cut_to_what_a_record_holds)
{
	struct pd_event ev = { .attr = attr_of(COPY | FIELDS) };
	struct unwind_frames unwound_frames = { 0 };
	struct chain_ips c = { .nr = 9000, .end = STACK_ROOT, .unwound = &unwound_frames };
	struct bytes b = bytes_new(false);
	struct wbuf out = { 0 };
	struct pd_sample s;
	struct pd_record r;
	struct perr e;
	size_t left;

	c.ips = xcalloc(c.nr, sizeof(*c.ips));
	c.modes = xcalloc(c.nr, 1);
	memset(c.modes, PD_CPUMODE_USER, c.nr);
	pd_event_prepare(&ev);
	put_sample(&b, &ev.attr, &parts);
	r = last_record(&b);
	CHECK_EQ(pd_read_sample(&ev, &r, false, &s, &e), 0);
	left = chained_sample_put(&out, &ev, &r, &s, &c, false);
	CHECK(left > 800 && left < 1500);
	CHECK(out.n <= 65528);
	CHECK(out.n > 65528 - 16);
	CHECK_EQ((out.p[6] | out.p[7] << 8), out.n);
	ev.attr = chained_attr(&ev.attr, false);
	ev.is_unwound = true;
	pd_event_prepare(&ev);
	r = (struct pd_record){ .type = PD_RECORD_SAMPLE,
				.data = out.p,
				.size = (u32)out.n,
				.misc = (u16)(out.p[4] | out.p[5] << 8) };
	CHECK_EQ(pd_read_sample(&ev, &r, false, &s, &e), 0);
	CHECK_EQ(chain_noted_end(&ev, &s), STACK_END(UNWIND_DEPTH));
	CHECK_EQ(s.callchain.n / 8, 9000 - left + 1);
	CHECK_EQ(s.code_page_size, 26);
	free(c.ips);
	free(c.modes);
	wb_fini(&out);
	bytes_free(&b);
}

TEST(attrs)
{
	struct pd_attr a = attr_of(COPY | PD_SAMPLE_IP), w;

	a.flags |= 1ull << PD_ATTR_EXCLUDE_CALLCHAIN_USER | 1ull << PD_ATTR_COMM;
	CHECK(chained_attr_wanted(&a));
	w = chained_attr(&a, false);
	CHECK_EQ(w.sample_type, PD_SAMPLE_IP | PD_SAMPLE_CALLCHAIN);
	CHECK_EQ(w.sample_regs_user, 0);
	CHECK_EQ(w.sample_stack_user, 0);
	CHECK(!pd_attr_has(&w, PD_ATTR_EXCLUDE_CALLCHAIN_USER));
	CHECK(pd_attr_has(&w, PD_ATTR_COMM));
	/* others are left as they are */
	a.branch_sample_type |= PD_BRANCH_CALL_STACK;
	CHECK(!chained_attr_wanted(&a));
	a = attr_of(PD_SAMPLE_REGS_USER | PD_SAMPLE_IP);
	CHECK(!chained_attr_wanted(&a));
	w = chained_attr(&a, false);
	CHECK_EQ(w.sample_type, a.sample_type);
	CHECK_EQ(w.sample_regs_user, a.sample_regs_user);
}
