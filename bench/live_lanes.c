/* SPDX-License-Identifier: MIT */
/*
 * What --threads --call-graph unwind takes: one thread walks the rings of all CPUs in the order of
 * time, others unwind the samples. Rings in memory are filled with copies of a stack of 34 frames;
 * the time to fill them is not counted.
 *
 *	build/gcc/bench/live_lanes [RINGS [LANES [ROUNDS]]]
 *
 * RINGS: 64. LANES: a list such as 1,2,4,8: how many threads unwind. Prints samples per second, the
 * CPU time of the walk and of unwinding for each sample, and where it ends: samples per second of
 * the one thread that walks, and how many others it keeps busy. On fewer CPUs than threads, only
 * the CPU times and the end mean something.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/option.h"
#include "fileformat/record.h"
#include "fileformat/write/record_encode.h"
#include "record/live/live_chains.h"
#include "record/ring/ring_merge.h"
#include "tests/record/readers/fake_rings.h"

#define RING_BYTES (1u << 20)
#define STACK_BYTES 8192u
#define NR_REGS 20u
#define TIME_AT 24u
#define DEPTH 34u

struct sample {
	u32 type;
	u16 misc, size;
	u64 ip;
	u32 pid, tid;
	u64 time, nr_chain;
	u64 abi, regs[NR_REGS];
	u64 stack_size;
	u8 stack[STACK_BYTES];
	u64 dyn_size;
};
_Static_assert(offsetof(struct sample, time) == TIME_AT, "layout of a sample");

static u64 cpu_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* --- one sample of this process --------------------------------------------------------------- */

/* perf's order of registers: ax bx cx dx si di bp sp ip flags cs ss, r8 to r15. */
static void take_sample(struct sample *s)
{
#if defined(__x86_64__)
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
				     REG_RSP, REG_RIP, REG_EFL, -1,      -1,      REG_R8,  REG_R9,
				     REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	ucontext_t u;

	getcontext(&u);
	for (size_t i = 0; i < NR_REGS; i++)
		s->regs[i] = order[i] < 0 ? 0 : (u64)u.uc_mcontext.gregs[order[i]];
	s->ip = s->regs[8];
	memcpy(s->stack, (const void *)(uintptr_t)s->regs[7], STACK_BYTES);
#else
	(void)s;
#endif
}

static __attribute__((noinline)) unsigned int descend(struct sample *s, unsigned int depth)
{
	volatile unsigned int here = depth;

	if (depth)
		return descend(s, depth - 1) + here;
	take_sample(s);
	return here;
}

static void make_sample(struct sample *s)
{
	*s = (struct sample){ .type = PD_RECORD_SAMPLE,
			      .misc = PD_CPUMODE_USER,
			      .size = sizeof(*s),
			      .pid = (u32)getpid(),
			      .tid = (u32)getpid(),
			      .abi = 2,
			      .stack_size = STACK_BYTES,
			      .dyn_size = STACK_BYTES };
	descend(s, DEPTH);
}

static void tell_maps(struct live_chains *l)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[4400], name[4096];
	struct wbuf b = { 0 };

	while (f && fgets(line, sizeof(line), f)) {
		struct pd_mmap m = { .is_mmap2 = true, .pid = (u32)getpid(), .tid = (u32)getpid() };
		unsigned long long start, end, off, ino;
		unsigned int maj, min;
		char exec;

		if (sscanf(line, "%llx-%llx %*c%*c%c%*c %llx %x:%x %llu %4095s", &start, &end,
			   &exec, &off, &maj, &min, &ino, name) != 8 ||
		    exec != 'x')
			continue;
		m.start = start;
		m.len = end - start;
		m.pgoff = off;
		m.ino = ino;
		m.maj = maj;
		m.min = min;
		m.prot = PROT_READ | PROT_EXEC;
		m.filename = span_of(name, strlen(name));
		b.n = 0;
		pd_put_mmap(&b, &m, PD_CPUMODE_USER, 0);
		live_chains_apply(l, b.p, (u32)b.n);
	}
	if (f)
		fclose(f);
	wb_fini(&b);
}

/* --- rings ------------------------------------------------------------------------------------ */

static void fill_ring(struct rec_ring *r, struct sample *s, u64 *time)
{
	struct perf_event_mmap_page *control = r->map;
	u8 *data = (u8 *)r->map + sysconf(_SC_PAGESIZE);
	u64 head = control->data_head;

	while (head + sizeof(*s) - control->data_tail <= r->data_bytes) {
		size_t at = head & (r->data_bytes - 1), first = r->data_bytes - at;

		s->time = *time += 1000;
		first = first < sizeof(*s) ? first : sizeof(*s);
		memcpy(data + at, s, first);
		memcpy(data, (const u8 *)s + first, sizeof(*s) - first);
		head += sizeof(*s);
	}
	__atomic_store_n(&control->data_head, head, __ATOMIC_RELEASE);
}

