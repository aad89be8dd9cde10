/* SPDX-License-Identifier: MIT */
/* session/user_stacks and what session/frames makes of it: chains of stack copies. */
#include "machine/machine_stacks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "count/counts.h"
#include "session/frames.h"
#include "session/replay.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"
#include "machine/chain_ips.h"

#define PID 10
#define MAX_FILE (64 << 10)
#define CODE 0x7f0000000000ull /* anonymous: walked by frame pointers */
#define STACK 0x7ffd00001000ull
#define LOST 0x7e0000000000ull      /* of a file that is not there */
#define IN_MEMORY 0x7d0000000000ull /* of a JIT that maps its code twice */
#define KERNEL 0xffffffff81000000ull

/* perf's usual mask of x86_64: AX BX CX DX SI DI BP SP IP FLAGS CS SS R8-R15 */
#define REGS 0xff0fffull
enum { REG_BP = 6, REG_SP = 7, REG_IP = 8, NR_REGS = 20 };

struct fixture {
	struct bytes file;
	struct file_builder f;
	struct pd_attr a;
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct replay *r;
	struct replay_event ev;
	struct chain_ips c;
};

static void begin(struct fixture *x)
{
	*x = (struct fixture){ .file = bytes_new(false) };
	x->f.b = &x->file;
	x->a = attr_plain();
	x->a.sample_type |= PD_SAMPLE_CALLCHAIN | PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
	x->a.sample_regs_user = REGS;
	x->a.sample_stack_user = 64;
	file_begin(&x->f, BUILD_REGULAR);
	file_add_event(&x->f, &x->a, NULL, 0);
	file_begin_data(&x->f);
	put_mmap2(&x->file, PID, CODE, 0x10000, 0, "//anon", &x->a,
		  &(struct sample_parts){ .pid = PID, .tid = PID });
	put_mmap2(&x->file, PID, LOST, 0x10000, 0, "/nowhere/libx.so", &x->a,
		  &(struct sample_parts){ .pid = PID, .tid = PID });
	put_mmap2(&x->file, PID, IN_MEMORY, 0x10000, 0, "/memfd:doublemapper (deleted)", &x->a,
		  &(struct sample_parts){ .pid = PID, .tid = PID });
}

/* A sample at ip with two frames of frame pointers in its copy, the third beyond it. */
static void sample_with_copy(struct fixture *x, u64 abi, u64 ip, const u64 *ips, size_t nr,
			     u64 copied)
{
	u64 regs[NR_REGS] = { [REG_BP] = STACK + 16, [REG_SP] = STACK, [REG_IP] = ip };
	/* (unused) (unused) | saved fp, return address | ... */
	u64 stack[8] = { 0, 0, STACK + 0x1000, CODE + 0x200 };

	put_sample(&x->file, &x->a,
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .ip = ip,
					   .time = 5,
					   .pid = PID,
					   .tid = PID,
					   .period = 1,
					   .ips = ips,
					   .nr_ips = nr,
					   .user_abi = abi,
					   .user_regs = regs,
					   .stack = stack,
					   .stack_size = sizeof(stack),
					   .stack_dyn_size = copied });
}

static void sample(struct fixture *x, u64 abi, u64 ip, const u64 *ips, size_t nr)
{
	sample_with_copy(x, abi, ip, ips, nr, 64);
}

/* The chain of the next sample. */
static void next(struct fixture *x)
{
	struct session_config cfg = { .symbols = { .hermetic = true }, .arch = "x86_64" };
	struct perr e;

	if (!x->pd) {
		file_end(&x->f);
		diag_init(&x->diag);
		CHECK(!pd_open_mem(bytes_span(&x->file), "built", &x->diag, &x->pd, &e));
		x->s = session_new(x->pd, &cfg, &x->diag);
		x->r = replay_new(x->s, true);
		x->c.user = machine_stacks_new(x->s->machine, 100);
	}
	do {
		CHECK_EQ(replay_next(x->r, &x->ev, &e), 1);
	} while (!x->ev.is_sample);
	x->c.user_maps = machine_thread(x->s->machine, PID, PID)->process->maps;
	chain_list(&x->c, x->ev.ev, &x->ev.sample, 127);
}

static void end(struct fixture *x)
{
	machine_stacks_free(x->c.user);
	chain_ips_fini(&x->c);
	replay_free(x->r);
	session_free(x->s);
	pd_close(x->pd);
	diag_fini(&x->diag);
	bytes_free(&x->file);
}

static void check_ips(const struct fixture *x, const u64 *want, size_t n)
{
	CHECK_EQ(x->c.nr, n);
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(x->c.ips[i], want[i]);
}

/* Code that lies in no file is walked by frame pointers; what a lost file's does is not known. */
TEST(code_in_shared_memory)
{
	struct fixture x;

	begin(&x);
	sample(&x, 2, IN_MEMORY + 0x100, NULL, 0);
	sample(&x, 2, LOST + 0x100, NULL, 0);
	next(&x);
	CHECK_EQ(x.c.unwound->nr, 2);
	CHECK_EQ(x.c.unwound->ips[1], CODE + 0x1ff);
	next(&x);
	CHECK_EQ(x.c.unwound->nr, 1);
	CHECK_EQ(x.c.unwound->end, UNWIND_NO_OBJECT);
	end(&x);
}

