/* SPDX-License-Identifier: MIT */
/* What arguments of system calls point to, from the copy of a stack. */
#include "events/calls/pointees.h"

#include "base/mem.h"
#include "events/calls/call_table.h"
#include "events/calls/call_text.h"
#include "tests/symbols/made_btf.h"
#include "tests/frame/mutate.h"
#include "tests/frame/unit.h"

#define SP 0x7ffd00000000ull

static const char *no_comm(void *ctx, u32 tid)
{
	(void)ctx;
	(void)tid;
	return NULL;
}

static const struct call_namer namer = { no_comm, NULL };

/* Types, and a stack that grows by put_*(). */
struct fixture {
	struct bytes btf, stack;
	struct kernel_types types;
	struct call_memory memory;
};

static void fixture_init(struct fixture *f)
{
	struct perr e;

	*f = (struct fixture){ .btf = made_btf(),
			       .stack = bytes_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) };
	CHECK_EQ(btf_open_mem(bytes_span(&f->btf), &f->types.btf, &e), 0);
}

static void fixture_fini(struct fixture *f)
{
	kernel_types_fini(&f->types);
	bytes_free(&f->btf);
	bytes_free(&f->stack);
}

static u64 here(const struct fixture *f)
{
	return SP + f->stack.n;
}

/* The call as plat trace writes it, with its result. Owned by the caller. */
static char *text_of(struct fixture *f, const char *name, const u64 args[MAX_CALL_ARGS], s64 result)
{
	const struct call_shape shape = call_shape_find(name);
	struct call_values v = { .shape = &shape, .nr_args = MAX_CALL_ARGS };
	char *texts[MAX_CALL_ARGS] = { 0 }, *note = NULL, *ret;
	struct out o;

	memcpy(v.args, args, sizeof(v.args));
	f->memory.sp = SP;
	f->memory.stack = bytes_span(&f->stack);
	pointees_begin(&f->types, &f->memory, &v, texts);
	pointees_end(&f->types, &f->memory, &v, texts, result, &note);
	CHECK(!f->memory.is_late && !v.late);
	out_init_mem(&o);
	call_text_put(&v, CALL_AS_STRACE, &namer, &o);
	if (note)
		out_printf(&o, " (%s)", note);
	ret = xstrndup(o.buf, o.len);
	out_fini(&o);
	free(note);
	for (u32 i = 0; i < MAX_CALL_ARGS; i++)
		free(texts[i]);
	return ret;
}

static void check(struct fixture *f, const char *name, const u64 args[MAX_CALL_ARGS], s64 result,
		  const char *expected)
{
	char *text = text_of(f, name, args, result);

	CHECK_STR(text, expected);
	free(text);
}

#define CALL(f, name, result, expected, ...) \
	check(f, name, (const u64[MAX_CALL_ARGS]){ __VA_ARGS__ }, result, expected)

TEST(structs_are_written_as_the_types_of_the_kernel_say)
{
	struct fixture f;
	u64 at;

	fixture_init(&f);
	at = here(&f);
	put_u64(&f.stack, 1);
	put_u64(&f.stack, 500);
	CALL(&f, "nanosleep", 0, "nanosleep({tv_sec=1, tv_nsec=500}, NULL", at, 0);
	CALL(&f, "futex", 0, "futex(0x10, FUTEX_WAIT, 3, {tv_sec=1, tv_nsec=500}", 0x10, 0, 3, at);
	at = here(&f);
	put_u64(&f.stack, 0100644);
	put_u64(&f.stack, 77);
	put_u64(&f.stack, 0);
	CALL(&f, "fstat", 0, "fstat(3, {st_mode=S_IFREG|0644, st_size=77, ...}", 3, at);
	CALL(&f, "fstat", -9, "fstat(3, 0x7ffd00000010", 3, at); /* nothing was written */
	at = here(&f);
	put_u64(&f.stack, 0010600);
	put_u64(&f.stack, 0);
	put_u64(&f.stack, 0);
	CALL(&f, "fstat", 0, "fstat(3, {st_mode=S_IFIFO|0600, st_size=0, ...}", 3, at);
	at = here(&f);
	put_u64(&f.stack, 0020620);
	put_u64(&f.stack, 0);
	put_u64(&f.stack, 0x8803);
	CALL(&f, "fstat", 0, "fstat(3, {st_mode=S_IFCHR|0620, st_rdev=makedev(0x88, 0x3), ...}", 3,
	     at);
	at = here(&f);
	put_u32(&f.stack, 5);
	put_u32(&f.stack, 0x10001);
	put_u32(&f.stack, (u32)-1);
	put_u32(&f.stack, 0x8004);
	CALL(&f, "poll", 1,
	     "poll([{fd=5, events=POLLIN}, {fd=-1, events=POLLOUT|0x8000}], 2, 9 "
	     "([{fd=5, revents=POLLIN}])",
	     at, 2, 9);
	at = here(&f);
	put_u32(&f.stack, 0x80000001);
	put_u64(&f.stack, 7);
	CALL(&f, "epoll_ctl", 0,
	     "epoll_ctl(3, EPOLL_CTL_ADD, 4, {events=EPOLLIN|EPOLLET, data={u32=7, u64=7}}", 3, 1,
	     4, at);
	CALL(&f, "epoll_wait", 0, "epoll_wait(3, [], 8, 0", 3, at, 8, 0);
	at = here(&f);
	put_u64(&f.stack, 0x100100);
	put_u64(&f.stack, 0x20);
	put_u64(&f.stack, 17);
	/* the program's struct is shorter than the kernel's */
	CALL(&f, "clone3", 9,
	     "clone3({flags=CLONE_VM|CLONE_PARENT_SETTID, parent_tid=0x20, exit_signal=SIGCHLD, "
	     "stack=NULL, stack_size=0} => {parent_tid=[9]}, 24",
	     at, 24);
	fixture_fini(&f);
}

