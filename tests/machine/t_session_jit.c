/* SPDX-License-Identifier: MIT */
/* session/jit and session/user_maps: code in memory without a file. */
#include "machine/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "session/frames.h"
#include "session/replay.h"
#include "machine/machine_stacks.h"
#include "tests/frame/build_jitdump.h"
#include "tests/frame/unit.h"
#include "machine/chain_ips.h"

#define PID 10
#define DUMP "/j/jit-10.dump"
#define CODE 0x7f0000000000ull
#define FAR_CODE (CODE + 0x40000)

/* A recording of one process, its jitdump below a --symfs, and the way through both. */
struct fixture {
	struct bytes file, dump;
	struct file_builder f;
	struct pd_attr a;
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct replay *r;
	struct frames frames;
	char dir[64], sub[80], path[112];
};

/* sample_type: beside what attr_plain has. */
static void begin_sampling(struct fixture *x, bool monotonic, u64 sample_type)
{
	*x = (struct fixture){ .file = bytes_new(false), .dump = bytes_new(false) };
	x->f.b = &x->file;
	x->a = attr_plain();
	x->a.sample_type |= sample_type;
	x->a.sample_regs_user = 1 << 6 | 1 << 7 | 1 << 8; /* rbp, rsp, rip */
	if (monotonic) {
		x->a.flags |= 1ull << PD_ATTR_USE_CLOCKID;
		x->a.clockid = CLOCK_MONOTONIC;
	}
	file_begin(&x->f, BUILD_REGULAR);
	file_add_event(&x->f, &x->a, NULL, 0);
	file_begin_data(&x->f);
	jit_header(&x->dump, PID, 0);
}

static void begin(struct fixture *x, bool monotonic)
{
	begin_sampling(x, monotonic, 0);
}

static void map(struct fixture *x, u64 time, u64 start, u64 len, u64 pgoff, const char *name)
{
	put_mmap2(&x->file, PID, start, len, pgoff, name, &x->a,
		  &(struct sample_parts){ .time = time, .pid = PID, .tid = PID });
}

#define STACK 0x7ffd0000ull

static void sample_stack(struct fixture *x, u64 time, u64 ip, u64 fp, const u64 *stack, size_t nr)
{
	const u64 regs[] = { fp, STACK, ip };

	put_sample(&x->file, &x->a,
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .ip = ip,
					   .time = time,
					   .pid = PID,
					   .tid = PID,
					   .period = 1,
					   .user_abi = 2,
					   .user_regs = regs,
					   .stack = stack,
					   .stack_size = nr * 8,
					   .stack_dyn_size = nr * 8 });
}

static void sample(struct fixture *x, u64 time, u64 ip)
{
	sample_stack(x, time, ip, 0, NULL, 0);
}

static void open_all(struct fixture *x)
{
	struct session_config cfg = { .symbols = { .hermetic = true, .symfs = x->dir } };
	struct perr e;
	FILE *f;

	cfg.symbols.diag = &x->diag;
	cfg.arch = "x86_64";
	snprintf(x->dir, sizeof(x->dir), "/tmp/t_session_jit.XXXXXX");
	CHECK(mkdtemp(x->dir));
	snprintf(x->sub, sizeof(x->sub), "%s/j", x->dir);
	snprintf(x->path, sizeof(x->path), "%s%s", x->dir, DUMP);
	CHECK(!mkdir(x->sub, 0700));
	f = fopen(x->path, "w");
	CHECK(f && fwrite(x->dump.p, x->dump.n, 1, f) == 1 && !fclose(f));
	file_end(&x->f);
	diag_init(&x->diag);
	CHECK(!pd_open_mem(bytes_span(&x->file), "built", &x->diag, &x->pd, &e));
	x->s = session_new(x->pd, &cfg, &x->diag);
	x->r = replay_new(x->s, true);
	frames_init(&x->frames, 1000);
}

static void end(struct fixture *x)
{
	frames_fini(&x->frames);
	replay_free(x->r);
	session_free(x->s);
	pd_close(x->pd);
	diag_fini(&x->diag);
	unlink(x->path);
	rmdir(x->sub);
	rmdir(x->dir);
	bytes_free(&x->file);
	bytes_free(&x->dump);
}

