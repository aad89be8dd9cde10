/* SPDX-License-Identifier: MIT */
/* Probes of functions of this program and of C++ and Rust programs, counted by the kernel. */
#include "record/probe/uprobe_event.h"

#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/unit.h"
#include "tests/record/probe/use_uprobe_event.h"

int t_uprobe_probed(int x);

__attribute__((noinline)) int t_uprobe_probed(int x)
{
	__asm__ volatile("" ::: "memory");
	return x + 1;
}

static int open_event(const struct rec_event *ev, pid_t pid)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = ev->attr.type,
		.config = ev->attr.config,
		.config1 = (u64)(uintptr_t)ev->uprobe_path,
		.config2 = ev->attr.config2,
		.sample_period = ev->attr.sample_period_or_freq,
		.inherit = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static u64 read_count(int fd)
{
	u64 n = 0;

	CHECK_EQ(read(fd, &n, sizeof(n)), sizeof(n));
	close(fd);
	return n;
}

static void kernel_init(struct bench *b)
{
	bench_init(b, false);
	b->o.host.sysfs = "/sys";
	if (access("/sys/" PMU "/type", R_OK))
		SKIP("this kernel has no uprobe PMU");
}

static int open_or_skip(const struct rec_event *ev, pid_t pid)
{
	int fd = open_event(ev, pid);

	if (fd == -EACCES || fd == -EPERM)
		SKIP("probes may not be opened here");
	CHECK(fd >= 0);
	return fd;
}

static int add_own(struct bench *b, bool is_return)
{
	return uprobe_event_add(&b->l, &b->o, "/proc/self/exe", "t_uprobe_probed", is_return,
				b->help, sizeof(b->help), &b->e);
}

TEST(kernel_counts_calls_and_returns)
{
	struct bench b;
	int fds[2];

	kernel_init(&b);
	CHECK_EQ(add_own(&b, false), 0);
	CHECK_EQ(add_own(&b, true), 0);
	for (int i = 0; i < 2; i++)
		fds[i] = open_or_skip(b.l.events[i], 0);
	for (int i = 0; i < 7; i++)
		t_uprobe_probed(i);
	CHECK_EQ(read_count(fds[0]), 7);
	CHECK_EQ(read_count(fds[1]), 7);
	bench_fini(&b);
}

/* Everything that users made in tracefs, NULL where it cannot be read. */
static char *read_uprobe_events(void)
{
	FILE *f = fopen("/sys/kernel/tracing/uprobe_events", "re");
	char *text;
	size_t n;

	if (!f)
		return NULL;
	text = xcalloc(1, 1 << 16);
	n = fread(text, 1, (1 << 16) - 1, f);
	text[n] = 0;
	fclose(f);
	return text;
}

TEST(nothing_stays_behind_after_kill)
{
	struct bench b;
	char *before, *during, *after;
	int ready[2], status, fd;
	pid_t pid;
	char c;

	kernel_init(&b);
	before = read_uprobe_events();
	if (!before)
		SKIP("uprobe_events cannot be read");
	CHECK_EQ(add_own(&b, false), 0);
	fd = open_or_skip(b.l.events[0], 0);
	close(fd);
	CHECK_EQ(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		if (open_event(b.l.events[0], 0) < 0)
			_exit(1);
		t_uprobe_probed(1);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	CHECK_EQ(read(ready[0], &c, 1), 1);
	during = read_uprobe_events();
	kill(pid, SIGKILL);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status));
	after = read_uprobe_events();
	CHECK_STR(during, before);
	CHECK_STR(after, before);
	close(ready[0]);
	free(before);
	free(during);
	free(after);
	bench_fini(&b);
}

TEST(kernel_takes_libraries_by_name)
{
	struct bench b;
	int fd;

	kernel_init(&b);
	if (uprobe_event_add(&b.l, &b.o, "libc.so.6", "getenv", false, b.help, sizeof(b.help),
			     &b.e))
		SKIP("no libc.so.6 here: %s", b.e.text);
	CHECK_STR(b.l.events[0]->name, "uprobe:libc.so.6:getenv");
	fd = open_or_skip(b.l.events[0], 0);
	for (int i = 0; i < 3; i++)
		CHECK(!getenv("T_UPROBE_EVENT_UNSET"));
	CHECK_EQ(read_count(fd), 3);
	bench_fini(&b);
}

