/* SPDX-License-Identifier: MIT */
/*
 * Walks through code instruction by instruction (the trap flag) and writes what unwind/ would be
 * given at each - registers and the stack's bytes - together with what the C library's own
 * backtrace() says there. tests/unwind/t_unwind_truth.c compares. Each address is written once.
 *
 *	unwind_truth OUT
 *	unwind_truth -loop N	the same code N times without steps, to be recorded
 *
 * OUT, in this machine's byte order: u64 words
 *	"map" records:	1, start, end, offset, length of the path, the path padded to 8
 *	"stack" ones:	2, scenario, sp, bytes of stack, nr of addresses, architecture (enum
 *			unwind_arch), nr of registers, these by DWARF number (the last is the pc),
 *			addresses, stack padded to 8
 *
 * Where there is no trap flag (aarch64), a timer interrupts instead.
 */
#include <alloca.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

typedef uint64_t u64;

#define NOINLINE __attribute__((noinline, noclone))
/* Whose stack pointer moves without a row that says so, where the flag is set. */
#define WITH_FRAME_POINTER __attribute__((optimize("no-omit-frame-pointer")))
#define MAX_OUT (192u << 20)
#define MAX_SEEN (1u << 18)
#define MAX_ADDRS 128

static unsigned char *out;
static size_t nr_out;
static u64 *seen;
static size_t nr_seen;
static volatile uintptr_t stack_top;
static uintptr_t unwinder_start, unwinder_end; /* of libgcc_s.so's code */
static u64 scenario;
static sigjmp_buf lost;
static volatile sig_atomic_t may_be_lost, nr_lost;
volatile int sink;

static void put(u64 v)
{
	if (nr_out + 8 <= MAX_OUT)
		memcpy(out + nr_out, &v, 8);
	nr_out += 8;
}

static void put_bytes(const void *p, size_t n)
{
	size_t whole = (n + 7) / 8 * 8;

	if (nr_out + whole <= MAX_OUT)
		memcpy(out + nr_out, p, n);
	nr_out += whole;
}

static bool is_new(u64 pc)
{
	u64 key = pc * 16 + scenario;
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15ull >> 46) % MAX_SEEN;

	while (seen[i] && seen[i] != key)
		i = (i + 1) % MAX_SEEN;
	if (seen[i] || nr_seen > MAX_SEEN / 2)
		return false;
	seen[i] = key;
	nr_seen++;
	return true;
}

/* backtrace() itself goes astray in a few places of hand-written assembly. */
static void on_segv(int)
{
	if (!may_be_lost)
		_exit(4);
	nr_lost++;
	siglongjmp(lost, 1);
}

#if defined(__x86_64__)
#define ARCH 0
#define NR_REGS 17
#define SP_REG 7
#elif defined(__i386__)
#define ARCH 1
#define NR_REGS 9
#define SP_REG 4
#else
#define ARCH 2
#define NR_REGS 33
#define SP_REG 31
#endif

static void get_regs(const ucontext_t *ctx, u64 *r)
{
#if defined(__aarch64__)
	for (int i = 0; i < 31; i++)
		r[i] = ctx->uc_mcontext.regs[i];
	r[31] = ctx->uc_mcontext.sp;
	r[32] = ctx->uc_mcontext.pc;
#else
#if defined(__x86_64__)
	static const int order[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				     REG_RBP, REG_RSP, REG_R8,  REG_R9,	 REG_R10, REG_R11,
				     REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
#else
	static const int order[] = { REG_EAX, REG_ECX, REG_EDX, REG_EBX, REG_ESP,
				     REG_EBP, REG_ESI, REG_EDI, REG_EIP };
#endif
	for (int i = 0; i < NR_REGS; i++)
		r[i] = (u64)(uintptr_t)ctx->uc_mcontext.gregs[order[i]];
#endif
}

static void on_trap(int, siginfo_t *, void *ctx)
{
	u64 r[NR_REGS];
	uintptr_t sp, pc, top = stack_top;
	void *addrs[MAX_ADDRS];
	int nr, first = 0;

	get_regs((const ucontext_t *)ctx, r);
	sp = (uintptr_t)r[SP_REG];
	pc = (uintptr_t)r[NR_REGS - 1];
	/* backtrace() does not survive where its own library changes stacks to land in a handler. */
	if (pc - unwinder_start < unwinder_end - unwinder_start)
		return;
	if (!is_new(pc))
		return;
	may_be_lost = 1;
	nr = sigsetjmp(lost, 1) ? 0 : backtrace(addrs, MAX_ADDRS);
	may_be_lost = 0;
	while (first < nr && addrs[first] != (void *)pc)
		first++;
	if (first == nr || nr == MAX_ADDRS || sp > top || top - sp > 60000)
		return;
	put(2);
	put(scenario);
	put(sp);
	put(top - sp);
	put((u64)(nr - first));
	put(ARCH);
	put(NR_REGS);
	for (u64 v : r)
		put(v);
	for (int i = first; i < nr; i++)
		put((u64)(uintptr_t)addrs[i]);
	put_bytes((void *)sp, top - sp);
}

static bool stepping = true;

#if defined(__x86_64__)
#define TRAP_FLAG_ON() \
	__asm__ volatile("pushfq; orq $0x100,(%%rsp); popfq" ::: "memory", "cc")
#define STEPS_OFF() __asm__ volatile("pushfq; andq $~0x100,(%%rsp); popfq" ::: "memory", "cc")
#elif defined(__i386__)
#define TRAP_FLAG_ON() \
	__asm__ volatile("pushfl; orl $0x100,(%%esp); popfl" ::: "memory", "cc")
#define STEPS_OFF() __asm__ volatile("pushfl; andl $~0x100,(%%esp); popfl" ::: "memory", "cc")
#else
#define TRAP_FLAG_ON() (void)0
#define STEPS_OFF() (void)0
#endif
#define STEPS_ON()                      \
	do {                            \
		if (stepping)           \
			TRAP_FLAG_ON(); \
	} while (0)

/* 1: plain calls, with registers saved and many arguments */
NOINLINE static int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %d %d %d", a + e, b + f, c + g, d + h);
	return (int)strlen(text);
}