/* Inside execve the old stack is unmapped: the kernel copies nothing, and no user part is known. */
TEST(an_empty_copy_is_no_truncated_stack)
{
	u64 kernel[] = { PD_CONTEXT_KERNEL, KERNEL };
	struct fixture x;

	begin(&x);
	sample_with_copy(&x, 2, CODE + 0x100, kernel, 2, 0);
	next(&x);
	CHECK(!machine_stacks_wants(x.ev.ev, &x.ev.sample));
	check_ips(&x, (const u64[]){ KERNEL }, 1);
	CHECK_EQ(x.c.end, STACK_RECORDED);
	end(&x);
}

TEST(stacks_unwound_ahead_are_the_same)
{
	struct pd_sample copies[MACHINE_STACKS_AHEAD];
	const struct pd_sample *samples[MACHINE_STACKS_AHEAD];
	const struct mapset *maps[MACHINE_STACKS_AHEAD];
	const struct unwind_frames *u;
	struct fixture x;
	u64 ips[8];
	size_t nr;

	begin(&x);
	sample(&x, 2, CODE + 0x100, NULL, 0);
	next(&x);
	nr = x.c.unwound->nr;
	CHECK_EQ(nr, 2);
	memcpy(ips, x.c.unwound->ips, nr * sizeof(*ips));
	for (size_t i = 0; i < MACHINE_STACKS_AHEAD; i++) {
		copies[i] = x.ev.sample;
		samples[i] = &copies[i];
		maps[i] = x.c.user_maps;
	}
	/* one without registers among them */
	copies[1].user_regs.abi = 0;
	machine_stacks_unwind_ahead(x.c.user, samples, maps, MACHINE_STACKS_AHEAD);
	for (size_t i = MACHINE_STACKS_AHEAD; i--;) {
		u = machine_stacks_unwind(x.c.user, samples[i], maps[i]);
		CHECK_EQ(u->nr, i == 1 ? 0 : nr);
		CHECK_EQ(u->end, i == 1 ? UNWIND_NO_REGS : UNWIND_TRUNCATED);
		if (i != 1) {
			CHECK(!memcmp(u->ips, ips, nr * sizeof(*ips)));
			/* no function is known: each ip is its own */
			CHECK_EQ(machine_stacks_tags(x.c.user)[u->numbers[0]].function, ips[0]);
		}
	}
	end(&x);
}

TEST(kernel_part_comes_first)
{
	const u64 recorded[] = { PD_CONTEXT_KERNEL, KERNEL + 8, KERNEL + 16 };
	const u64 want[] = { KERNEL + 8, KERNEL + 16, CODE + 0x100, CODE + 0x1ff };
	struct fixture x;

	begin(&x);
	sample(&x, 2, CODE + 0x100, recorded, 3);
	next(&x);
	check_ips(&x, want, 4);
	CHECK_EQ(x.c.modes[1], PD_CPUMODE_KERNEL);
	CHECK_EQ(x.c.modes[2], PD_CPUMODE_USER);
	CHECK_EQ(x.c.end, STACK_END(UNWIND_TRUNCATED));
	end(&x);
}

/* A circle is the end of a chain; here the copy's frames come behind it. */
TEST(a_kernel_part_that_goes_round_stays_whole)
{
	enum { TURNS = 20 };
	u64 recorded[1 + 2 * TURNS] = { PD_CONTEXT_KERNEL }, want[2 * TURNS + 2];
	struct fixture x;

	for (size_t i = 0; i < 2 * TURNS; i++)
		recorded[1 + i] = want[i] = KERNEL + 8 + 8 * (i & 1);
	want[2 * TURNS] = CODE + 0x100;
	want[2 * TURNS + 1] = CODE + 0x1ff;
	begin(&x);
	x.c.finds_circle = true;
	sample(&x, 2, CODE + 0x100, recorded, ARRAY_SIZE(recorded));
	sample(&x, 0, CODE + 0x100, recorded, ARRAY_SIZE(recorded));
	next(&x);
	check_ips(&x, want, ARRAY_SIZE(want));
	CHECK_EQ(x.c.circle, 0);
	CHECK_EQ(x.c.nr_kernel, 2 * TURNS);
	/* without a copy it is found */
	next(&x);
	CHECK(x.c.circle != 0);
	CHECK(x.c.nr < 2 * TURNS);
	end(&x);
}

