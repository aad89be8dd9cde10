/* SPDX-License-Identifier: MIT */
/*
 * Prints a recording of probes at entries and returns of functions on standard output, made up from
 * a seed: threads that call, return, jump from one function to another one, leave several at once
 * as longjmp() does, and call deeper than the kernel follows; with LOST records and the end of
 * threads.
 *
 *	func_recording SEED EVENTS [big] [lost] [nosp]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"

#define FUNCTIONS 6
#define THREADS 5
#define MAX_DEPTH 90
#define FOLLOWED 64 /* by the kernel */
#define STACK_TOP 0x7ffff000
#define REG_SP 7
#define ROUND 100

struct call {
	u32 func;
	u64 sp;
	bool followed;
};

struct thread {
	struct call calls[MAX_DEPTH];
	size_t nr;
	size_t lost; /* so many of its samples are lost */
};

static struct thread threads[THREADS];
static u64 ids[2 * FUNCTIONS];
static bool with_sp = true;

static struct pd_attr event_attr(void)
{
	struct pd_attr a = attr_plain();

	a.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			PD_SAMPLE_CPU;
	if (with_sp) {
		a.sample_type |= PD_SAMPLE_REGS_USER;
		a.sample_regs_user = 1u << REG_SP;
	}
	return a;
}

static void put_hit(struct bytes *b, u32 tid, u64 time, u32 func, bool is_return, u64 sp)
{
	struct pd_attr a = event_attr();
	struct thread *t = &threads[tid];

	if (t->lost) {
		t->lost--;
		return;
	}
	sp += is_return ? 8 : 0;
	put_sample(b, &a,
		   &(struct sample_parts){ .id = ids[2 * func + is_return],
					   .pid = 100 + tid,
					   .tid = 100 + tid,
					   .time = time,
					   .cpu = tid % 2,
					   .user_abi = 2,
					   .user_regs = &sp });
}

static void call(struct bytes *b, struct thread *t, u64 dice, u64 time, bool jump)
{
	u64 sp = t->nr ? t->calls[t->nr - 1].sp : STACK_TOP;
	u32 func = (u32)(dice >> 8) % FUNCTIONS;

	if (t->nr == MAX_DEPTH)
		return;
	if (!jump || !t->nr)
		sp -= 16 + (dice >> 16) % 4 * 16;
	put_hit(b, (u32)(t - threads), time, func, false, sp);
	t->calls[t->nr] = (struct call){ .func = func, .sp = sp, .followed = t->nr < FOLLOWED };
	t->nr++;
}

/* The innermost function returns, and those that jumped to it. Returns the time after that. */
static u64 leave(struct bytes *b, struct thread *t, u64 time)
{
	u64 sp = t->calls[t->nr - 1].sp;

	while (t->nr && t->calls[t->nr - 1].sp == sp) {
		const struct call *c = &t->calls[--t->nr];

		if (c->followed)
			put_hit(b, (u32)(t - threads), time, c->func, true, sp);
		time += 3;
	}
	return time;
}

/* One event of a thread, or several at once. Returns the time after it. */
static u64 step(struct bytes *b, u32 tid, u64 dice, u64 time, bool lost)
{
	struct thread *t = &threads[tid];
	u64 what = (dice >> 40) % 100;

	if (lost && (dice >> 50) % 97 == 0) {
		t->lost = 1 + (dice >> 4) % 5;
		put_lost(b, event_attr(), t->lost,
			 &(struct sample_parts){ .id = ids[0], .time = time, .cpu = tid % 2 });
	} else if (what < 45 || (!t->nr && what < 97) || (tid == 4 && what < 60)) {
		call(b, t, dice, time, false);
	} else if (what < 52 && t->nr) {
		call(b, t, dice, time, true);
	} else if (what < 96 && t->nr) {
		return leave(b, t, time);
	} else if (what < 99 && t->nr) {
		t->nr -= 1 + (dice >> 20) % t->nr;
	} else if ((dice >> 24) % 8 == 0) {
		struct pd_attr a = event_attr();
		struct sample_parts trailer = { .id = ids[0], .time = time, .cpu = tid % 2 };

		put_task(b, PD_RECORD_EXIT, 100 + tid, 1, 100 + tid, 1, time, &a, &trailer);
		memset(t, 0, sizeof(*t));
	}
	return time + 1 + dice % 1500;
}

int main(int argc, char **argv)
{
	static const char *const names[2 * FUNCTIONS] = {
		"uprobe:app:a", "uretprobe:app:a", "uprobe:app:b", "uretprobe:app:b",
		"uprobe:app:c", "uretprobe:app:c", "uprobe:app:d", "uretprobe:app:d",
		"uprobe:lib:a", "uretprobe:lib:a", "uprobe:lib:e", "uretprobe:lib:e",
	};
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	u64 nr = argc > 2 ? strtoull(argv[2], NULL, 0) : 0, time = 1000000000;
	bool big = false, lost = false;
	struct file_builder f = { 0 };
	struct pd_attr a;
	struct bytes b;

	for (int i = 3; i < argc; i++) {
		big |= !strcmp(argv[i], "big");
		lost |= !strcmp(argv[i], "lost");
		with_sp &= strcmp(argv[i], "nosp") != 0;
	}
	if (!nr) {
		fprintf(stderr, "usage: func_recording SEED EVENTS [big] [lost] [nosp]\n");
		return 129;
	}
	a = event_attr();
	b = bytes_new(big);
	f.b = &b;
	file_begin(&f, BUILD_REGULAR);
	for (size_t i = 0; i < 2 * FUNCTIONS; i++) {
		ids[i] = 31 + i;
		file_add_event(&f, &a, &ids[i], 1);
	}
	put_string(file_feature(&f, PD_FEAT_HOSTNAME), "h");
	put_string(file_feature(&f, PD_FEAT_ARCH), "x86_64");
	file_event_desc(&f, names);
	file_begin_data(&f);
	for (u64 i = 0; i < nr; i++) {
		u64 dice = hash_pair(seed, i);

		time = step(&b, (u32)(dice >> 32) % THREADS, dice, time, lost);
		if (i % ROUND == ROUND - 1)
			put_round(&b);
	}
	file_end(&f);
	fwrite(b.p, 1, b.n, stdout);
	bytes_free(&b);
	return fflush(stdout) ? 1 : 0;
}
