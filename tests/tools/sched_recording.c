/* SPDX-License-Identifier: MIT */
/*
 * Prints a recording of sched:sched_waking and sched:sched_switch on standard output, made up from
 * a seed: threads on 4 CPUs, woken, woken again, switched to without a waking, at equal times;
 * records of the CPUs in rounds, with LOST records.
 *
 *	sched_recording SEED WAKINGS [big] [lost] [many] [stacks] [names]
 *
 * many: each event is of threads and names of its own. stacks: samples have call chains, some of
 * them empty, and the maps of processes change. names: sched_switch has prev_comm, which is what
 * readers call a thread without a name.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"

#define CPUS 4
#define THREADS 40
#define ROUND 50 /* wakings */

#define OBJECTS 6
#define OBJECT_SIZE 0x10000ull

static bool many, stacks, with_names;

static const u64 ids[2][1] = { { 21 }, { 22 } };
static const char *const names[] = { "sh", "make", "cc1 -x", "a:b", "kworker/0:1" };

static struct pd_attr event_attr(u64 config)
{
	struct pd_attr a = attr_plain();

	a.type = PD_TYPE_TRACEPOINT;
	a.config = config;
	a.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			PD_SAMPLE_CPU | PD_SAMPLE_RAW | (stacks ? PD_SAMPLE_CALLCHAIN : 0);
	a.sample_period_or_freq = 1;
	return a;
}

static const struct trace_format formats[] = {
	{ "sched", "sched_waking", 1,
	  "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	  "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n",
	  "\"comm=%s pid=%d prio=1\", REC->comm, REC->pid" },
	{ "sched", "sched_switch", 2,
	  "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	  "\tfield:char next_comm[16];\toffset:16;\tsize:16;\tsigned:0;\n",
	  "\"prev_pid=%d ==> next_comm=%s next_pid=%d\", REC->prev_pid, "
	  "REC->next_comm, REC->next_pid" },
};

static const struct trace_format switch_with_names = {
	"sched", "sched_switch", 2,
	"\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:16;\tsize:16;\tsigned:0;\n"
	"\tfield:char prev_comm[16];\toffset:32;\tsize:16;\tsigned:0;\n",
	"\"prev_comm=%s prev_pid=%d ==> next_comm=%s next_pid=%d\", REC->prev_comm, "
	"REC->prev_pid, REC->next_comm, REC->next_pid"
};

static void put_name(struct bytes *raw, u32 thread)
{
	char name[16] = "";

	if (many)
		snprintf(name, sizeof(name), "n%u", thread);
	else
		snprintf(name, sizeof(name), "%s", names[thread % ARRAY_SIZE(names)]);
	put_mem(raw, name, sizeof(name));
}

/* A chain of up to 4 addresses, of which there are few. Returns how many words it has. */
static size_t make_chain(u64 dice, u64 ret[5])
{
	size_t n = dice % 5;

	ret[0] = PD_CONTEXT_USER;
	for (size_t i = 1; i <= n; i++)
		ret[i] = OBJECT_SIZE * (1 + (dice >> (8 * i)) % OBJECTS) + 8;
	return n ? n + 1 : 0;
}

static void put_event(struct bytes *b, bool is_switch, u64 time, u32 cpu, u32 prev, u32 thread)
{
	struct pd_attr a = event_attr(is_switch ? 2 : 1);
	struct bytes raw = bytes_new(b->big);
	char prev_comm[16] = "";
	u64 chain[5];

	put_u16(&raw, is_switch ? 2 : 1);
	put_fill(&raw, 0, 6);
	if (is_switch) {
		put_u32(&raw, prev);
		put_u32(&raw, thread);
		put_name(&raw, thread);
	} else {
		put_name(&raw, thread);
		put_u32(&raw, thread);
	}
	if (with_names && is_switch) {
		snprintf(prev_comm, sizeof(prev_comm), ":%u", prev);
		put_mem(&raw, prev_comm, sizeof(prev_comm));
		put_fill(&raw, 0, 4);
	} else {
		put_fill(&raw, 0, 36 - raw.n);
	}
	put_sample(b, &a,
		   &(struct sample_parts){ .id = ids[is_switch][0],
					   .pid = prev,
					   .tid = prev,
					   .time = time,
					   .cpu = cpu,
					   .ips = chain,
					   .nr_ips = make_chain(hash_pair(time, thread), chain),
					   .raw = raw.p,
					   .raw_size = (u32)raw.n });
	bytes_free(&raw);
}