/* The next sample lies in that function of that object; returns its frame's id. */
static u32 check_next(struct fixture *x, const char *name, const char *object)
{
	struct replay_event ev;
	struct task_view task;
	const struct frame *fr;
	struct perr e;
	u32 id;

	do
		CHECK_EQ(replay_next(x->r, &ev, &e), 1);
	while (!ev.is_sample);
	task = machine_task(x->s->machine,
			    machine_thread(x->s->machine, ev.sample.pid, ev.sample.tid));
	id = frames_get(&x->frames, &task, PD_CPUMODE_USER, ev.sample.ip);
	fr = frames_resolve(&x->frames, id);
	CHECK_STR(fr->has_sym ? fr->sym->name : NULL, name);
	CHECK_STR(fr->map ? fr->map->dso_name : NULL, object);
	return id;
}

TEST(code_is_named_as_of_the_sample)
{
	struct fixture x;
	u32 old, far;

	begin(&x, true);
	jit_load(&x.dump, 10, CODE + 0x100, 0x100, 1, "old", 0);
	jit_load(&x.dump, 10, FAR_CODE, 0x100, 2, "far", 0);
	jit_load(&x.dump, 30, CODE + 0x180, 0x100, 3, "new", 0);
	jit_move(&x.dump, 50, CODE + 0x180, CODE + 0x100, 0x40, 3);
	map(&x, 1, CODE, 0x20000, 0, "//anon"); /* before the dump is known */
	map(&x, 2, 0x5000, 0x1000, 0, DUMP);
	map(&x, 3, FAR_CODE, 0x10000, 0, "//anon"); /* after it */
	sample(&x, 5, CODE + 0x100);                /* compiled, and not yet told */
	sample(&x, 20, CODE + 0x1ff);
	sample(&x, 20, FAR_CODE);
	sample(&x, 30, CODE + 0x1ff);
	sample(&x, 40, CODE + 0x100);
	sample(&x, 60, CODE + 0x100);
	sample(&x, 60, CODE + 0x1ff);
	sample(&x, 60, FAR_CODE);
	sample(&x, 70, CODE + 0x300);
	open_all(&x);
	check_next(&x, "old", DUMP);
	old = check_next(&x, "old", DUMP);
	far = check_next(&x, "far", DUMP);
	CHECK(check_next(&x, "new", DUMP) != old);
	check_next(&x, "old", DUMP);
	check_next(&x, "new", DUMP);
	check_next(&x, "new", DUMP);
	/* its memory was not used again: it stays the same frame */
	CHECK_EQ(check_next(&x, "far", DUMP), far);
	check_next(&x, NULL, DUMP);
	CHECK_EQ(x.diag.nr, 0);
	end(&x);
}

/* perf inject refuses these. */
TEST(without_a_clock_the_last_code_is_shown)
{
	struct fixture x;

	begin(&x, false);
	jit_load(&x.dump, 10, CODE, 0x100, 1, "old", 0);
	jit_load(&x.dump, 30, CODE + 0x80, 0x100, 3, "new", 0);
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 3, CODE, 0x10000, 0, "//anon");
	sample(&x, 20, CODE);
	sample(&x, 20, CODE + 0x80);
	open_all(&x);
	check_next(&x, "old", DUMP);
	check_next(&x, "new", DUMP);
	CHECK_EQ(x.diag.nr, 1);
	end(&x);
}

/* A JIT that maps its code twice, writable and executable, does so by a file without a name. */
TEST(code_in_shared_memory)
{
	struct fixture x;

	begin(&x, true);
	jit_load(&x.dump, 1, CODE, 0x100, 1, "f", 0);
	jit_load(&x.dump, 1, FAR_CODE, 0x100, 2, "g", 0);
	map(&x, 1, CODE, 0x1000, 0, "/memfd:doublemapper (deleted)");
	map(&x, 2, 0x5000, 0x1000, 0, DUMP);
	map(&x, 3, FAR_CODE, 0x1000, 0, "[anon:code]");
	sample(&x, 4, CODE);
	sample(&x, 4, FAR_CODE);
	open_all(&x);
	check_next(&x, "f", DUMP);
	check_next(&x, "g", DUMP);
	end(&x);
}