TEST(frames_have_their_functions_and_numbers)
{
	struct fixture x;
	const struct unwind_frames *u;
	struct unwind_tag *tags;

	begin(&x);
	sample(&x, 2, CODE + 0x100, NULL, 0);
	sample(&x, 2, CODE + 0x100, NULL, 0);
	next(&x);
	u = x.c.unwound;
	CHECK_EQ(u->nr, 2);
	CHECK(u->numbers[0] != u->numbers[1]);
	tags = machine_stacks_tags(x.c.user);
	for (u32 i = 0; i < 2; i++) {
		/* no function is known: each ip is its own */
		CHECK_EQ(tags[u->numbers[i]].function, u->ips[i]);
		CHECK_EQ(tags[u->numbers[i]].key, 0);
		tags[u->numbers[i]].key = 7;
		tags[u->numbers[i]].value = 100 + i;
	}
	next(&x);
	u = x.c.unwound;
	tags = machine_stacks_tags(x.c.user);
	for (u32 i = 0; i < 2; i++) {
		CHECK_EQ(tags[u->numbers[i]].key, 7);
		CHECK_EQ(tags[u->numbers[i]].value, 100 + i);
	}
	end(&x);
}

TEST(a_recorded_user_part_goes_on_where_the_copy_ends)
{
	const u64 recorded[] = { PD_CONTEXT_USER, CODE + 0x100, CODE + 0x200, CODE + 0x300,
				 CODE + 0x400 };
	const u64 want[] = { CODE + 0x100, CODE + 0x1ff, CODE + 0x2ff, CODE + 0x3ff };
	struct fixture x;

	begin(&x);
	sample(&x, 2, CODE + 0x100, recorded, 5);
	next(&x);
	check_ips(&x, want, 4);
	CHECK_EQ(x.c.end, STACK_RECORDED | STACK_JOINED);
	end(&x);
}

TEST(another_recorded_user_part_is_left_alone)
{
	const u64 recorded[] = { PD_CONTEXT_USER, CODE + 0x100, CODE + 0x208, CODE + 0x300 };
	const u64 want[] = { CODE + 0x100, CODE + 0x1ff };
	struct fixture x;

	begin(&x);
	sample(&x, 2, CODE + 0x100, recorded, 4);
	next(&x);
	check_ips(&x, want, 2);
	CHECK_EQ(x.c.end, STACK_END(UNWIND_TRUNCATED));
	end(&x);
}

TEST(a_leaf_goes_on_too)
{
	const u64 recorded[] = { PD_CONTEXT_USER, LOST + 0x40, CODE + 0x300 };
	const u64 want[] = { LOST + 0x40, CODE + 0x2ff }, alone[] = { LOST + 0x40 };
	struct fixture x;

	begin(&x);
	sample(&x, 2, LOST + 0x40, recorded, 3);
	sample(&x, 2, LOST + 0x40, recorded, 0);
	next(&x);
	check_ips(&x, want, 2);
	next(&x);
	check_ips(&x, alone, 1);
	CHECK_EQ(x.c.end, STACK_END(UNWIND_NO_OBJECT));
	end(&x);
}

/* Opens a recording of which no more than `bytes` of each copy count: their sizes stand last. */
static void open_cut(struct fixture *x, const char *path, u64 bytes)
{
	struct pd_record rec;
	struct perr e;
	FILE *f;

	diag_init(&x->diag);
	x->file = bytes_new(false);
	x->file.p = xmalloc(MAX_FILE);
	f = fopen(path, "re");
	CHECK(f);
	x->file.n = fread(x->file.p, 1, MAX_FILE, f);
	fclose(f);
	CHECK_EQ(pd_open_mem(bytes_span(&x->file), path, &x->diag, &x->pd, &e), 0);
	while (pd_next(x->pd, &rec, &e) == 1)
		if (rec.type == PD_RECORD_SAMPLE)
			memcpy(x->file.p + rec.off + rec.size - sizeof(bytes), &bytes,
			       sizeof(bytes));
	pd_close(x->pd);
	CHECK_EQ(pd_open_mem(bytes_span(&x->file), path, &x->diag, &x->pd, &e), 0);
}

/* They have no row of their own that could be put aside until its stack is whole. */
TEST(truncated_stacks_of_branch_rows_are_not_joined)
{
	const struct session_config cfg = {
		.symbols = { .hermetic = true, .symfs = "testdata/symfs" },
	};
	const struct counts_config counts = {
		.columns = (1u << COUNT_COLUMNS) - 1,
		.threads = 1,
		.branch_rows = true,
	};
	struct fixture x = { 0 };
	struct counts *c;
	struct perr e;

	open_cut(&x, "testdata/inline-7.2/perf.data", 16);
	x.s = session_new(x.pd, &cfg, &x.diag);
	CHECK_EQ(counts_run(x.s, &counts, &c, &e), 0);
	CHECK(c->unwound.stacks > 10);
	CHECK_EQ(c->nr_rows, 0);
	counts_free(c);
	end(&x);
}

TEST(no_registers_no_copy)
{
	const u64 recorded[] = { PD_CONTEXT_USER, CODE + 0x100, CODE + 0x200 };
	const u64 want[] = { CODE + 0x100, CODE + 0x200 };
	struct fixture x;

	begin(&x);
	sample(&x, 0, CODE + 0x100, recorded, 3);
	next(&x);
	check_ips(&x, want, 2);
	CHECK_EQ(x.c.end, STACK_RECORDED);
	CHECK(!x.c.unwound);
	end(&x);
}
