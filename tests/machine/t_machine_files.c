/* SPDX-License-Identifier: MIT */
/* The files that a recorder has open to unwind, of processes that come and go. */
#include <stdio.h>

#include "machine/jit.h"
#include "machine/machine.h"
#include "machine/machine_modules.h"
#include "session/frames.h"
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

/* Records of one program that begins, maps a file and ends; its symbols are looked for. */
static void run_program(struct recorder *x, u32 pid, const char *name, const struct dso *same)
{
	const struct map *m;
	struct sym_hit hit;

	put_task(&x->b, PD_RECORD_FORK, pid, PARENT, pid, PARENT, 1, &x->a, NULL);
	apply_last(x);
	map_file(x, pid, PROG + 0x10000, name);
	m = map_at(x, pid, PROG + 0x10000);
	CHECK(!same || m->dso == same);
	if (!x->mc->cfg.only_unwinds)
		CHECK(!dso_find(m->dso, m->start, m->start, m->pgoff, &hit));
	put_task(&x->b, PD_RECORD_EXIT, pid, PARENT, pid, PARENT, 1, &x->a, NULL);
	apply_last(x);
}

/* 20,000 programs run once each, beside one that stays, and one that runs again and again. */
static void run_programs(struct recorder *x)
{
	size_t most = 0, names = 0;
	const struct dso *often;
	char name[40];

	map_file(x, PARENT, PROG, "/bin/stays");
	map_file(x, 11, PROG, "/bin/often");
	often = map_at(x, 11, PROG)->dso;
	for (u32 i = 0; i < 20000; i++) {
		bool again = i % 50 == 0;

		snprintf(name, sizeof(name), "/tmp/build-%u/conftest", i);
		run_program(x, 1000 + i, again ? "/bin/often" : name, again ? often : NULL);
		if (x->mc->cfg.only_unwinds)
			(void)machine_forget(x->mc);
		else
			(void)machine_forget_maps(x->mc);
		x->b.n = 0;
		if (i == 10) { /* from now on, it is mapped for a moment only */
			put_task(&x->b, PD_RECORD_EXIT, 11, PARENT, 11, PARENT, 1, &x->a, NULL);
			apply_last(x);
		}
		most = most < nr_dsos(x) ? nr_dsos(x) : most;
		names = names < x->mc->file_names.nr ? x->mc->file_names.nr : names;
	}
	CHECK(most <= 2 * 512 + 16);
	CHECK(names <= 2 * 512 + 16);
	CHECK(x->mc->maker.codes.nr <= 2 * 512 + 16);
	CHECK(x->mc->arena.total < 1 << 20);
	CHECK_STR(map_at(x, PARENT, PROG)->dso_name, "/bin/stays");
	CHECK_STR(dso_get_desc(map_at(x, PARENT, PROG)->dso)->name, "/bin/stays");
}

TEST(programs_that_do_not_run_any_more_take_no_memory)
{
	struct recorder x = begin();
	struct code_opener opener = { &x, open_self, NULL };

	start(&x, &opener);
	run_programs(&x);
	end(&x);
}

static const struct frame *frame_of_parent(struct recorder *x, struct frames *f)
{
	const struct task_view task = machine_task(x->mc, machine_thread(x->mc, PARENT, PARENT));

	frames_make_room(f);
	return frames_resolve(f, frames_get(f, &task, PD_CPUMODE_USER, PROG + 8));
}

TEST(nor_do_their_symbols_in_a_stream)
{
	struct recorder x = begin();
	const struct machine_config cfg = { .symbols = { .hermetic = true },
					    .arch = "x86_64",
					    .forgets_maps = true };
	struct session s = { .machine = x.mc = machine_new(&cfg) };
	struct frames f;

	map_file(&x, PARENT, PROG, "/bin/stays");
	dso_add_symbol(map_at(&x, PARENT, PROG)->dso, PROG, 0x100, "main");
	frames_init(&f, 100);
	frames_follow(&f, &s);
	CHECK_STR(frame_of_parent(&x, &f)->sym->name, "main");
	run_programs(&x);
	CHECK(x.mc->nr_forgotten > 20);
	CHECK_EQ(f.epoch, 1);
	/* the map is another one, the object is the same */
	CHECK_STR(frame_of_parent(&x, &f)->sym->name, "main");
	CHECK_EQ(f.epoch, 2);
	frames_fini(&f);
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
