/* SPDX-License-Identifier: MIT */
/* The files that a recorder has open to unwind, of processes that come and go. */
#include <stdio.h>

#include "machine/jit.h"
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

/* A process that maps 128 files which no other one has; their code is looked for, then it ends. */
static void run_own_files(struct recorder *x, u32 pid)
{
	struct machine_modules_known known[MACHINE_MODULES_KNOWN] = { 0 };
	struct user_space us = { .modules = x->mc->modules, .known = known };
	struct unwind_space space = { .maps = &us };
	struct unwind_place place;
	char name[32];

	put_task(&x->b, PD_RECORD_FORK, pid, PARENT, pid, PARENT, 1, &x->a, NULL);
	apply_last(x);
	for (u32 i = 0; i < 128; i++) {
		snprintf(name, sizeof(name), "/bin/%u-%u", pid, i);
		put_mmap2(&x->b, pid, PROG + i * 0x10000ull, 0x1000, 0, name, &x->a, NULL);
		apply_last(x);
	}
	us.maps = machine_thread(x->mc, pid, pid)->process->maps;
	for (u32 i = 0; i < 128; i++)
		CHECK(machine_modules_find(&space, PROG + i * 0x10000ull, &place) && place.module);
	put_task(&x->b, PD_RECORD_EXIT, pid, PARENT, pid, PARENT, 1, &x->a, NULL);
	apply_last(x);
}

static struct recorder begin(void)
{
	return (struct recorder){ .b = bytes_new(false), .a = attr_plain() };
}

/* Gives the recorder its machine; opener is borrowed. */
static void start(struct recorder *x, const struct code_opener *opener)
{
	struct machine_config cfg = { .arch = "x86_64", .only_unwinds = true };

	cfg.symbols.opener = opener;
	x->mc = machine_new(&cfg);
}

static void end(struct recorder *x)
{
	machine_free(x->mc);
	bytes_free(&x->b);
}

/* Long before there are many maps. */
TEST(files_that_nothing_maps_any_more_are_closed)
{
	struct recorder x = begin();
	struct code_opener opener = { &x, open_self, NULL };

	start(&x, &opener);
	for (u32 i = 1; i <= 5; i++) {
		run_own_files(&x, 100 + i);
		CHECK_EQ(x.nr_opened, i * 128);
		/* at the first time they were mapped since the one before */
		CHECK_EQ(machine_forget(x.mc), i >= 2);
		CHECK_EQ(machine_modules_nr(x.mc->modules), 128);
		CHECK(!machine_forget(x.mc));
	}
	CHECK(x.mc->arena.total < 1 << 20);
	end(&x);
}

static size_t nr_dsos(const struct recorder *x)
{
	struct dso *const *dsos;

	return symbols_get_dsos(x->mc->symbols, &dsos);
}

static void map_file(struct recorder *x, u32 pid, u64 start, const char *name)
{
	put_mmap2(&x->b, pid, start, 0x1000, 0, name, &x->a, NULL);
	apply_last(x);
}

static const struct map *map_at(const struct recorder *x, u32 pid, u64 ip)
{
	return mapset_find(machine_thread(x->mc, pid, pid)->process->maps, ip);
}

