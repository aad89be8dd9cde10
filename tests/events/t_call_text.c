/* SPDX-License-Identifier: MIT */
/* Arguments and results of system calls as text: plat trace, plat --as=trace. */
#include "events/calls/call_text.h"

#include "events/calls/call_table.h"
#include "tests/frame/unit.h"

static const char *comm_of(void *ctx, u32 tid)
{
	(void)ctx;
	return tid == 7 ? "app" : NULL;
}

static const struct call_namer namer = { comm_of, NULL };

static void check(const char *name, const u64 args[MAX_CALL_ARGS], const char *as_strace,
		  const char *as_perf)
{
	const struct call_shape shape = call_shape_find(name);
	struct call_values v = { .shape = &shape, .nr_args = MAX_CALL_ARGS };
	struct out o;

	memcpy(v.args, args, sizeof(v.args));
	for (int style = CALL_AS_STRACE; style <= CALL_AS_PERF; style++) {
		out_init_mem(&o);
		call_text_put(&v, (enum call_style)style, &namer, &o);
		out_char(&o, '\0');
		CHECK_STR(o.buf, style == CALL_AS_STRACE ? as_strace : as_perf);
		out_fini(&o);
	}
}

#define CALL(name, as_strace, as_perf, ...) \
	check(name, (const u64[MAX_CALL_ARGS]){ __VA_ARGS__ }, as_strace, as_perf)

TEST(flags_and_choices_have_words)
{
	CALL("openat", "openat(AT_FDCWD, 0x1000, O_WRONLY|O_CREAT|O_TRUNC, 0640",
	     "openat(dfd: CWD, filename: 0x1000, flags: CREAT|TRUNC|WRONLY, "
	     "mode: IRUSR|IWUSR|IRGRP",
	     0xffffff9c, 0x1000, 01101, 0640);
	CALL("mmap", "mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0",
	     "mmap(len: 4096, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS", 0, 4096, 3, 0x22,
	     UINT32_MAX, 0);
	CALL("lseek", "lseek(3, -5, SEEK_SET", "lseek(fd: 3, offset: -5, whence: SET", 3, (u64)-5,
	     0);
	CALL("socket", "socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, IPPROTO_TCP",
	     "socket(family: INET, type: STREAM|CLOEXEC, protocol: TCP", 2, 0x80001, 6);
	CALL("kill", "kill(7, SIGTERM", "kill(pid: 7 (app), sig: TERM", 7, 15);
	CALL("ioctl", "ioctl(0, TCGETS, 0x10", "ioctl(cmd: TCGETS, arg: 0x10", 0, 0x5401, 0x10);
	CALL("ioctl", "ioctl(1, _IOC(_IOC_READ, 0x12, 0x72, 0x8), 0x10",
	     "ioctl(fd: 1, cmd: (READ, 0x12, 0x72, 0x8), arg: 0x10", 1, 0x80081272, 0x10);
	CALL("clone",
	     "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, "
	     "child_tidptr=0x20",
	     "clone(clone_flags: CHILD_CLEARTID|CHILD_SETTID|SIGCHLD, child_tidptr: 0x20",
	     0x1200011, 0, 0, 0x20);
	CALL("clone",
	     "clone(child_stack=0x40, flags=CLONE_VM|CLONE_SETTLS|CLONE_PARENT_SETTID, "
	     "parent_tid=0x10, tls=0x30",
	     "clone(clone_flags: VM|SETTLS|PARENT_SETTID, newsp: 64, parent_tidptr: 0x10, "
	     "tls: 48",
	     0x180100, 0x40, 0x10, 0, 0x30);
	CALL("access", "access(0x10, F_OK", "access(filename: 0x10", 0x10, 0);
	CALL("access", "access(0x10, R_OK|X_OK", "access(filename: 0x10, mode: RX", 0x10, 5);
}

TEST(words_that_strace_has_otherwise)
{
	CALL("socket", "socket(AF_UNIX, SOCK_DGRAM, 0", "socket(family: LOCAL, type: DGRAM", 1, 2);
	CALL("socket", "socket(AF_INET6, SOCK_DGRAM, IPPROTO_IP",
	     "socket(family: INET6, type: DGRAM", 10, 2);
	CALL("epoll_create1", "epoll_create1(EPOLL_CLOEXEC", "epoll_create1(flags: 524288",
	     0x80000);
	CALL("pipe2", "pipe2(0x10, O_NONBLOCK|O_CLOEXEC",
	     "pipe2(fildes: 0x10, flags: CLOEXEC|NONBLOCK", 0x10, 0x80800);
	CALL("pipe2", "pipe2(0x10, 0", "pipe2(fildes: 0x10", 0x10, 0);
	CALL("rseq", "rseq(0x10, 0x20, 0, 0x53053053",
	     "rseq(rseq: 0x10, rseq_len: 32, sig: 1392848979", 0x10, 32, 0, 0x53053053);
	CALL("setsockopt", "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 0x10, 4",
	     "setsockopt(fd: 3, level: 1, optname: 2, optval: 0x10, optlen: 4", 3, 1, 2, 0x10, 4);
	CALL("setsockopt", "setsockopt(3, SOL_TCP, 99, 0x10, 4",
	     "setsockopt(fd: 3, level: 6, optname: 99, optval: 0x10, optlen: 4", 3, 6, 99, 0x10, 4);
	CALL("ioctl", "ioctl(3, FIOCLEX", "ioctl(fd: 3, cmd: FIOCLEX", 3, 0x5451, 0);
	CALL("futex", "futex(0x10, FUTEX_WAIT_PRIVATE|FUTEX_CLOCK_REALTIME|0x200, 1, NULL",
	     "futex(uaddr: 0x10, op: WAIT|PRIVATE_FLAG|CLOCK_REALTIME|0x200, val: 1", 0x10, 0x380,
	     1, 0);
	CALL("mremap", "mremap(0x10, 1, 2, MREMAP_MAYMOVE",
	     "mremap(addr: 0x10, old_len: 1, new_len: 2, flags: MAYMOVE", 0x10, 1, 2, 1, 0);
	CALL("statx", "statx(3, 0x10, AT_STATX_DONT_SYNC|AT_EMPTY_PATH, STATX_MODE, 0x20",
	     "statx(dfd: 3, filename: 0x10, flags: EMPTY_PATH|STATX_DONT_SYNC, mask: MODE, "
	     "buffer: 0x20",
	     3, 0x10, 0x5000, 2, 0x20);
}