/* A file mapped over code, and code around it, which keeps its moment. */
TEST(a_file_takes_the_place_of_code)
{
	struct fixture x;

	begin(&x, true);
	jit_load(&x.dump, 10, CODE, 0x100, 1, "old", 0);
	jit_load(&x.dump, 20, CODE + 0x2000, 0x100, 1, "behind", 0);
	jit_load(&x.dump, 30, CODE + 0x2000, 0x100, 3, "new", 0);
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 2, CODE, 0x10000, 0, "//anon");
	sample(&x, 25, CODE + 0x2000);
	map(&x, 26, CODE + 0x1000, 0x1000, 0, "/no/such/library");
	sample(&x, 27, CODE + 0x2000);
	sample(&x, 27, CODE + 0x1000);
	sample(&x, 35, CODE + 0x2000);
	open_all(&x);
	check_next(&x, "behind", DUMP);
	check_next(&x, "behind", DUMP);
	check_next(&x, NULL, "/no/such/library");
	check_next(&x, "new", DUMP);
	end(&x);
}

/* V8 tells of the functions that were compiled into the program, too. */
TEST(code_of_a_file_stays_the_file_s)
{
	struct fixture x;

	begin(&x, true);
	jit_load(&x.dump, 10, 0x401000, 0x100, 1, "Builtin:f", 0);
	jit_load(&x.dump, 10, CODE, 0x100, 1, "f", 0);
	map(&x, 1, 0x400000, 0x8000, 0, "/no/such/program");
	map(&x, 2, 0x5000, 0x1000, 0, DUMP);
	map(&x, 3, CODE, 0x10000, 0, "//anon");
	sample(&x, 25, 0x401000);
	sample(&x, 25, CODE);
	open_all(&x);
	check_next(&x, NULL, "/no/such/program");
	check_next(&x, "f", DUMP);
	end(&x);
}

TEST(the_next_program_has_no_dump_yet)
{
	struct fixture x;

	begin(&x, true);
	jit_load(&x.dump, 10, CODE, 0x100, 1, "f", 0);
	jit_load(&x.dump, 30, CODE, 0x100, 2, "late", 0);
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	record_begin(&x.file, PD_RECORD_COMM, PD_MISC_COMM_EXEC);
	put_u32(&x.file, PID);
	put_u32(&x.file, PID);
	put_text(&x.file, "next", 8);
	put_trailer(&x.file, &x.a, &(struct sample_parts){ .time = 2, .pid = PID, .tid = PID });
	record_end(&x.file);
	map(&x, 3, CODE, 0x10000, 0, "//anon");
	sample(&x, 40, CODE);
	open_all(&x);
	check_next(&x, NULL, "/tmp/perf-10.map");
	end(&x);
}

TEST(dump_that_is_not_this_process_s)
{
	struct fixture x;

	begin(&x, true);
	set_u32(&x.dump, 20, PID + 1);
	jit_load(&x.dump, 10, CODE, 0x100, 1, "f", 0);
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 2, CODE, 0x10000, 0, "//anon");
	sample(&x, 25, CODE);
	open_all(&x);
	check_next(&x, NULL, "/tmp/perf-10.map");
	CHECK_EQ(x.diag.nr, 2); /* another's, and: not found */
	end(&x);
}

/* Code that a program moved to memory of its own, to have it on huge pages. */
TEST(moved_text_is_the_file_s)
{
	const struct map *m;
	struct thread *th;
	struct fixture x;

	begin(&x, true);
	map(&x, 1, 0x400000, 0x800000, 0x1000, "/no/such/program");
	map(&x, 2, 0x600000, 0x200000, 0x600000, "//anon");
	map(&x, 3, 0x600000, 0x200000, 0x600000, "//anon"); /* its protection changed */
	map(&x, 4, 0xb00000, 0x200000, 0xb00000, "//anon"); /* reaches beyond it */
	map(&x, 5, CODE, 0x1000, 0, "//anon");
	sample(&x, 6, 0x612345);
	sample(&x, 6, 0xb00000);
	sample(&x, 6, CODE);
	open_all(&x);
	check_next(&x, NULL, "/no/such/program");
	th = machine_thread(x.s->machine, PID, PID);
	m = machine_find_map(x.s->machine, th, PD_CPUMODE_USER, 0x612345);
	CHECK_EQ(map_ip_to_addr(m, 0x612345), 0x213345);
	CHECK(m->dso == machine_find_map(x.s->machine, th, PD_CPUMODE_USER, 0x400000)->dso);
	check_next(&x, NULL, "/tmp/perf-10.map");
	check_next(&x, NULL, "/tmp/perf-10.map");
	end(&x);
}

