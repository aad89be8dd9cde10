/* SPDX-License-Identifier: MIT */
/*
 * Prints a recording of kmem:kmalloc and kmem:kfree on standard output, made up from a seed:
 * threads on 4 CPUs that allocate and free few addresses, so that all happens: failed allocations,
 * frees of what was not allocated, allocations at addresses in use; with LOST records.
 *
 *	leak_recording SEED EVENTS [big] [lost]
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"

#define CPUS 4
#define THREADS 7
#define ADDRESSES 3000
#define ROUND 50 /* events */

static const u64 ids[2][1] = { { 31 }, { 32 } };

static const struct trace_format formats[] = {
	{ "kmem", "kmalloc", 1,
	  "\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:size_t bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n"
	  "\tfield:size_t bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n",
	  "\"ptr=%llx bytes_alloc=%llu\", REC->ptr, REC->bytes_alloc" },
	{ "kmem", "kfree", 2,
	  "\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n",
	  "\"ptr=%llx\", REC->ptr" },
};

static struct pd_attr event_attr(u64 config)
{
	struct pd_attr a = attr_plain();

	a.type = PD_TYPE_TRACEPOINT;
	a.config = config;
	a.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			PD_SAMPLE_CPU | PD_SAMPLE_RAW;
	return a;
}

static void put_event(struct bytes *b, bool is_free, u64 time, u32 cpu, u64 dice)
{
	struct pd_attr a = event_attr(is_free ? 2 : 1);
	struct bytes raw = bytes_new(b->big);
	u32 tid = 100 + (u32)(dice >> 8) % THREADS;
	u64 place = (dice >> 16) % ADDRESSES, size = 8u << (dice >> 48) % 8;

	put_u16(&raw, is_free ? 2 : 1);
	put_fill(&raw, 0, 6);
	put_u64(&raw, 0xffffffff81000000);
	put_u64(&raw, place ? 0xffff888100000000 + place * 64 : 0);
	if (!is_free) {
		put_u64(&raw, size - 3);
		put_u64(&raw, size);
	}
	put_fill(&raw, 0, 4);
	put_sample(b, &a,
		   &(struct sample_parts){ .id = ids[is_free][0],
					   .pid = tid,
					   .tid = tid,
					   .time = time,
					   .cpu = cpu,
					   .raw = raw.p,
					   .raw_size = (u32)raw.n });
	bytes_free(&raw);
}

/* One round of one CPU. Times are odd or even by CPU, so that no two CPUs have the same. */
static void put_cpu(struct bytes *b, u64 seed, u64 round, u32 cpu, bool lost)
{
	u64 time = 1000000000 + round * 100000 * CPUS + cpu;

	for (u32 i = 0; i < ROUND; i++) {
		u64 dice = hash_pair(seed, (round * CPUS + cpu) * ROUND + i);

		time += CPUS * (1 + dice % 1500);
		if (lost && (dice >> 32) % 7 == 0 && i == 17)
			put_lost(b, event_attr(1), 1 + dice % 9,
				 &(struct sample_parts){
					 .id = ids[0][0], .time = time, .cpu = cpu });
		put_event(b, dice & 0x100000000000, time, cpu, dice);
	}
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	u64 rounds = argc > 2 ? strtoull(argv[2], NULL, 0) / (ROUND * CPUS) : 0;
	bool big = false, lost = false;
	struct file_builder f = { 0 };
	struct bytes b;

	for (int i = 3; i < argc; i++) {
		big |= !strcmp(argv[i], "big");
		lost |= !strcmp(argv[i], "lost");
	}
	if (!rounds) {
		fprintf(stderr, "usage: leak_recording SEED EVENTS [big] [lost]\n");
		return 129;
	}
	b = bytes_new(big);
	f.b = &b;
	file_begin(&f, BUILD_REGULAR);
	for (size_t i = 0; i < 2; i++) {
		struct pd_attr a = event_attr(i + 1);

		file_add_event(&f, &a, ids[i], 1);
	}
	put_formats(file_feature(&f, PD_FEAT_TRACING_DATA), formats, ARRAY_SIZE(formats));
	/* readers tell by it that the bitmap of features is right */
	put_string(file_feature(&f, PD_FEAT_HOSTNAME), "h");
	file_begin_data(&f);
	for (u32 i = 0; i < THREADS; i++) {
		struct pd_attr a = event_attr(1);
		char name[16];

		snprintf(name, sizeof(name), "thread %u", i);
		put_comm(&b, 100 + i, 100 + i, name, &a, NULL);
	}
	for (u64 round = 0; round < rounds; round++) {
		for (u32 cpu = 0; cpu < CPUS; cpu++)
			put_cpu(&b, seed, round, cpu, lost);
		put_round(&b);
	}
	file_end(&f);
	fwrite(b.p, 1, b.n, stdout);
	bytes_free(&b);
	return fflush(stdout) ? 1 : 0;
}
