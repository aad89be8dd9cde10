/* SPDX-License-Identifier: MIT */
#include "session/replay.h"

#include "session/frames.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"
#include "session/chain.h"

/* A file that is being made, then replayed; in both byte orders. */
struct fixture {
	struct bytes b;
	struct file_builder f;
	struct pd_attr a;
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct replay *r;
};

static void fixture_begin(struct fixture *x, const struct pd_attr *attrs, size_t nr,
			  const u64 (*ids)[1], bool big)
{
	*x = (struct fixture){ .b = bytes_new(big), .a = attrs[0] };
	x->f.b = &x->b;
	file_begin(&x->f, BUILD_REGULAR);
	for (size_t i = 0; i < nr; i++)
		file_add_event(&x->f, &attrs[i], ids ? ids[i] : NULL, ids ? 1 : 0);
	file_begin_data(&x->f);
}

static void fixture_open(struct fixture *x)
{
	const struct session_config cfg = { .symbols = { .hermetic = true } };
	struct perr e;

	file_end(&x->f);
	diag_init(&x->diag);
	CHECK(!pd_open_mem(bytes_span(&x->b), "built", &x->diag, &x->pd, &e));
	x->s = session_new(x->pd, &cfg, &x->diag);
	x->r = replay_new(x->s, true);
}

static void fixture_end(struct fixture *x)
{
	replay_free(x->r);
	session_free(x->s);
	pd_close(x->pd);
	diag_fini(&x->diag);
	bytes_free(&x->b);
}

/* The next sample; side-band records before it are applied on the way. */
static bool next_sample(struct fixture *x, struct replay_event *ev)
{
	struct perr e;

	while (replay_next(x->r, ev, &e) == 1)
		if (ev->is_sample)
			return true;
	return false;
}

static const char *comm_of(struct fixture *x, const struct replay_event *ev)
{
	return machine_comm(x->s->machine,
			    machine_thread(x->s->machine, ev->sample.pid, ev->sample.tid));
}

static const char *dso_at(struct fixture *x, const struct replay_event *ev, u64 ip)
{
	struct thread *th = machine_thread(x->s->machine, ev->sample.pid, ev->sample.tid);
	const struct map *m = machine_find_map(x->s->machine, th, PD_CPUMODE_USER, ip);

	return m ? m->dso_name : "none";
}

static void put_plain_sample(struct fixture *x, u32 pid, u32 tid, u64 time)
{
	put_sample(&x->b, &x->a,
		   &(struct sample_parts){
			   .misc = PD_CPUMODE_USER, .pid = pid, .tid = tid, .time = time });
}

static void check_tasks(bool big)
{
	struct sample_parts t = { .pid = 10, .tid = 10, .time = 1 };
	struct pd_attr a = attr_plain();
	struct replay_event ev;
	struct fixture x;

	fixture_begin(&x, &a, 1, NULL, big);
	put_comm(&x.b, 10, 10, "parent", &a, &t);
	put_mmap(&x.b, 10, 0x1000, 0x4000, 0, "/old", &a, &t);
	t.time = 2;
	put_task(&x.b, PD_RECORD_FORK, 20, 10, 20, 10, 2, &a, &t);
	put_plain_sample(&x, 20, 20, 3);
	t = (struct sample_parts){ .pid = 20, .tid = 20, .time = 4 };
	put_comm(&x.b, 20, 20, "child", &a, &t);
	put_mmap(&x.b, 20, 0x2000, 0x1000, 0x7000, "/new", &a, &t);
	put_plain_sample(&x, 20, 20, 5);
	put_plain_sample(&x, 10, 10, 6);
	t.time = 7;
	put_task(&x.b, PD_RECORD_EXIT, 20, 10, 20, 10, 7, &a, &t);
	put_plain_sample(&x, 20, 20, 8);
	fixture_open(&x);

	CHECK(next_sample(&x, &ev)); /* forked: comm and maps of the parent */
	CHECK_STR(comm_of(&x, &ev), "parent");
	CHECK_STR(dso_at(&x, &ev, 0x2800), "/old");
	CHECK(next_sample(&x, &ev)); /* a map of its own, in the middle of the parent's */
	CHECK_STR(comm_of(&x, &ev), "child");
	CHECK_STR(dso_at(&x, &ev, 0x1fff), "/old");
	CHECK_STR(dso_at(&x, &ev, 0x2000), "/new");
	CHECK_STR(dso_at(&x, &ev, 0x3000), "/old");
	CHECK_STR(dso_at(&x, &ev, 0x5000), "none");
	CHECK(next_sample(&x, &ev)); /* which the parent does not see */
	CHECK_STR(dso_at(&x, &ev, 0x2000), "/old");
	CHECK(next_sample(&x, &ev)); /* after its exit: an unknown task */
	CHECK_STR(comm_of(&x, &ev), ":20");
	CHECK_STR(dso_at(&x, &ev, 0x2000), "none");
	CHECK(!next_sample(&x, &ev));
	fixture_end(&x);
}