TEST(members_of_all_kinds)
{
	struct fixture f;
	u64 at;

	fixture_init(&f);
	at = here(&f);
	put_u32(&f.stack, 0xd); /* a: -3 in 3 bits */
	put_u32(&f.stack, 1);
	put_mem(&f.stack, "a\"\nb", 4);
	put_u32(&f.stack, 0);
	put_u64(&f.stack, 2);
	put_u64(&f.stack, 3);
	put_u64(&f.stack, 4);
	for (u64 i = 0; i < 40; i++)
		put_u64(&f.stack, i % 2);
	put_u64(&f.stack, 0);
	put_u64(&f.stack, 0x99);
	CALL(&f, "ioctl", 0,
	     "ioctl(0, TIOCGWINSZ, {a=-3, b=ONE, c=\"a\\\"\\nb\", d={tv_sec=2, tv_nsec=3}, e=4, "
	     "g=[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, "
	     "0, 1, 0, 1, "
	     "0, 1, 0, 1, ...], h=[NULL, 0x99]}",
	     0, 0x5413, at);
	/* an enum of the kernel has more than the words that are known */
	CALL(&f, "bpf", 0, "bpf(BPF_NEWER, 0x10, 8", 1000, 0x10, 8);
	CALL(&f, "bpf", 0, "bpf(1001, 0x10, 8", 1001, 0x10, 8);
	CALL(&f, "ioctl", 0, "ioctl(0, TIOCSTI, 0x7ffd00000000", 0, 0x5412, at);
	fixture_fini(&f);
}

TEST(texts_numbers_and_addresses)
{
	struct fixture f;
	u64 at, iov, text;

	fixture_init(&f);
	text = here(&f);
	put_text(&f.stack, "/a\x1b[31m\n", 8);
	CALL(&f, "chdir", 0, "chdir(\"/a\\33[31m\\n\"", text);
	CALL(&f, "write", 4, "write(1, \"/a\\33[\", 4", 1, text, 4);
	CALL(&f, "write", 4, "write(1, 0x7ffd00000000, 18446744073709551615", 1, text, UINT64_MAX);
	at = here(&f);
	put_u64(&f.stack, 0x1000);
	put_u64(&f.stack, 0x1c000004);
	put_u64(&f.stack, 0x2000);
	put_u64(&f.stack, 2);
	CALL(&f, "rt_sigaction", 0,
	     "rt_sigaction(SIGUSR1, {sa_handler=0x1000, sa_mask=[INT], "
	     "sa_flags=SA_RESTORER|SA_ONSTACK|SA_RESTART|SA_SIGINFO, sa_restorer=0x2000}, NULL, 8",
	     10, at, 0, 8);
	CALL(&f, "sched_setscheduler", 0, "sched_setscheduler(0, SCHED_OTHER, [4096]", 0, 0, at);
	at = here(&f);
	put_u32(&f.stack, 17);
	put_u32(&f.stack, 0);
	put_u32(&f.stack, 1);
	put_u32(&f.stack, 0);
	put_u32(&f.stack, 77);
	put_u32(&f.stack, 5);
	put_u64(&f.stack, 3);
	put_u64(&f.stack, 8);
	put_u64(&f.stack, 9);
	CALL(&f, "waitid", 0,
	     "waitid(P_PID, 77, {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=77, si_uid=5, "
	     "si_status=3, si_utime=8, si_stime=9}, WEXITED, NULL",
	     1, 77, at, 4, 0);
	at = here(&f);
	put_u32(&f.stack, 3);
	put_u32(&f.stack, 4);
	CALL(&f, "pipe", 0, "pipe([3, 4]", at);
	CALL(&f, "wait4", 7, "wait4(-1, [{WIFSIGNALED(s) && WTERMSIG(s) == SIGQUIT}], 0, NULL",
	     UINT32_MAX, at, 0, 0);
	CALL(&f, "getsockopt", 0, "getsockopt(3, SOL_SOCKET, SO_ERROR, [ESRCH], [4]", 3, 1, 4, at,
	     at + 4);
	at = here(&f);
	put_u64(&f.stack, 1ull << 1 | 1ull << 31 | 1ull << 33);
	put_u64(&f.stack, ~(1ull << 8));
	CALL(&f, "rt_sigprocmask", 0, "rt_sigprocmask(SIG_SETMASK, ~[KILL], [INT RTMIN RT_2], 8", 2,
	     at + 8, at, 8);
	at = here(&f);
	put_u16(&f.stack, 2);
	put_u8(&f.stack, 0);
	put_u8(&f.stack, 80);
	put_u32(&f.stack, bytes_swapped(&f.stack) ? 0x7f000001 : 0x0100007f);
	put_u64(&f.stack, 0);
	CALL(&f, "connect", 0,
	     "connect(3, {sa_family=AF_INET, sin_port=htons(80), "
	     "sin_addr=inet_addr(\"127.0.0.1\")}, 16",
	     3, at, 16);
	at = here(&f);
	put_u16(&f.stack, 1);
	put_text(&f.stack, "/run/s", 14);
	CALL(&f, "bind", 0, "bind(3, {sa_family=AF_UNIX, sun_path=\"/run/s\"}, 16", 3, at, 16);
	iov = here(&f);
	put_u64(&f.stack, text);
	put_u64(&f.stack, 2);
	put_u64(&f.stack, 0x1000);
	put_u64(&f.stack, 5);
	CALL(&f, "writev", 7,
	     "writev(1, [{iov_base=\"/a\", iov_len=2}, {iov_base=0x1000, iov_len=5}], 2", 1, iov,
	     2);
	CALL(&f, "writev", -14, "writev(-1, 0x1, 2", UINT32_MAX, 1, 2);
	at = here(&f);
	put_u64(&f.stack, 0x70);
	CALL(&f, "select", 2, "select(8, NULL, [4 5 6], NULL, NULL (out [4 5 6])", 8, 0, at);
	fixture_fini(&f);
}