NOINLINE static int recursive(int n)
{
	int v = many(n, 2, 3, 4, 5, 6, 7, n);

	return n ? v + recursive(n - 1) : v;
}

/* 2: frames of unknown size */
NOINLINE static int with_alloca(size_t n)
{
	char *p = (char *)alloca(n);

	memset(p, 1, n);
	sink += p[n - 1];
	return recursive(1) + p[0];
}

/* 3: frames that are aligned anew, with and without both of the above */
NOINLINE static int realigned(int n)
{
	alignas(64) volatile char big[128];

	big[n] = 1;
	return many(n, 1, 1, 1, 1, 1, 1, (int)big[n]);
}

NOINLINE static int realigned_alloca(int a, int b, int c, int d, int e, int f, int g, size_t n)
{
	alignas(128) volatile char big[256];
	char *p = (char *)alloca(n + (size_t)a);

	memset(p, 2, n);
	big[n] = p[0];
	return realigned(b) + many(a, b, c, d, e, f, g, big[n]);
}

/* 4: exceptions, through frames that clean up */
struct cleans_up {
	int v;
	~cleans_up()
	{
		sink += v;
	}
};

NOINLINE static int throws(int n)
{
	cleans_up c{ n };

	if (!n)
		throw n;
	return throws(n - 1) + 1;
}

[[maybe_unused]] NOINLINE static int catches()
{
	try {
		return throws(3);
	} catch (int v) {
		return v;
	}
}

/* 5: signal handlers, 6: on a stack of their own */
WITH_FRAME_POINTER static void on_usr1(int)
{
	/* The kernel clears the flag for a handler and restores it after. */
	STEPS_ON();
	sink += recursive(1) + realigned(4);
	STEPS_OFF();
}

NOINLINE static int signals(int n)
{
	raise(SIGUSR1);
	return n + sink;
}

/* 7: vfork: the child runs on this very stack */
[[maybe_unused]] NOINLINE static int vforks()
{
	pid_t pid = vfork();
	int status = 0;

	if (!pid)
		_exit(3);
	waitpid(pid, &status, 0);
	return status;
}

/* 8: a thread's first frames */
WITH_FRAME_POINTER static void *in_thread(void *arg)
{
	pthread_attr_t attr;
	void *low;
	size_t size;
	uintptr_t before = stack_top;

	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &low, &size);
	pthread_attr_destroy(&attr);
	stack_top = (uintptr_t)low + size;
	STEPS_ON();
	sink += recursive(2) + realigned(3);
	STEPS_OFF();
	stack_top = before;
	return arg;
}

/* 9: the C library: callbacks through it, and its hand-written assembly */
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

NOINLINE static int library()
{
	int v[40];
	char text[600];

	for (int i = 0; i < 40; i++)
		v[i] = (i * 37) % 41;
	qsort(v, 40, sizeof(v[0]), compare);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	memmove(text + 1, text, 500);
	return (int)strlen(text) + v[3] + (int)strtod("1.25e3", NULL) +
	       (strchr(text, 'y') != NULL) + atoi(text);
}

/* 10: functions that are first called here: the dynamic loader's resolver */
NOINLINE static int lazily()
{
	char text[] = "a b c";
	char *save = NULL;

	return (int)(strtoul("12", NULL, 10) + strspn(text, "ab ") +
		     (strtok_r(text, " ", &save) ? 1 : 0) + labs(-3) + (size_t)(ffs(8)) +
		     (strpbrk(text, "c") != NULL) + strcspn(text, "z"));
}

