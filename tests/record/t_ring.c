/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/ring/ring.h"
#include "tests/frame/unit.h"

#define KIB (1ull << 10)
#define MIB (1ull << 20)

static struct rec_event *add_event(struct rec_evlist *l, u64 sample_type, u64 freq, u32 stack)
{
	struct rec_event *ev = evlist_add(l, "cpu-clock", PD_TYPE_SOFTWARE, 0);

	ev->attr.sample_type = sample_type;
	ev->attr.flags = 1ull << PD_ATTR_FREQ;
	ev->attr.sample_period_or_freq = freq;
	ev->attr.sample_stack_user = stack;
	return ev;
}

static const struct rec_rights root = {
	.is_root = true, .mlock_kb = 516, .max_stack = 127, .memlock_limit = 8 * MIB
};
static const struct rec_rights user = {
	.mlock_kb = 516, .max_stack = 127, .paranoid = 2, .memlock_limit = 64 * KIB
};

TEST(size_is_perfs_default_for_little_data)
{
	struct rec_evlist l;
	struct rec_opts o = { 0 };

	evlist_init(&l);
	add_event(&l, PD_SAMPLE_IP, 100, 0);
	CHECK_EQ(ring_size_wanted(&l, &o, 2, &root), 512 * KIB);
	CHECK_EQ(ring_size_wanted(&l, &o, 1, &user), 512 * KIB);
	evlist_fini(&l);
}

TEST(size_follows_rate_and_stack)
{
	struct rec_evlist l;
	struct rec_opts o = { 0 };
	u64 n;

	evlist_init(&l);
	/* 4000 a second of 1 KiB + 65528: 26.6 MB in 100 ms */
	add_event(&l, PD_SAMPLE_STACK_USER, 4000, REC_STACK_MAX);
	n = ring_size_wanted(&l, &o, 1, &root);
	CHECK_EQ(n, 32 * MIB);
	l.events[0]->attr.sample_period_or_freq = 20000;
	n = ring_size_wanted(&l, &o, 1, &root);
	if ((u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE) > 5120 * MIB)
		CHECK_EQ(n, 128 * MIB);
	/* a period of a clock is a rate as well */
	l.events[0]->attr.flags = 0;
	l.events[0]->attr.sample_period_or_freq = 250000;
	CHECK_EQ(ring_size_wanted(&l, &o, 1, &root), 32 * MIB);
	/* many rings share a thirty-second of the memory */
	n = ring_size_wanted(&l, &o, 4096, &root);
	CHECK(n < 32 * MIB && n >= 4 * KIB);
	evlist_fini(&l);
}

TEST(size_of_few_unwound_stacks_lasts_longer)
{
	struct rec_evlist l;
	struct rec_opts o = { 0 };

	evlist_init(&l);
	add_event(&l, PD_SAMPLE_STACK_USER, 99, REC_STACK_MAX)->unwound = true;
	CHECK_EQ(ring_size_wanted(&l, &o, 2, &root), 4 * MIB);
	CHECK_EQ(ring_size_wanted(&l, &o, 2, &user), 512 * KIB);
	l.events[0]->attr.sample_period_or_freq = 4000;
	CHECK_EQ(ring_size_wanted(&l, &o, 1, &root), 32 * MIB);
	evlist_fini(&l);
}

TEST(size_is_what_a_user_may_lock)
{
	struct rec_evlist l;
	struct rec_opts o = { 0 };
	struct rec_rights r = user;
	u64 n;

	evlist_init(&l);
	add_event(&l, PD_SAMPLE_STACK_USER, 20000, REC_STACK_MAX);
	n = ring_size_wanted(&l, &o, (size_t)sysconf(_SC_NPROCESSORS_ONLN), &r);
	CHECK_EQ(n, 512 * KIB);
	r.cap_ipc_lock = true;
	CHECK(ring_size_wanted(&l, &o, 1, &r) > 512 * KIB);
	r = user;
	r.memlock_limit = UINT64_MAX;
	CHECK(ring_size_wanted(&l, &o, 1, &r) > 512 * KIB);
	r.memlock_limit = 0;
	r.mlock_kb = 0;
	CHECK_EQ(ring_size_wanted(&l, &o, 1, &r) % 4096, 0);
	evlist_fini(&l);
}

