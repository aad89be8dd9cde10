/* SPDX-License-Identifier: MIT */
/*
 * Writes a recording of branch stacks, data addresses and weights, which need hardware that records
 * them, to standard output. Its one process runs testdata/symfs/tmp/w/w_simple as the code goes:
 * branch_recording > perf.data; branch_recording chains: samples have call chains as well
 */
#include <stdio.h>

#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"

#define PID 100
#define SIMPLE 0x555500000000ull /* run-time address of w_simple */
#define INLINED 0x400000ull      /* w_inline, which is not position-independent */
#define OUTSIDE 0x7f0000001000ull
#define NR_ENTRIES 16
#define NR_SAMPLES 24
#define BRANCHES_PER_SAMPLE 23

struct branch {
	u64 from, to, flags;
};

struct run {
	struct bytes b;
	bool chains;
	struct pd_attr attrs[2];
	struct branch last[NR_ENTRIES]; /* newest first */
	u64 nr, chance, time;
	u32 nr_samples;
};

static u64 by_chance(struct run *r, u64 below)
{
	r->chance = r->chance * 6364136223846793005ull + 1442695040888963407ull;
	return (r->chance >> 33) % below;
}

static void take_sample(struct run *r, u64 ip)
{
	static const u64 ids[] = { 11, 12 };
	const u64 ips[] = { PD_CONTEXT_USER, ip, SIMPLE + 0x1221 };
	u32 event = r->nr_samples % 3 == 2;
	struct sample_parts s = {
		.misc = PD_CPUMODE_USER,
		.ip = ip,
		.pid = PID,
		.tid = PID,
		.time = r->time,
		.cpu = 1,
		.id = ids[event],
		.period = 1000 + r->nr_samples,
		.addr = SIMPLE + 0x4030,
		.data_src = 0x68100142, /* a load that hit the first cache */
		/* the cost, the latency of the instruction, and that of its retirement */
		.weight = (40 + r->nr_samples) | (u64)(7 + r->nr_samples) << 32 | 3ull << 48,
		.branches = &r->last[0].from,
		.nr_branches = r->nr < NR_ENTRIES ? r->nr : NR_ENTRIES,
		.ips = ips,
		.nr_ips = 3,
	};

	put_sample(&r->b, &r->attrs[event], &s);
	r->nr_samples++;
}

static void jump(struct run *r, u64 from, u64 to)
{
	u64 missed = by_chance(r, 8) == 0, cycles = by_chance(r, 30);

	memmove(&r->last[1], &r->last[0], sizeof(r->last) - sizeof(r->last[0]));
	r->last[0] = (struct branch){ from, to, missed | !missed << 1 | cycles << 4 };
	r->time += 100;
	if (++r->nr % BRANCHES_PER_SAMPLE == 0)
		take_sample(r, to);
}

static void in_simple(struct run *r, u64 from, u64 to)
{
	jump(r, SIMPLE + from, SIMPLE + to);
}

static void leaf(struct run *r, u64 from, u64 back)
{
	in_simple(r, from, 0x1159);
	for (u64 n = 1 + by_chance(r, 6); n; n--)
		in_simple(r, 0x1187, 0x1165);
	in_simple(r, 0x1189, back);
}

static void middle(struct run *r, u64 from, u64 back, u32 depth)
{
	in_simple(r, from, 0x118a);
	leaf(r, 0x119a, 0x119f);
	for (u32 i = 0; i < depth; i++) { /* it calls itself */
		in_simple(r, 0x11a1, 0x11b3);
		in_simple(r, 0x11b6, 0x118a);
		leaf(r, 0x119a, 0x119f);
	}
	for (u32 i = 0; i < depth; i++) {
		leaf(r, 0x11a8, 0x11ad);
		in_simple(r, 0x11b2, 0x11bb);
		in_simple(r, 0x11bb, 0x11a3);
	}
	leaf(r, 0x11a8, 0x11ad);
	in_simple(r, 0x11b2, back);
}

static void run_main(struct run *r)
{
	while (r->nr_samples < NR_SAMPLES) {
		middle(r, 0x121c, 0x1221, (u32)by_chance(r, 3));
		in_simple(r, 0x1221, 0x11bd);
		leaf(r, 0x11c6, 0x11cb);
		in_simple(r, 0x11de, 0x1226);
		in_simple(r, 0x122a, 0x1217);
		if (by_chance(r, 3))
			continue;
		/* an object at its own addresses, an address in no map, the kernel */
		jump(r, SIMPLE + 0x1228, INLINED + 0x1004);
		jump(r, INLINED + 0x1004, INLINED + 0x110b);
		jump(r, INLINED + 0x1140, OUTSIDE);
		jump(r, OUTSIDE + 0x20, 0xffffffff81000010ull);
		jump(r, 0xffffffff81000050ull, SIMPLE + 0x1217);
	}
}

static void describe_events(struct run *r)
{
	struct pd_attr *a = &r->attrs[0];

	*a = attr_plain();
	a->type = PD_TYPE_RAW;
	a->config = 0x1cd;
	a->sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR |
			 PD_SAMPLE_CPU | PD_SAMPLE_PERIOD | PD_SAMPLE_BRANCH_STACK |
			 PD_SAMPLE_DATA_SRC | PD_SAMPLE_WEIGHT_STRUCT | PD_SAMPLE_IDENTIFIER;
	a->branch_sample_type = PD_BRANCH_ANY;
	if (r->chains)
		a->sample_type |= PD_SAMPLE_CALLCHAIN;
	r->attrs[1] = *a;
	r->attrs[1].type = PD_TYPE_HARDWARE;
	r->attrs[1].config = 0;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "mem-loads", "cycles" };
	static const u64 ids[][1] = { { 11 }, { 12 } };
	struct run r = { .b = bytes_new(false),
			 .chance = 1,
			 .time = 1000000000,
			 .chains = argc > 1 && !strcmp(argv[1], "chains") };
	struct sample_parts t = { .pid = PID, .tid = PID, .time = r.time, .id = 11 };
	struct file_builder f = { .b = &r.b };
	int err;

	describe_events(&r);
	file_begin(&f, BUILD_REGULAR);
	for (u32 i = 0; i < 2; i++)
		file_add_event(&f, &r.attrs[i], ids[i], 1);
	file_event_desc(&f, names);
	(void)file_feature(&f, PD_FEAT_BRANCH_STACK);
	file_begin_data(&f);
	put_comm(&r.b, PID, PID, "w_simple", &r.attrs[0], &t);
	put_mmap2(&r.b, PID, SIMPLE + 0x1000, 0x1000, 0x1000, "/tmp/w/w_simple", &r.attrs[0], &t);
	put_mmap2(&r.b, PID, INLINED + 0x1000, 0x1000, 0x1000, "/tmp/w/w_inline", &r.attrs[0], &t);
	run_main(&r);
	file_end(&f);
	err = fwrite(r.b.p, 1, r.b.n, stdout) != r.b.n || fflush(stdout);
	bytes_free(&r.b);
	return err;
}