static int find_unwinder(struct dl_phdr_info *info, size_t, void *)
{
	if (!strstr(info->dlpi_name, "libgcc_s"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
			unwinder_start = info->dlpi_addr + p->p_vaddr;
			unwinder_end = unwinder_start + p->p_memsz;
		}
	}
	return 1;
}

/* The vDSO is in no file: its bytes go to one beside OUT. */
static void save_vdso(const char *out_path, unsigned long start, unsigned long end, char *path,
		      size_t n)
{
	char whole[PATH_MAX], *full;
	FILE *f;

	snprintf(whole, sizeof(whole), "%s.vdso", out_path);
	f = fopen(whole, "wbe");
	if (!f)
		return;
	fwrite((const void *)start, 1, end - start, f);
	fclose(f);
	full = realpath(whole, NULL);
	if (full)
		snprintf(path, n, "%s", full);
	free(full);
}

static void write_maps(const char *out_path)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[4096], perms[8], path[2048];
	unsigned long start, end, off;

	while (f && fgets(line, sizeof(line), f)) {
		path[0] = 0;
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %2047s", &start, &end, perms, &off,
			   path) < 4 ||
		    perms[2] != 'x')
			continue;
		if (!strcmp(path, "[vdso]"))
			save_vdso(out_path, start, end, path, sizeof(path));
		put(1);
		put(start);
		put(end);
		put(off);
		put(strlen(path));
		put_bytes(path, strlen(path));
	}
	if (f)
		fclose(f);
}

NOINLINE WITH_FRAME_POINTER static void all()
{
	static unsigned char other[65536];
	struct sigaction sa = {};
	stack_t alt = {}, none = {};
	pthread_t thread;

#define RUN(n, what)                \
	do {                        \
		scenario = (n);     \
		STEPS_ON();         \
		sink += (what);     \
		STEPS_OFF();        \
	} while (0)
	RUN(10, lazily());
	RUN(1, recursive(3));
	RUN(2, with_alloca(100 + (size_t)getpid() % 7));
	RUN(3, realigned(5) + realigned_alloca(1, 2, 3, 4, 5, 6, 7, 40));
#if !defined(__aarch64__) /* a timer does not keep out of the C library's unwinder */
	if (unwinder_end)
		RUN(4, catches());
#endif
	sa.sa_handler = on_usr1;
	sigaction(SIGUSR1, &sa, NULL);
	RUN(5, signals(1));
	alt.ss_sp = other;
	alt.ss_size = sizeof(other);
	sigaltstack(&alt, NULL);
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &sa, NULL);
	{
		uintptr_t before = stack_top;

		/* Of what runs on the other stack, only that stack is written. */
		stack_top = (uintptr_t)other + sizeof(other);
		RUN(6, signals(2));
		stack_top = before;
	}
	none.ss_flags = SS_DISABLE;
	sigaltstack(&none, NULL);
#if !defined(__aarch64__)
	RUN(7, vforks());
#endif
	scenario = 8;
	if (!pthread_create(&thread, NULL, in_thread, NULL))
		pthread_join(thread, NULL);
	RUN(9, library());
}

int main(int argc, char **argv)
{
	struct sigaction sa = {};
	void *warm[4];
	FILE *f;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "-loop") && argc > 2) {
		stepping = false;
		unwinder_end = 1;
		for (int n = atoi(argv[2]); n > 0; n--)
			all();
		return 0;
	}
	out = (unsigned char *)malloc(MAX_OUT);
	seen = (u64 *)calloc(MAX_SEEN, sizeof(*seen));
	backtrace(warm, 4);
	dl_iterate_phdr(find_unwinder, NULL);
	stack_top = ((uintptr_t)__builtin_frame_address(0) + 1024) & ~(uintptr_t)7;
	if (stack_top > (uintptr_t)argv[0])
		stack_top = (uintptr_t)argv[0] & ~(uintptr_t)7;
	sa.sa_handler = on_segv;
	sa.sa_flags = SA_NODEFER;
	sigaction(SIGSEGV, &sa, NULL);
	sa.sa_sigaction = on_trap;
	sa.sa_flags = SA_SIGINFO;
#if defined(__aarch64__)
	{
		struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = {};

		sa.sa_flags |= SA_RESTART;
		sigaction(SIGALRM, &sa, NULL);
		setitimer(ITIMER_REAL, &often, NULL);
		for (int i = 0; i < 600; i++)
			all();
		setitimer(ITIMER_REAL, &never, NULL);
	}
#else
	sigaction(SIGTRAP, &sa, NULL);
	all();
#endif
	write_maps(argv[1]);
	f = fopen(argv[1], "wbe");
	if (!f || nr_out > MAX_OUT || fwrite(out, 1, nr_out, f) != nr_out || fclose(f))
		return 1;
	return 0;
}
