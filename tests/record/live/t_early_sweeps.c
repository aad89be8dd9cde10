/* SPDX-License-Identifier: MIT */
/* live_chains_need_early_sweeps(): stacks deeper than their copies, whose memory is this process's
 * own. */
#include "record/live/live_chains.h"

#include <string.h>
#include <unistd.h>

#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define CODE 0x7f0000000000ull /* anonymous: walked by frame pointers */
#define REGS 0xff0fffull
#define COPIED 2048u
#define MOST_SWEEPS 10000
enum { REG_BP = 6, REG_SP = 7, REG_IP = 8, NR_REGS = 20 };

static u64 memory[2048];

struct fixture {
	struct live_chains *live;
	struct pd_attr a;
	struct bytes maps, sample;
	struct wbuf out;
};

static void begin(struct fixture *x)
{
	struct sample_parts mapping = { .pid = (u32)getpid(), .tid = (u32)getpid() };

	*x = (struct fixture){ .a = attr_plain(),
			       .maps = bytes_new(false),
			       .sample = bytes_new(false) };
	x->a.sample_type |= PD_SAMPLE_CALLCHAIN | PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
	x->a.sample_regs_user = REGS;
	x->a.sample_stack_user = COPIED;
	x->live = live_chains_new("/nowhere", false, NULL);
	live_chains_add_event(x->live, &x->a);
	put_mmap2(&x->maps, (u32)getpid(), CODE, 0x10000, 0, "//anon", &x->a, &mapping);
	live_chains_apply(x->live, x->maps.p, (u32)x->maps.n);
	/* (unused) (unused) | frame pointer beyond the copy, return address | ... */
	memset(memory, 0, sizeof(memory));
	memory[2] = (u64)(uintptr_t)memory + 4096;
	memory[3] = CODE + 0x200;
}

static void end(struct fixture *x)
{
	live_chains_free(x->live);
	bytes_free(&x->maps);
	bytes_free(&x->sample);
	wb_fini(&x->out);
}

/* One sweep with a sample of the memory; changed: the copy differs from it at its end. */
static void sweep_with_sample(struct fixture *x, bool changed)
{
	u64 sp = (u64)(uintptr_t)memory;
	u64 regs[NR_REGS] = { [REG_BP] = sp + 16, [REG_SP] = sp, [REG_IP] = CODE + 0x100 };
	u64 copy[COPIED / 8];
	struct perr e;

	memcpy(copy, memory, sizeof(copy));
	copy[COPIED / 8 - 1] ^= changed;
	bytes_free(&x->sample);
	x->sample = bytes_new(false);
	put_sample(&x->sample, &x->a,
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .ip = CODE + 0x100,
					   .time = 5,
					   .pid = (u32)getpid(),
					   .tid = (u32)getpid(),
					   .period = 1,
					   .user_abi = 2,
					   .user_regs = regs,
					   .stack = copy,
					   .stack_size = COPIED,
					   .stack_dyn_size = COPIED });
	CHECK_EQ(live_chains_put(x->live, 0, x->sample.p, (u32)x->sample.n, 5, &x->out, &e), 0);
	live_chains_flush(x->live);
	live_chains_end_sweep(x->live);
}

TEST(memory_that_changed_asks_for_early_sweeps_until_none_has_changed_for_long)
{
	struct fixture x;
	int n = 0;

	begin(&x);
	sweep_with_sample(&x, true);
	CHECK(live_chains_need_early_sweeps(x.live));
	while (live_chains_need_early_sweeps(x.live) && n < MOST_SWEEPS) {
		live_chains_end_sweep(x.live);
		n++;
	}
	CHECK(n > 10 && n < MOST_SWEEPS);
	end(&x);
}

TEST(memory_as_it_was_copied_asks_for_none)
{
	struct fixture x;

	begin(&x);
	sweep_with_sample(&x, false);
	CHECK(!live_chains_need_early_sweeps(x.live));
	end(&x);
}