/* 20,000 programs run once each, beside one that stays, and one that runs again and again. */
TEST(programs_that_do_not_run_any_more_take_no_memory)
{
	struct recorder x = begin();
	struct code_opener opener = { &x, open_self, NULL };
	size_t most = 0, names = 0;
	const struct dso *often;
	char name[40];

	start(&x, &opener);
	map_file(&x, PARENT, PROG, "/bin/stays");
	map_file(&x, 11, PROG, "/bin/often");
	often = map_at(&x, 11, PROG)->dso;
	for (u32 i = 0; i < 20000; i++) {
		u32 pid = 1000 + i;
		bool again = i % 50 == 0;

		snprintf(name, sizeof(name), "/tmp/build-%u/conftest", i);
		put_task(&x.b, PD_RECORD_FORK, pid, PARENT, pid, PARENT, 1, &x.a, NULL);
		apply_last(&x);
		map_file(&x, pid, PROG + 0x10000, again ? "/bin/often" : name);
		if (again)
			CHECK(map_at(&x, pid, PROG + 0x10000)->dso == often);
		put_task(&x.b, PD_RECORD_EXIT, pid, PARENT, pid, PARENT, 1, &x.a, NULL);
		apply_last(&x);
		(void)machine_forget(x.mc);
		x.b.n = 0;
		if (i == 10) { /* from now on, it is mapped for a moment only */
			put_task(&x.b, PD_RECORD_EXIT, 11, PARENT, 11, PARENT, 1, &x.a, NULL);
			apply_last(&x);
		}
		most = most < nr_dsos(&x) ? nr_dsos(&x) : most;
		names = names < x.mc->strings.nr ? x.mc->strings.nr : names;
	}
	CHECK(most <= 2 * 512 + 16);
	CHECK(names <= 2 * 512 + 16);
	CHECK(x.mc->maker.codes.nr <= 2 * 512 + 16);
	CHECK(x.mc->arena.total < 1 << 20);
	CHECK_STR(map_at(&x, PARENT, PROG)->dso_name, "/bin/stays");
	CHECK_STR(dso_get_desc(map_at(&x, PARENT, PROG)->dso)->name, "/bin/stays");
	end(&x);
}

static u32 open_dump(void *ctx, const struct jit_mapping *m)
{
	(void)ctx;
	CHECK_STR(m->name, "/tmp/jit-20.dump");
	return 5;
}

static struct jitdump *take_nothing(void *ctx, u32 number)
{
	(void)ctx;
	CHECK_EQ(number, 5);
	return NULL;
}

static void close_dump(void *ctx, u32 number)
{
	size_t *nr_closed = ctx;

	CHECK_EQ(number, 5);
	(*nr_closed)++;
}

/* So many programs that the machine forgets twice. */
static void run_many(struct recorder *x, u32 first)
{
	char name[40];

	for (u32 i = first; i < first + 2000; i++) {
		snprintf(name, sizeof(name), "/bin/%u", i);
		put_task(&x->b, PD_RECORD_FORK, 30, 1, 30, 1, 1, &x->a, NULL);
		apply_last(x);
		map_file(x, 30, PROG, name);
		put_task(&x->b, PD_RECORD_EXIT, 30, 1, 30, 1, 1, &x->a, NULL);
		apply_last(x);
		(void)machine_forget(x->mc);
		x->b.n = 0;
	}
}

TEST(code_of_a_jit_stays_as_long_as_its_process)
{
	const u64 before = 0x10000, code = 0x20000, dump = 0x30000;
	struct recorder x = begin();
	size_t nr_closed = 0, nr_objects;
	struct jit_source source = { &nr_closed, open_dump, take_nothing, close_dump };
	struct code_opener opener = { &x, open_self, NULL };
	struct machine_config cfg = { .arch = "x86_64",
				      .only_unwinds = true,
				      .jit_source = &source };
	const struct map *m;

	cfg.symbols.opener = &opener;
	x.mc = machine_new(&cfg);
	map_file(&x, 20, before, "//anon");
	map_file(&x, 20, dump, "/tmp/jit-20.dump");
	map_file(&x, 20, code, "//anon");
	run_many(&x, 0);
	(void)machine_jits_renew(x.mc, 1);
	for (u64 ip = before; ip <= code; ip += code - before) {
		m = map_at(&x, 20, ip);
		CHECK_STR(m->dso_name, "/tmp/jit-20.dump");
		CHECK_EQ(dso_get_desc(m->dso)->kind, DSO_JIT);
		CHECK_STR(dso_get_desc(dso_get_desc(m->dso)->jit_map)->name, "//anon");
	}
	/* the same dump as before */
	map_file(&x, 20, dump, "/tmp/jit-20.dump");
	map_file(&x, 20, code, "//anon");
	CHECK(map_at(&x, 20, code)->dso == m->dso);
	CHECK_EQ(nr_closed, 0);
	put_task(&x.b, PD_RECORD_EXIT, 20, 1, 20, 1, 1, &x.a, NULL);
	apply_last(&x);
	(void)machine_jits_renew(x.mc, 2);
	CHECK_EQ(nr_closed, 1);
	nr_objects = nr_dsos(&x);
	run_many(&x, 2000);
	CHECK(nr_dsos(&x) <= nr_objects);
	end(&x);
}