static const char cxx_source[] =
	"namespace ns { struct Foo { int v;\n"
	"__attribute__((noinline)) int bar(int x) { asm volatile(\"\"); return v += x; }\n"
	"__attribute__((noinline)) int bar(char const *s, int n)\n"
	"	{ asm volatile(\"\"); return v += *s + n; } };\n"
	"template<class T> __attribute__((noinline)) T twice(T a)\n"
	"	{ asm volatile(\"\"); return a + a; } }\n"
	"int main() { ns::Foo f{1}; int s = 0;\n"
	"for (int i = 0; i < 10; i++) { s += f.bar(i); if (i & 1) s += f.bar(\"abc\", i);\n"
	"s += ns::twice<int>(i); } s += (int)ns::twice<double>(s); return s == 0; }\n";

static const char rust_source[] = "mod m { pub struct T { pub a: u64 }\n"
				  "pub trait Go { fn go(&self, x: u64) -> u64; }\n"
				  "impl Go for T { #[inline(never)] fn go(&self, x: u64) -> u64\n"
				  "	{ std::hint::black_box(self.a ^ x) } }\n"
				  "impl T { #[inline(never)] pub fn method(&mut self, x: u64)\n"
				  "	{ self.a = std::hint::black_box(self.a + x); } } }\n"
				  "use m::Go;\n"
				  "fn main() { let mut t = m::T { a: 1 };\n"
				  "for i in 0..6u64 { t.method(i); if i > 1 { t.go(i); } } }\n";

/* Builds source with the compiler's command line, or skips. */
static void build(struct bench *b, const char *name, const char *source, const char *command)
{
	char *line = xasprintf("cd %s && %s > log 2>&1", b->root, command);

	bench_put_file(b->root, name, source, strlen(source));
	if (system(line))
		SKIP("no compiler for %s", name);
	free(line);
}

/* Runs the program under the probes; checks every probe's count. */
static void check_counts(struct bench *b, const char *func, bool is_return, size_t nr,
			 const u64 *want)
{
	int fds[8], go[2], status;
	pid_t pid;

	evlist_fini(&b->l);
	if (bench_add(b, func, is_return))
		unit_fail(__FILE__, __LINE__, "%s: %s", func, b->e.text);
	CHECK_EQ(b->l.nr, nr);
	CHECK_EQ(pipe(go), 0);
	pid = fork();
	if (!pid) {
		char c;

		close(go[1]);
		if (read(go[0], &c, 1) == 0)
			execl(b->file, b->file, (char *)NULL);
		_exit(127);
	}
	close(go[0]);
	for (size_t i = 0; i < nr; i++)
		fds[i] = open_or_skip(b->l.events[i], pid);
	close(go[1]);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	for (size_t i = 0; i < nr; i++)
		CHECK_EQ(read_count(fds[i]), want[i]);
}

TEST(kernel_counts_cxx)
{
	struct bench b;

	kernel_init(&b);
	build(&b, "app.cc", cxx_source, "c++ -O1 -o app app.cc");
	check_counts(&b, "ns::Foo::bar", false, 2, (u64[]){ 10, 5 });
	check_counts(&b, "ns::Foo::bar(char const*, int)", false, 1, (u64[]){ 5 });
	check_counts(&b, "_ZN2ns3Foo3barEi", true, 1, (u64[]){ 10 });
	check_counts(&b, "ns::twice<int>", false, 1, (u64[]){ 10 });
	check_counts(&b, "ns::twi*", true, 2, (u64[]){ 10, 1 });
	bench_fini(&b);
}

TEST(kernel_counts_rust)
{
	struct bench b;

	kernel_init(&b);
	build(&b, "app.rs", rust_source, "rustc -O -C symbol-mangling-version=v0 -o app app.rs");
	check_counts(&b, "app::m::T::method", false, 1, (u64[]){ 6 });
	check_counts(&b, "<app::m::T as app::m::Go>::go", true, 1, (u64[]){ 4 });
	check_counts(&b, "app::main", false, 1, (u64[]){ 1 });
	bench_fini(&b);
}