TEST(code_and_lines_come_from_the_dump)
{
	const struct jit_line lines[] = { { CODE, 3, "a.js" }, { CODE + 8, 4, "a.js" } };
	const struct map *m;
	struct line_hit line;
	struct fixture x;
	bool is_64 = false;
	u8 code[8];

	begin(&x, true);
	jit_lines(&x.dump, CODE, lines, 2);
	jit_load(&x.dump, 10, CODE, 16, 1, "f", 0x20);
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 2, CODE, 0x10000, 0, "//anon");
	sample(&x, 25, CODE);
	open_all(&x);
	check_next(&x, "f", DUMP);
	m = machine_find_map(x.s->machine, machine_thread(x.s->machine, PID, PID), PD_CPUMODE_USER,
			     CODE);
	CHECK_EQ(dso_read_code(m->dso, CODE + 12, m->start, m->pgoff, code, 8, &is_64), 4);
	CHECK(is_64);
	CHECK_EQ(code[0], 0x2c);
	CHECK_EQ(dso_read_code(m->dso, CODE + 16, m->start, m->pgoff, code, 8, &is_64), 0);
	CHECK(dso_find_line(m->dso, CODE + 9, m->start, m->pgoff, &line));
	CHECK_STR(line.file, "a.js");
	CHECK_EQ(line.line, 4);
	CHECK(!dso_find_line(m->dso, CODE + 0x400, m->start, m->pgoff, &line));
	end(&x);
}

/* The stack of the next sample. */
static void check_stack(struct fixture *x, const u64 *ips, size_t nr, size_t guessed,
			enum unwind_end end)
{
	struct machine_stacks *u = machine_stacks_new(x->s->machine, 0);
	const struct unwind_frames *f;
	struct replay_event ev;
	struct perr e;

	do
		CHECK_EQ(replay_next(x->r, &ev, &e), 1);
	while (!ev.is_sample);
	f = machine_stacks_unwind(u, &ev.sample,
				  machine_thread(x->s->machine, PID, PID)->process->maps);
	CHECK_EQ(f->end, end);
	CHECK_EQ(f->nr, nr);
	for (size_t i = 0; i < nr && i < f->nr; i++)
		CHECK_EQ(f->ips[i], ips[i]);
	CHECK_EQ(f->guessed, guessed);
	machine_stacks_free(u);
}

/* machine: as the dump has it. */
static void stacks_through_code(u32 machine)
{
	static const u8 f[] = { 0x53, 0x90, 0x5b, 0xc3 }; /* push %rbx; nop; pop %rbx; ret */
	/* sub $16,%rsp; call f; add $16,%rsp; ret */
	static const u8 g[] = {
		0x48, 0x83, 0xec, 16, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 16, 0xc3
	};
	static const u8 h[] = { 0xe8, 0, 0, 0, 0, 0xeb, 0xfe }; /* call g; jmp to itself */
	static const u8 frames[] = { /* "zR", data alignment -8, relative addresses: CFA = rsp + 24,
					return address below it */
				     20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
				     0x0c, 7, 24, 0x90, 1, 0, 0,
				     /* 40 bytes before the field, 7 bytes */
				     16, 0, 0, 0, 28, 0, 0, 0, 0xd8, 0xff, 0xff, 0xff, 7, 0, 0, 0,
				     0, 0, 0, 0,
				     /* end */
				     0, 0, 0, 0
	};
	const u64 moved = CODE + 0x300;
	const u64 ips[] = { CODE + 1, CODE + 0x108, CODE + 0x204 };
	const u64 moved_ips[] = { CODE + 1, CODE + 0x108, moved + 4 };
	u64 stack[] = { 1, CODE + 0x109, 2, 3, CODE + 0x205, 4, 5, 0 };
	struct fixture x;

	begin_sampling(&x, true, PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER);
	set_u32(&x.dump, 12, machine);
	jit_load_code(&x.dump, 10, CODE, 1, "f", f, sizeof(f));
	jit_load_code(&x.dump, 10, CODE + 0x100, 2, "g", g, sizeof(g));
	jit_unwinding(&x.dump, span_of(frames, sizeof(frames)), span_of(NULL, 0));
	jit_load_code(&x.dump, 10, CODE + 0x200, 3, "h", h, sizeof(h));
	jit_move(&x.dump, 30, CODE + 0x200, moved, sizeof(h), 3);
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 2, CODE, 0x10000, 0, "//anon");
	sample_stack(&x, 20, CODE + 1, 6, stack, ARRAY_SIZE(stack));
	stack[4] = moved + 5;
	sample_stack(&x, 40, CODE + 1, 6, stack, ARRAY_SIZE(stack));
	open_all(&x);
	check_stack(&x, ips, ARRAY_SIZE(ips), 2, UNWIND_ROOT);
	check_stack(&x, moved_ips, ARRAY_SIZE(moved_ips), 2, UNWIND_ROOT);
	end(&x);
}

