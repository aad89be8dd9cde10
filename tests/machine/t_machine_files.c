/* SPDX-License-Identifier: MIT */
/* The files that a recorder has open to unwind, of processes that come and go. */
#include <stdio.h>

#include "machine/machine.h"
#include "machine/machine_modules.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define PARENT 10
#define PROG 0x400000ull

struct recorder {
	struct bytes b; /* the records that the machine was given */
	struct pd_attr a;
	struct machine *mc;
	size_t nr_opened;
};

static struct object *open_self(void *ctx, const struct dso *d, bool *ret_no_elf)
{
	struct recorder *x = ctx;
	struct object *o = NULL;
	struct perr e;

	(void)d;
	(void)ret_no_elf;
	x->nr_opened++;
	return object_open("/proc/self/exe", &o, &e) ? NULL : o;
}

static void apply_last(struct recorder *x)
{
	const struct pd_record r = last_record(&x->b);

	machine_apply(x->mc, &r);
}

/* A process that maps 64 files which no other one has; their code is looked for, then it ends. */
static void run_own_files(struct recorder *x, u32 pid)
{
	struct machine_modules_known known[MACHINE_MODULES_KNOWN] = { 0 };
	struct user_space us = { .modules = x->mc->modules, .known = known };
	struct unwind_space space = { .maps = &us };
	struct unwind_place place;
	char name[32];

	put_task(&x->b, PD_RECORD_FORK, pid, PARENT, pid, PARENT, 1, &x->a, NULL);
	apply_last(x);
	for (u32 i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "/bin/%u-%u", pid, i);
		put_mmap2(&x->b, pid, PROG + i * 0x10000ull, 0x1000, 0, name, &x->a, NULL);
		apply_last(x);
	}
	us.maps = machine_thread(x->mc, pid, pid)->process->maps;
	for (u32 i = 0; i < 64; i++)
		CHECK(machine_modules_find(&space, PROG + i * 0x10000ull, &place) && place.module);
	put_task(&x->b, PD_RECORD_EXIT, pid, PARENT, pid, PARENT, 1, &x->a, NULL);
	apply_last(x);
}

/* Long before there are many maps. */
TEST(files_that_nothing_maps_any_more_are_closed)
{
	struct recorder x = { .b = bytes_new(false), .a = attr_plain() };
	struct code_opener opener = { &x, open_self };
	struct machine_config cfg = { .arch = "x86_64", .only_unwinds = true };

	cfg.symbols.opener = &opener;
	x.mc = machine_new(&cfg);
	for (u32 i = 1; i <= 5; i++) {
		run_own_files(&x, 100 + i);
		CHECK_EQ(x.nr_opened, i * 64);
		/* at the fourth look that finds them unmapped */
		CHECK_EQ(machine_forget(x.mc), i >= 4);
		CHECK(!machine_forget(x.mc));
	}
	CHECK(x.mc->arena.total < 1 << 20);
	machine_free(x.mc);
	bytes_free(&x.b);
}