struct work {
	struct live_chains *live;
	struct ring_merge merge;
	struct wbuf *out; /* by lane */
	size_t nr_rings, nr_lanes;
	u64 samples, bytes;
};

static void no_note(void *ctx, const struct ring_view *v, u64 time)
{
	(void)ctx, (void)v, (void)time;
}

static void flush(struct work *w)
{
	live_chains_flush(w->live);
	ring_merge_consume(&w->merge);
	for (size_t i = 0; i < w->nr_lanes; i++) {
		w->bytes += w->out[i].n;
		w->out[i].n = 0;
	}
}

/* As recorder_live.c does it. */
static void sweep(struct work *w)
{
	struct ring_view v;
	struct perr e;
	u64 time;

	if (ring_merge_begin(&w->merge, no_note, NULL, &e))
		BUG();
	live_chains_notes_end(w->live);
	while (ring_merge_next(&w->merge, &v, &time, &e) == 1) {
		size_t lane = w->merge.last_ring * w->nr_lanes / w->nr_rings;
		const u8 *p = v.p;

		if (v.n < v.size) {
			u8 *whole = live_chains_room(w->live, v.size);

			ring_view_copy(&v, 0, v.size, whole);
			p = whole;
		}
		live_chains_set_lane(w->live, lane);
		if (live_chains_put(w->live, 0, p, v.size, time, &w->out[lane], &e))
			BUG();
		w->samples++;
		if (ring_merge_is_full(&w->merge))
			flush(w);
	}
	flush(w);
	live_chains_end_sweep(w->live);
}

static void run(size_t nr_rings, size_t nr_lanes, u64 rounds, struct sample *s)
{
	struct pd_attr attr = { .type = PD_TYPE_SOFTWARE, .size = 136 };
	struct work w = { .nr_rings = nr_rings, .nr_lanes = nr_lanes };
	u64 wall = 0, walk = 0, all = 0, time = 0;
	struct chainer_counts n;
	struct fake_rings f;
	struct perr e;

	attr.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_CALLCHAIN |
			   PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
	attr.sample_regs_user = 0xff0fff;
	attr.sample_stack_user = STACK_BYTES;
	fake_rings_init(&f, nr_rings, RING_BYTES);
	w.live = live_chains_new("/proc", false, NULL);
	live_chains_add_event(w.live, &attr);
	tell_maps(w.live);
	if (live_chains_add_threads(w.live, nr_lanes, NULL, NULL, &e))
		BUG();
	w.out = xcalloc(nr_lanes, sizeof(*w.out));
	ring_merge_init(&w.merge, &f.rings, (struct ring_times){ TIME_AT, 8 });
	/* the first round opens files and fills caches */
	for (u64 i = 0; i <= rounds; i++) {
		u64 wall0, walk0, all0;

		for (size_t k = 0; k < nr_rings; k++)
			fill_ring(&f.rings.rings[k], s, &time);
		if (i == 1)
			w.samples = w.bytes = wall = walk = all = 0;
		wall0 = now_ns();
		walk0 = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
		all0 = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
		sweep(&w);
		wall += now_ns() - wall0;
		walk += cpu_ns(CLOCK_THREAD_CPUTIME_ID) - walk0;
		all += cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - all0;
	}
	n = live_chains_counts(w.live, 0);
	if (n.ends[UNWIND_ROOT] != n.stacks)
		printf("stacks are not whole: ");
	printf("%zu rings, %zu lanes: %.0f k samples/s; walk %.0f ns, unwinding %.0f ns of CPU a "
	       "sample (%.0f frames); the walk ends at %.0f k samples/s and %.1f lanes\n",
	       nr_rings, nr_lanes, (double)w.samples * 1e6 / (double)wall,
	       (double)walk / (double)w.samples, (double)(all - walk) / (double)w.samples,
	       (double)n.frames / (double)n.stacks, (double)w.samples * 1e6 / (double)walk,
	       (double)(all - walk) / (double)walk);
	fflush(stdout);
	live_chains_free(w.live);
	ring_merge_fini(&w.merge);
	for (size_t i = 0; i < nr_lanes; i++)
		wb_fini(&w.out[i]);
	free(w.out);
	fake_rings_fini(&f);
}

int main(int argc, char **argv)
{
	const char *lanes = argc > 2 ? argv[2] : "1,2,4,8";
	u64 nr_rings = 64, rounds = 20, n;
	struct sample s;

	if ((argc > 1 && parse_u64(argv[1], 10, 1, 4096, &nr_rings)) ||
	    (argc > 3 && parse_u64(argv[3], 10, 1, 100000, &rounds)))
		return OPT_STATUS_USAGE;
	make_sample(&s);
	while (*lanes) {
		char *one = xstrndup(lanes, strcspn(lanes, ","));

		if (parse_u64(one, 10, 1, nr_rings, &n))
			return OPT_STATUS_USAGE;
		free(one);
		run((size_t)nr_rings, (size_t)n, rounds, &s);
		lanes += strcspn(lanes, ",");
		lanes += *lanes == ',';
	}
	return 0;
}