/*
 * Code without frame pointers: by its instructions, and where the JIT tells it, by call frame
 * information, whose addresses are relative to where it lies behind the code. CPython 3.13 does not
 * tell the machine.
 */
TEST(stacks_go_through_code_of_the_dump)
{
	stacks_through_code(62);
	stacks_through_code(0);
}

/* Erlang's begin where they end: what follows no call there is an address all the same. */
TEST(frame_pointers_in_code_of_the_dump)
{
	static const u8 silent[] = { 0xeb, 0xfe };
	const u64 stack[] = { STACK + 16, CODE + 0x102, 0, 0 }, ips[] = { CODE, CODE + 0x101 };
	struct fixture x;

	begin_sampling(&x, true, PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER);
	jit_load_code(&x.dump, 10, CODE, 1, "f", silent, sizeof(silent));
	jit_load_code(&x.dump, 10, CODE + 0x100, 2, "g", silent, sizeof(silent));
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 2, CODE, 0x10000, 0, "//anon");
	sample_stack(&x, 20, CODE, STACK, stack, ARRAY_SIZE(stack));
	open_all(&x);
	check_stack(&x, ips, ARRAY_SIZE(ips), 1, UNWIND_ROOT);
	end(&x);
}

/*
 * HotSpot: code that is left by traps only, with a call in front that nobody comes to, and a nop
 * behind each call; its interpreter returns to what follows no call, and keeps its caller's stack
 * pointer below its frame record, behind which lie arguments.
 */
TEST(compiled_and_interpreted_java)
{
	static const u8 leaf[] = { 0xc3 };
	/* call; nop; push %rbp; sub $16,%rsp; call *%rax; nop; jmp to itself */
	static const u8 trapping[] = { 0xe8, 0,    0,    0,    0,    0x66, 0x90, 0x55,
				       0x48, 0x83, 0xec, 0x10, 0xff, 0xd0, 0x0f, 0x1f,
				       0x84, 0,    0xd0, 4,    0,    2,    0xeb, 0xfe };
	static const u8 silent[] = { 0xeb, 0xfe, 0xeb, 0xfe };
	/* sub $16,%rsp; call; nop; add $16,%rsp; ret */
	static const u8 whole[] = { 0x48, 0x83, 0xec, 16, 0xe8, 0, 0,    0,    0,    0x0f, 0x1f,
				    0x84, 0,    0xd0, 4,  0,    2, 0x48, 0x83, 0xc4, 16,   0xc3 };
	const u64 stack[] = {
		CODE + 14, 1, 2, STACK + 48, CODE + 0x202, STACK + 80, STACK + 112, CODE + 0x309,
		3,         4, 5, 6,          CODE + 0x402, 7,          0,           0
	};
	const u64 ips[] = { CODE + 0x100, CODE + 13, CODE + 0x201, CODE + 0x308, CODE + 0x401 };
	struct fixture x;

	begin_sampling(&x, true, PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER);
	jit_load_code(&x.dump, 10, CODE, 1, "trapping", trapping, sizeof(trapping));
	jit_load_code(&x.dump, 10, CODE + 0x100, 2, "leaf", leaf, sizeof(leaf));
	jit_load_code(&x.dump, 10, CODE + 0x200, 3, "Interpreter", silent, sizeof(silent));
	jit_load_code(&x.dump, 10, CODE + 0x300, 4, "whole", whole, sizeof(whole));
	jit_load_code(&x.dump, 10, CODE + 0x400, 5, "call_stub", silent, sizeof(silent));
	map(&x, 1, 0x5000, 0x1000, 0, DUMP);
	map(&x, 2, CODE, 0x10000, 0, "//anon");
	sample_stack(&x, 20, CODE + 0x100, 9, stack, ARRAY_SIZE(stack));
	open_all(&x);
	check_stack(&x, ips, ARRAY_SIZE(ips), 4, UNWIND_NO_INFO);
	end(&x);
}