TEST(tasks_maps_and_names_at_their_time)
{
	check_tasks(false);
	check_tasks(true);
}

/* The part of a map behind a newer one goes on at the matching file offset. */
TEST(cut_map_keeps_its_offsets)
{
	struct sample_parts t = { .pid = 10, .tid = 10, .time = 1 };
	struct pd_attr a = attr_plain();
	const struct map *m;
	struct replay_event ev;
	struct thread *th;
	struct fixture x;

	fixture_begin(&x, &a, 1, NULL, false);
	put_mmap(&x.b, 10, 0x10000, 0x10000, 0x4000, "/lib", &a, &t);
	put_mmap(&x.b, 10, 0x14000, 0x2000, 0, "/other", &a, &t);
	put_plain_sample(&x, 10, 10, 2);
	fixture_open(&x);
	CHECK(next_sample(&x, &ev));
	th = machine_thread(x.s->machine, 10, 10);
	m = machine_find_map(x.s->machine, th, PD_CPUMODE_USER, 0x13fff);
	CHECK(m && m->end == 0x14000);
	CHECK_EQ(map_ip_to_addr(m, 0x13fff), 0x7fff);
	m = machine_find_map(x.s->machine, th, PD_CPUMODE_USER, 0x16000);
	CHECK(m && m->start == 0x16000);
	CHECK_EQ(map_ip_to_addr(m, 0x16000), 0xa000);
	fixture_end(&x);
}

static void put_deferred(struct fixture *x, u32 tid, u64 time, u64 cookie, const u64 *ips,
			 size_t nr)
{
	record_begin(&x->b, PD_RECORD_CALLCHAIN_DEFERRED, PD_CPUMODE_USER);
	put_u64(&x->b, cookie);
	put_u64(&x->b, nr);
	for (size_t i = 0; i < nr; i++)
		put_u64(&x->b, ips[i]);
	put_trailer(&x->b, &x->a, &(struct sample_parts){ .pid = 10, .tid = tid, .time = time });
	record_end(&x->b);
}

static void put_waiting_sample(struct fixture *x, u32 tid, u64 time, u64 cookie)
{
	const u64 ips[] = { PD_CONTEXT_KERNEL, 0xffffffff81000000, PD_CONTEXT_USER_DEFERRED,
			    cookie };

	put_sample(&x->b, &x->a,
		   &(struct sample_parts){ .misc = PD_CPUMODE_KERNEL,
					   .pid = 10,
					   .tid = tid,
					   .time = time,
					   .ips = ips,
					   .nr_ips = 4 });
}