TEST(size_given_is_rounded_up)
{
	struct rec_evlist l;
	struct rec_opts o = { .mmap_bytes = 3 * MIB };

	evlist_init(&l);
	CHECK_EQ(ring_size_wanted(&l, &o, 1, &user), 4 * MIB);
	o.mmap_bytes = 1;
	CHECK_EQ(ring_size_wanted(&l, &o, 1, &user), (u64)sysconf(_SC_PAGESIZE));
	evlist_fini(&l);
}

/* ---- rings without a kernel */

struct fake {
	struct rec_ring r;
	struct perf_event_mmap_page *control;
	u8 *data;
};

static struct fake fake_new(u64 data_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct fake f = { .r = { .fd = -1, .data_bytes = data_bytes } };

	f.r.map = xcalloc(1, page + data_bytes);
	f.control = f.r.map;
	f.data = (u8 *)f.r.map + page;
	return f;
}

TEST(peek_gives_one_run_or_two)
{
	struct fake f = fake_new(4096);
	struct span parts[2];

	CHECK_EQ(ring_peek(&f.r, parts), 0);
	f.control->data_head = 4000;
	CHECK_EQ(ring_peek(&f.r, parts), 1);
	CHECK(parts[0].p == f.data && parts[0].n == 4000);
	CHECK_EQ(f.control->data_tail, 0);
	ring_consume(&f.r);
	CHECK_EQ(f.control->data_tail, 4000);
	CHECK_EQ(ring_peek(&f.r, parts), 0);

	f.control->data_head = 4200;
	CHECK_EQ(ring_peek(&f.r, parts), 2);
	CHECK(parts[0].p == f.data + 4000 && parts[0].n == 96);
	CHECK(parts[1].p == f.data && parts[1].n == 104);
	ring_consume(&f.r);
	/* full, and ending where it began */
	f.control->data_head = 4200 + 4096;
	CHECK_EQ(ring_peek(&f.r, parts), 2);
	CHECK_EQ(parts[0].n + parts[1].n, 4096);
	ring_consume(&f.r);
	CHECK_EQ(f.control->data_tail, 8296);
	free(f.r.map);
}

static int nr_paused, nr_resumed;
static int fake_ioctl(void *ctx, int fd, unsigned long request, u64 arg)
{
	(void)ctx;
	(void)fd;
	if (request == PERF_EVENT_IOC_PAUSE_OUTPUT)
		*(arg ? &nr_paused : &nr_resumed) += 1;
	return 0;
}
static const struct rec_sys fake_sys = { .ioctl = fake_ioctl };

/* What the kernel does: each record lies below the one before. */
static void put_backward(struct fake *f, u16 size, u8 mark)
{
	u64 i, at;

	f->control->data_head -= size;
	at = f->control->data_head;
	for (i = 0; i < size; i++)
		f->data[(at + i) & (f->r.data_bytes - 1)] = i == 6   ? (u8)size
							    : i == 7 ? (u8)(size >> 8)
								     : mark;
}

TEST(overwrite_ring_hands_out_each_record_once)
{
	struct fake f = fake_new(4096);
	struct span parts[2];

	f.r.overwrite = true;
	put_backward(&f, 16, 1);
	put_backward(&f, 24, 2);
	CHECK_EQ(ring_pause_and_peek(&f.r, &fake_sys, parts), 1);
	CHECK_EQ(nr_paused, 1);
	CHECK(parts[0].n == 40 && parts[0].p[0] == 2 && parts[0].p[24] == 1);
	ring_resume(&f.r, &fake_sys);
	CHECK_EQ(nr_resumed, 1);
	CHECK_EQ(ring_pause_and_peek(&f.r, &fake_sys, parts), 0);
	ring_resume(&f.r, &fake_sys);
	put_backward(&f, 32, 3);
	CHECK_EQ(ring_pause_and_peek(&f.r, &fake_sys, parts), 1);
	CHECK(parts[0].n == 32 && parts[0].p[0] == 3);
	free(f.r.map);
}