/* A process maps another object in place of one that it has. */
static void put_map(struct bytes *b, u64 time, u32 cpu, u32 pid, u64 dice)
{
	struct pd_attr a = event_attr(1);
	char name[32];

	snprintf(name, sizeof(name), "/object%u", (u32)(dice >> 8) % 5);
	put_mmap(b, pid, OBJECT_SIZE * (1 + dice % OBJECTS), OBJECT_SIZE, 0, name, &a,
		 &(struct sample_parts){
			 .id = ids[0][0], .pid = pid, .tid = pid, .time = time, .cpu = cpu });
}

/* One round of one CPU; its times lie between those of the rounds before and after. */
static void put_cpu(struct bytes *b, u64 seed, u64 round, u32 cpu, bool lost)
{
	u64 time = 1000000000 + round * 100000 + cpu * 7;
	u32 running = 0;

	for (u32 i = 0; i < ROUND; i++) {
		u64 dice = hash_pair(seed, (round * CPUS + cpu) * ROUND + i);
		u32 thread = 100 + (u32)(dice >> 8) % THREADS;

		if (many)
			thread = (u32)(((round * CPUS + cpu) * ROUND + i) * 2) + 100;
		/* now and then at the same time */
		time += dice % 5 ? dice % 1500 : 0;
		if (lost && dice >> 32 & 1 && i == 17)
			put_lost(b, event_attr(1), 1 + dice % 9,
				 &(struct sample_parts){
					 .id = ids[0][0], .time = time, .cpu = cpu });
		if (stacks && running && i % 5 == 0)
			put_map(b, time, cpu, running, dice >> 40);
		put_event(b, false, time, cpu, running, thread);
		time += dice >> 16 & 0xff;
		thread = dice & 0x300 ? thread : thread + 1;
		put_event(b, true, time, cpu, running, thread);
		running = thread;
	}
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	u64 rounds = argc > 2 ? strtoull(argv[2], NULL, 0) / (ROUND * CPUS) : 0;
	bool big = false, lost = false;
	struct trace_format all[] = { formats[0], formats[1] };
	struct file_builder f = { 0 };
	struct bytes b;

	for (int i = 3; i < argc; i++) {
		big |= !strcmp(argv[i], "big");
		lost |= !strcmp(argv[i], "lost");
		many |= !strcmp(argv[i], "many");
		stacks |= !strcmp(argv[i], "stacks");
		with_names |= !strcmp(argv[i], "names");
	}
	if (!rounds) {
		fprintf(stderr, "usage: sched_recording SEED WAKINGS [big] [lost] [many] [stacks] "
				"[names]\n");
		return 129;
	}
	b = bytes_new(big);
	f.b = &b;
	file_begin(&f, BUILD_REGULAR);
	for (size_t i = 0; i < 2; i++) {
		struct pd_attr a = event_attr(i + 1);

		file_add_event(&f, &a, ids[i], 1);
	}
	if (with_names)
		all[1] = switch_with_names;
	put_formats(file_feature(&f, PD_FEAT_TRACING_DATA), all, ARRAY_SIZE(all));
	/* readers tell by it that the bitmap of features is right */
	put_string(file_feature(&f, PD_FEAT_HOSTNAME), "h");
	file_begin_data(&f);
	/* what there was before the recording has no time */
	for (u32 i = 0; stacks && i < THREADS * OBJECTS; i++)
		put_map(&b, 0, 0, 100 + i / OBJECTS, i % OBJECTS);
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