/* A new program's stack: argc, argv, environment, auxiliary vector. */
TEST(a_program_that_has_begun_says_its_arguments)
{
	struct fixture f;
	u64 strings = SP + 8 * 12;

	fixture_init(&f);
	put_u64(&f.stack, 2);
	put_u64(&f.stack, strings);
	put_u64(&f.stack, strings + 4);
	put_u64(&f.stack, 0);
	put_u64(&f.stack, strings); /* one variable */
	put_u64(&f.stack, 0);
	put_u64(&f.stack, 6);
	put_u64(&f.stack, 4096);
	put_u64(&f.stack, 31);
	put_u64(&f.stack, strings + 8);
	put_u64(&f.stack, 0);
	put_u64(&f.stack, 0);
	put_text(&f.stack, "app", 4);
	put_text(&f.stack, "-x", 4);
	put_text(&f.stack, "/bin/app", 4);
	CALL(&f, "execve", 0, "execve(\"/bin/app\", [\"app\", \"-x\"], 0x30 /* 1 var */", 0x10,
	     0x20, 0x30);
	fixture_fini(&f);
}

/* Pointers, counts and bytes of any value: text with limits, and no control characters. */
TEST(hostile_memory_has_limits)
{
	static const u64 special[] = { 0,          1,          8,
				       24,         4096,       INT32_MAX,
				       UINT32_MAX, UINT64_MAX, UINT64_MAX - 7,
				       SP,         SP + 4,     SP + 500 };
	struct fixture f;

	fixture_init(&f);
	put_fill(&f.stack, 0, 512);
	for (u64 k = 0; k < 20; k++) {
		struct dice d = dice_of("pointees", k);

		for (size_t i = 0; i < f.stack.n; i += 8) {
			u64 word = roll(&d, 3) ? special[roll(&d, ARRAY_SIZE(special))]
					       : SP + roll(&d, 512);

			set_u64(&f.stack, i, roll(&d, 8) ? word : roll(&d, UINT64_MAX));
		}
		for (size_t i = 0; i < nr_call_table; i++) {
			char name[64], *text;
			u64 args[MAX_CALL_ARGS];

			(void)snprintf(name, sizeof(name), "%.*s",
				       (int)strcspn(call_table[i], "= "), call_table[i]);
			for (u32 j = 0; j < MAX_CALL_ARGS; j++)
				args[j] = roll(&d, 2) ? SP + roll(&d, 512)
						      : special[roll(&d, ARRAY_SIZE(special))];
			text = text_of(&f, name, args, (s64)special[roll(&d, 8)]);
			CHECK(strlen(text) < 60000);
			for (const char *p = text; *p; p++)
				CHECK(*p >= ' ' && *p < 0x7f);
			free(text);
		}
	}
	fixture_fini(&f);
}