TEST(overwrite_ring_that_ran_round_ends_at_a_whole_record)
{
	struct fake f = fake_new(4096);
	struct span parts[2];
	size_t n = 0;
	int i, nr;

	f.r.overwrite = true;
	for (i = 0; i < 200; i++)
		put_backward(&f, 40, (u8)i);
	nr = ring_pause_and_peek(&f.r, &fake_sys, parts);
	for (i = 0; i < nr; i++)
		n += parts[i].n;
	/* 102 whole records of 40 bytes fit, the 16 bytes left are of a broken one */
	CHECK_EQ(n, 4080);
	CHECK_EQ(parts[0].p[0], 199);
	free(f.r.map);
}

/* ---- the kernel's */

static int open_clock(u64 flags)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_CPU_CLOCK,
				     .size = sizeof(a),
				     .sample_period = 100000,
				     .sample_type = PERF_SAMPLE_IP };

	a.exclude_kernel = 1;
	memcpy((u8 *)&a + 40, &(u64){ flags | 1ull << PD_ATTR_EXCLUDE_KERNEL }, 8);
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int real_ioctl(void *ctx, int fd, unsigned long request, u64 arg)
{
	int ret = ioctl(fd, request, arg);

	(void)ctx;
	return ret < 0 ? -errno : ret;
}
static const struct rec_sys real_sys = { .ioctl = real_ioctl };

struct own {
	struct rec_evlist l;
	struct rec_thread thread;
	struct rec_target t;
	struct rec_opts o;
	struct diag diag;
	struct rec_rings rs;
};

/* Two events of this thread. */
static void own_init(struct own *w, u64 flags)
{
	int i;

	*w = (struct own){ .thread = { .pid = getpid(), .tid = getpid() } };
	w->t = (struct rec_target){ .threads = &w->thread, .nr_threads = 1, .any_cpu = true };
	rec_opts_init(&w->o);
	diag_init(&w->diag);
	w->o.diag = &w->diag;
	evlist_init(&w->l);
	for (i = 0; i < 2; i++) {
		struct rec_event *ev = add_event(&w->l, PD_SAMPLE_IP, 1000, 0);

		ev->attr.flags = flags;
		ev->fds = xcalloc(1, sizeof(int));
		ev->nr_fds = 1;
		ev->fds[0] = open_clock(flags);
		if (ev->fds[0] < 0)
			SKIP("perf_event_open: %s", strerror(errno));
	}
}

static void burn(void)
{
	volatile u64 sum = 0;
	u64 i;

	for (i = 0; i < 50000000; i++)
		sum += i;
	CHECK(sum > 0);
}

static u64 samples_in(const struct span *parts, int nr)
{
	u64 n = 0;
	size_t at;
	int i;

	for (i = 0; i < nr; i++)
		for (at = 0; at + 8 <= parts[i].n; at += get_u16(parts[i].p + at + 6, false))
			n += get_u32(parts[i].p + at, false) == PERF_RECORD_SAMPLE;
	return n;
}

TEST(events_share_a_ring)
{
	struct own w;
	struct span parts[2];
	struct perr e;
	int nr;

	own_init(&w, 0);
	CHECK_EQ(rings_map(&w.rs, &w.l, &w.t, &w.o, 64 * KIB, &real_sys, &e), 0);
	CHECK_EQ(w.rs.nr, 1);
	CHECK_EQ(w.rs.rings[0].nr_fds, 2);
	CHECK_EQ(w.rs.data_bytes, 64 * KIB);
	/* only the event that does not own the ring parts on */
	ioctl(w.l.events[0]->fds[0], PERF_EVENT_IOC_DISABLE, 0);
	nr = ring_peek(&w.rs.rings[0], parts);
	ring_consume(&w.rs.rings[0]);
	(void)nr;
	burn();
	nr = ring_peek(&w.rs.rings[0], parts);
	CHECK(samples_in(parts, nr) > 10);
	ring_consume(&w.rs.rings[0]);
	rings_unmap(&w.rs);
	evlist_fini(&w.l);
}