static size_t chain_len(struct fixture *x, const struct replay_event *ev, u64 *ret_last)
{
	struct task_view task =
		machine_task(x->s->machine, machine_thread(x->s->machine, 10, ev->sample.tid));
	struct chain c = { 0 };
	struct frames f;
	size_t n;

	frames_init(&f, 64);
	chain_resolve(&c, &f, ev->ev, &ev->sample, &task, 127);
	n = c.nr;
	*ret_last = n ? f.items[c.ids[n - 1]].ip : 0;
	chain_fini(&c);
	frames_fini(&f);
	return n;
}

/* FORMAT.md 2.7: joined by cookie and thread; what finds no partner comes out without one. */
static void check_deferred(bool big)
{
	const u64 user[] = { 0x1111, 0x2222 };
	struct pd_attr a = attr_plain();
	struct replay_event ev;
	struct fixture x;
	u64 last;

	a.sample_type |= PD_SAMPLE_CALLCHAIN;
	fixture_begin(&x, &a, 1, NULL, big);
	put_waiting_sample(&x, 11, 1, 77);
	put_waiting_sample(&x, 11, 2, 77);
	put_waiting_sample(&x, 12, 3, 77);
	put_waiting_sample(&x, 11, 4, 78);
	put_deferred(&x, 11, 5, 77, user, 2);
	fixture_open(&x);

	for (int i = 0; i < 2; i++) {
		CHECK(next_sample(&x, &ev));
		CHECK_EQ(ev.sample.time, i + 1);
		CHECK(!ev.deferred_pending);
		CHECK_EQ(chain_len(&x, &ev, &last), 3);
		CHECK_EQ(last, 0x2222);
	}
	CHECK(next_sample(&x, &ev)); /* this thread's, of another cookie */
	CHECK_EQ(ev.sample.time, 4);
	CHECK(ev.deferred_pending);
	CHECK(next_sample(&x, &ev)); /* another thread's: at the end */
	CHECK_EQ(ev.sample.tid, 12);
	CHECK(ev.deferred_pending);
	CHECK(!next_sample(&x, &ev));
	fixture_end(&x);
}

TEST(deferred_chains_find_their_samples)
{
	check_deferred(false);
	check_deferred(true);
}

/* FORMAT.md 2.5: one sample per member, its period what was counted since; none for nothing. */
static void check_group(bool big)
{
	static const u64 ids[2][1] = { { 100 }, { 200 } };
	const u64 first[] = { 2, 1000, 100, 50, 200 }, second[] = { 2, 1500, 100, 50, 200 };
	struct pd_attr a[2] = { attr_plain(), attr_plain() };
	struct replay_event ev;
	struct fixture x;

	for (int i = 0; i < 2; i++) {
		a[i].sample_type |= PD_SAMPLE_READ | PD_SAMPLE_IDENTIFIER;
		a[i].read_format = PD_FORMAT_GROUP | PD_FORMAT_ID;
		a[i].flags &= ~(1ull << PD_ATTR_INHERIT);
	}
	fixture_begin(&x, a, 2, ids, big);
	put_sample(&x.b, &a[0],
		   &(struct sample_parts){
			   .id = 100, .time = 1, .pid = 1, .tid = 1, .read = first, .nr_read = 5 });
	put_sample(
		&x.b, &a[0],
		&(struct sample_parts){
			.id = 100, .time = 2, .pid = 1, .tid = 1, .read = second, .nr_read = 5 });
	fixture_open(&x);

	CHECK(next_sample(&x, &ev));
	CHECK_EQ(ev.ev->idx, 0);
	CHECK_EQ(ev.sample.period, 1000);
	CHECK(next_sample(&x, &ev));
	CHECK_EQ(ev.ev->idx, 1);
	CHECK_EQ(ev.sample.period, 50);
	CHECK(next_sample(&x, &ev)); /* the second member did not count */
	CHECK_EQ(ev.ev->idx, 0);
	CHECK_EQ(ev.sample.period, 500);
	CHECK(!next_sample(&x, &ev));
	fixture_end(&x);
}

TEST(group_reads_come_apart)
{
	check_group(false);
	check_group(true);
}