TEST(what_has_no_word_is_a_number)
{
	CALL("mprotect", "mprotect(0x1000, 1, PROT_READ|0x100",
	     "mprotect(start: 0x1000, len: 1, prot: READ|0x100", 0x1000, 1, 0x101);
	CALL("madvise", "madvise(0x1000, 1, 77", "madvise(start: 0x1000, len_in: 1, behavior: 77",
	     0x1000, 1, 77);
	CALL("kill", "kill(9, SIGRT_8", "kill(pid: 9, sig: 0x28", 9, 40);
	CALL("open", "open(0x10, O_RDWR|0x10000000", "open(filename: 0x10, flags: RDWR|0x10000000",
	     0x10, 0x10000002);
	CALL("no_such_call", "no_such_call(0x1, 0x2, 0x0, 0x0, 0x0, 0x0",
	     "no_such_call(0x1, 0x2, 0x0, 0x0, 0x0, 0x0", 1, 2);
}

TEST(arguments_that_a_call_does_not_read)
{
	CALL("openat", "openat(3, 0x10, O_RDONLY", "openat(dfd: 3, filename: 0x10", 3, 0x10, 0,
	     0777);
	CALL("futex", "futex(0x10, FUTEX_WAKE_PRIVATE, 1",
	     "futex(uaddr: 0x10, op: WAKE|PRIVATE_FLAG, val: 1", 0x10, 129, 1, 9, 9, 9);
	CALL("futex", "futex(0x10, FUTEX_WAIT_BITSET_PRIVATE, 1, NULL, 0x5",
	     "futex(uaddr: 0x10, op: WAIT_BITSET|PRIVATE_FLAG, val: 1, val3: 0x5", 0x10, 137, 1, 0,
	     9, 5);
	CALL("fcntl", "fcntl(3, F_GETFL", "fcntl(fd: 3, cmd: GETFL", 3, 3, 9);
	CALL("fcntl", "fcntl(3, F_SETFL, O_RDONLY|O_NONBLOCK",
	     "fcntl(fd: 3, cmd: SETFL, arg: RDONLY|NONBLOCK", 3, 4, 0x800);
}

static void check_result(const char *name, s64 result, const char *as_strace, const char *as_perf)
{
	const struct call_shape shape = call_shape_find(name);
	struct out o;

	for (int style = CALL_AS_STRACE; style <= CALL_AS_PERF; style++) {
		out_init_mem(&o);
		call_text_put_result(&shape, NULL, result, (enum call_style)style, &namer, &o);
		out_char(&o, '\0');
		CHECK_STR(o.buf, style == CALL_AS_STRACE ? as_strace : as_perf);
		out_fini(&o);
	}
}

TEST(results_and_errors)
{
	check_result("read", 12, "12", "12");
	check_result("brk", 0x5000, "0x5000", "0x5000");
	check_result("wait4", 7, "7", "7 (app)");
	check_result("poll", 0, "0 (Timeout)", "0 (Timeout)");
	check_result("read", -2, "-1 ENOENT (No such file or directory)",
		     "-1 ENOENT (No such file or directory)");
	check_result("read", -4000, "-1 (unknown) (unknown error)", "-1 (unknown) (unknown error)");
	check_result("read", -512, "? ERESTARTSYS (To be restarted if SA_RESTART is set)",
		     "-1 ERESTARTSYS (To be restarted if SA_RESTART is set)");
	check_result("lseek", -5000, "-5000", "-5000");
}

TEST(texts_that_the_recording_has)
{
	const struct call_shape shape = call_shape_find("unlink");
	struct call_values v = { .shape = &shape,
				 .nr_args = 1,
				 .texts = { span_of("a \"b\"\n\x1b", 7) } };
	struct out o;

	out_init_mem(&o);
	call_text_put(&v, CALL_AS_STRACE, &namer, &o);
	out_char(&o, '\0');
	CHECK_STR(o.buf, "unlink(\"a \\\"b\\\"\\n\\33\"");
	out_fini(&o);
}

TEST(the_table_is_in_order_and_each_argument_is_known)
{
	for (size_t i = 0; i < nr_call_table; i++) {
		char name[40] = "";
		struct call_shape s;

		memcpy(name, call_table[i], strcspn(call_table[i], "= "));
		s = call_shape_find(name);
		CHECK(s.is_known);
		for (u32 a = 0; a < s.nr_args; a++)
			CHECK(s.args[a].kind != ARG_UNKNOWN && s.args[a].name.n);
	}
}