/* Watched last, and no sign that the target still parts: they do not end with it. */
TEST(events_of_the_whole_system_stand_first)
{
	struct own w;
	struct perr e;

	own_init(&w, 0);
	w.l.events[1]->whole_system = true;
	CHECK_EQ(rings_map(&w.rs, &w.l, &w.t, &w.o, 4 * KIB, &real_sys, &e), 0);
	CHECK_EQ(w.rs.nr, 1);
	CHECK_EQ(w.rs.rings[0].nr_fds, 2);
	CHECK_EQ(w.rs.rings[0].nr_endless, 1);
	CHECK_EQ(w.rs.rings[0].fds[0], w.l.events[1]->fds[0]);
	CHECK_EQ(w.rs.rings[0].fd, w.l.events[1]->fds[0]);
	rings_unmap(&w.rs);
	evlist_fini(&w.l);
}

/* A full ring of samples takes no room from the records about processes. */
TEST(records_about_processes_have_a_ring_of_their_own)
{
	struct own w;
	struct span parts[2];
	struct perr e;
	u64 head;
	int nr;

	own_init(&w, 0);
	w.l.events[0]->unwound = true;
	w.l.events[1]->is_dummy = w.l.events[1]->is_tracking = true;
	CHECK_EQ(rings_map(&w.rs, &w.l, &w.t, &w.o, 4 * KIB, &real_sys, &e), 0);
	CHECK_EQ(w.rs.nr, 2);
	CHECK(!w.rs.rings[0].side_band && w.rs.rings[1].side_band);
	CHECK_EQ(w.rs.rings[0].fd, w.l.events[0]->fds[0]);
	CHECK_EQ(w.rs.rings[1].fd, w.l.events[1]->fds[0]);
	CHECK_EQ(w.rs.rings[0].data_bytes, 4 * KIB);
	CHECK_EQ(w.rs.rings[1].data_bytes, 1 * MIB);
	burn();
	for (int i = 0; i < 2; i++) {
		nr = ring_peek(&w.rs.rings[i], parts);
		CHECK(samples_in(parts, nr) > 10);
	}
	ioctl(w.l.events[1]->fds[0], PERF_EVENT_IOC_DISABLE, 0);
	head = ring_head(&w.rs.rings[1]);
	burn();
	CHECK_EQ(ring_head(&w.rs.rings[1]), head);
	rings_unmap(&w.rs);
	evlist_fini(&w.l);
}

TEST(backward_events_have_a_ring_of_their_own)
{
	struct own w;
	struct span parts[2];
	struct perr e;
	int nr;

	own_init(&w, 1ull << PD_ATTR_WRITE_BACKWARD);
	CHECK_EQ(rings_map(&w.rs, &w.l, &w.t, &w.o, 4 * KIB, &real_sys, &e), 0);
	CHECK_EQ(w.rs.nr, 1);
	CHECK(w.rs.rings[0].overwrite);
	burn();
	nr = ring_pause_and_peek(&w.rs.rings[0], &real_sys, parts);
	CHECK(samples_in(parts, nr) > 10);
	ring_resume(&w.rs.rings[0], &real_sys);
	rings_unmap(&w.rs);
	evlist_fini(&w.l);
}

TEST(a_size_that_is_refused_is_halved_with_a_note)
{
	struct own w;
	struct perr e;

	if (geteuid())
		SKIP("needs root to become another user");
	if (setresuid(65534, 65534, 65534))
		SKIP("no other user: %s", strerror(errno));
	own_init(&w, 0);
	CHECK_EQ(rings_map(&w.rs, &w.l, &w.t, &w.o, 256 * MIB, &real_sys, &e), 0);
	CHECK(w.rs.data_bytes < 256 * MIB);
	CHECK_EQ(w.diag.nr, 1);
	rings_unmap(&w.rs);
	/* asked for with -m: refused */
	w.o.mmap_bytes = 256 * MIB;
	CHECK_EQ(rings_map(&w.rs, &w.l, &w.t, &w.o, 256 * MIB, &real_sys, &e), PERR_KERNEL);
	CHECK_EQ(w.rs.nr, 0);
	CHECK(e.text[0]);
	diag_fini(&w.diag);
	evlist_fini(&w.l);
}
