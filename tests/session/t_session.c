/* SPDX-License-Identifier: MIT */
/* Passes over a recording: session_begin_pass() and session_run(). */
#include "session/session.h"

#include <unistd.h>

#include "base/mem.h"
#include "session/sample_sink.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define PROG 0x400000

/* A recording of two events and two processes, and what a pass over it saw. */
struct fixture {
	struct bytes b;
	struct file_builder f;
	struct pd_attr a[2];
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct sample_sink sink;
	u64 seen[32], taken[32], filtered[32], ticks[32]; /* sample times; of ticks: the clock */
	size_t nr_seen, nr_taken, nr_filtered, nr_ticks, nr_raw, nr_records;
	u64 last_nr;    /* of the sample that was taken last */
	u64 stop_at;    /* sample() ends the pass at this time, */
	int stop_code;  /* with this */
	u64 leave_out;  /* seen() leaves the sample of this time out */
	char comms[64]; /* first letters of the samples' comms */
};

static struct fixture *fixture_of(struct sample_sink *k)
{
	return CONTAINER_OF(k, struct fixture, sink);
}

static void note_raw(struct sample_sink *k, const struct replay_event *ev)
{
	(void)ev;
	fixture_of(k)->nr_raw++;
}

static int note_seen(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct fixture *x = fixture_of(k);

	(void)e;
	CHECK(v->thread);
	x->seen[x->nr_seen++] = v->ev->sample.time;
	return v->ev->sample.time == x->leave_out;
}

static int note_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct fixture *x = fixture_of(k);

	CHECK(v->thread);
	CHECK(v->task.user_maps);
	x->comms[x->nr_taken] = v->task.comm[0];
	x->taken[x->nr_taken++] = v->ev->sample.time;
	x->last_nr = v->nr;
	if (v->ev->sample.time != x->stop_at)
		return 0;
	return x->stop_code < 0 ? perr_set(e, x->stop_code, "no more") : x->stop_code;
}

static int note_filtered(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct fixture *x = fixture_of(k);

	(void)e;
	x->filtered[x->nr_filtered++] = v->ev->sample.time;
	return 0;
}

static int note_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	CHECK(!ev->is_sample);
	fixture_of(k)->nr_records++;
	return 0;
}

static int note_tick(struct sample_sink *k, u64 now, struct perr *e)
{
	struct fixture *x = fixture_of(k);

	(void)e;
	x->ticks[x->nr_ticks++] = now;
	return 0;
}

static void put_one(struct fixture *x, int event, u32 pid, u64 time, u32 cpu, u64 ip)
{
	put_sample(&x->b, &x->a[event],
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .id = 100 + (u64)event,
					   .pid = pid,
					   .tid = pid,
					   .time = time,
					   .cpu = cpu,
					   .period = 1,
					   .ip = ip });
}

/*
 * Times 10, 20, ... 80. Event 1 at 30 and 60, event 0 else. Process 7 ("prog") up to 40, then 8
 * ("other"). CPU 1 at 20 and 70, else 0. At 50 outside of the program's map.
 */
static void fixture_build(struct fixture *x, enum build_kind kind)
{
	static const u64 ids[2][1] = { { 100 }, { 101 } };

	*x = (struct fixture){ .b = bytes_new(false), .f.kind = kind };
	x->f.b = &x->b;
	file_begin(&x->f, kind);
	for (int i = 0; i < 2; i++) {
		x->a[i] = attr_plain();
		x->a[i].sample_type |= PD_SAMPLE_IDENTIFIER | PD_SAMPLE_CPU;
		x->a[i].sample_type &= ~(u64)PD_SAMPLE_CALLCHAIN;
		file_add_event(&x->f, &x->a[i], ids[i], 1);
	}
	file_begin_data(&x->f);
	for (u32 pid = 7; pid <= 8; pid++) {
		put_comm(&x->b, pid, pid, pid == 7 ? "prog" : "other", &x->a[0],
			 &(struct sample_parts){ .time = 1, .id = 100, .pid = pid, .tid = pid });
		put_mmap(&x->b, pid, PROG, 0x1000, 0, "/no/such/prog", &x->a[0],
			 &(struct sample_parts){ .time = 2, .id = 100, .pid = pid, .tid = pid });
	}
	for (u64 i = 1; i <= 8; i++)
		put_one(x, i == 3 || i == 6, i <= 4 ? 7 : 8, i * 10, i == 2 || i == 7,
			i == 5 ? 0x10 : PROG + i);
	file_end(&x->f);
	x->sink = (struct sample_sink){ .raw = note_raw,
					.seen = note_seen,
					.sample = note_sample,
					.filtered = note_filtered,
					.record = note_record,
					.tick = note_tick };
	diag_init(&x->diag);
}

static void fixture_open(struct fixture *x)
{
	const struct session_config cfg = { .symbols = { .hermetic = true } };
	struct perr e;

	fixture_build(x, BUILD_REGULAR);
	CHECK(!pd_open_mem(bytes_span(&x->b), "built", &x->diag, &x->pd, &e));
	x->s = session_new(x->pd, &cfg, &x->diag);
}

static void fixture_end(struct fixture *x)
{
	session_free(x->s);
	pd_close(x->pd);
	diag_fini(&x->diag);
	bytes_free(&x->b);
}

static void forget(struct fixture *x)
{
	x->nr_seen = x->nr_taken = x->nr_filtered = x->nr_ticks = x->nr_raw = x->nr_records = 0;
}

/* Goes once over the recording. */
static int pass(struct fixture *x, struct sample_query q, struct perr *e)
{
	forget(x);
	q.pass = "testing";
	return session_run(x->s, &q, &x->sink, e);
}

static void check_times(const u64 *got, size_t nr, const u64 *wanted, size_t nr_wanted)
{
	CHECK_EQ(nr, nr_wanted);
	for (size_t i = 0; i < nr && i < nr_wanted; i++)
		CHECK_EQ(got[i], wanted[i]);
}

#define CHECK_TIMES(x, which, ...)                                                              \
	do {                                                                                    \
		const u64 wanted_[] = { __VA_ARGS__ };                                          \
		check_times((x).which, (x).nr_##which, wanted_, sizeof(wanted_) / sizeof(u64)); \
	} while (0)

TEST(every_sample_with_its_task)
{
	struct fixture x;
	struct perr e;

	fixture_open(&x);
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_TIMES(x, taken, 10, 20, 30, 40, 50, 60, 70, 80);
	CHECK_TIMES(x, seen, 10, 20, 30, 40, 50, 60, 70, 80);
	CHECK_EQ(x.nr_filtered, 0);
	CHECK_EQ(memcmp(x.comms, "ppppoooo", 8), 0);
	CHECK_EQ(x.sink.stats.nr_samples, 8);
	CHECK_EQ(x.last_nr, 7);
	CHECK_EQ(x.nr_raw, 12);
	CHECK_EQ(x.nr_records, 0);
	x.sink.flags = SINK_RECORDS;
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_EQ(x.nr_records, 4);
	fixture_end(&x);
}

TEST(filters_in_their_order)
{
	struct filter by_cpu = { 0 }, by_comm = { 0 }, by_dso = { 0 };
	const bool second[] = { false, true };
	struct fixture x;
	struct perr e;

	CHECK(!filter_add_set(&by_cpu.cpus, "1", "CPUs", &e));
	CHECK(!filter_add_names(&by_comm.comms, "other", &e));
	CHECK(!filter_add_names(&by_dso.dsos, "prog", &e));
	fixture_open(&x);
	/* events and CPUs are asked for before seen() is called */
	CHECK_EQ(pass(&x, (struct sample_query){ .wanted_events = second }, &e), 0);
	CHECK_TIMES(x, seen, 30, 60);
	CHECK_TIMES(x, taken, 30, 60);
	CHECK_TIMES(x, filtered, 10, 20, 40, 50, 70, 80);
	CHECK_EQ(x.last_nr, 5); /* samples that are filtered out have numbers, too */
	CHECK_EQ(pass(&x, (struct sample_query){ .filter = &by_cpu }, &e), 0);
	CHECK_TIMES(x, seen, 20, 70);
	CHECK_TIMES(x, taken, 20, 70);
	/* threads and places after it */
	CHECK_EQ(pass(&x, (struct sample_query){ .filter = &by_comm }, &e), 0);
	CHECK_EQ(x.nr_seen, 8);
	CHECK_TIMES(x, taken, 50, 60, 70, 80);
	CHECK_TIMES(x, filtered, 10, 20, 30, 40);
	CHECK_EQ(pass(&x, (struct sample_query){ .filter = &by_dso }, &e), 0);
	CHECK_EQ(x.nr_seen, 8);
	CHECK_TIMES(x, filtered, 50);
	/* a sample that seen() leaves out is neither taken nor filtered */
	x.leave_out = 70;
	CHECK_EQ(pass(&x, (struct sample_query){ .filter = &by_comm }, &e), 0);
	CHECK_TIMES(x, taken, 50, 60, 80);
	CHECK_TIMES(x, filtered, 10, 20, 30, 40);
	fixture_end(&x);
	filter_fini(&by_cpu);
	filter_fini(&by_comm);
	filter_fini(&by_dso);
}

/* With the switch before the filters an event of process 7 switches on, after them it does not. */
TEST(switches_before_and_after_the_filters)
{
	struct sample_query q = { 0 };
	struct filter other = { 0 };
	struct fixture x;
	struct perr e;

	CHECK(!filter_add_names(&other.comms, "other", &e));
	fixture_open(&x);
	q.switch_on = x.pd->events[1];
	CHECK_EQ(pass(&x, q, &e), 0);
	CHECK_TIMES(x, taken, 40, 50, 60, 70, 80);
	q.show_switches = true;
	CHECK_EQ(pass(&x, q, &e), 0);
	CHECK_TIMES(x, taken, 30, 40, 50, 60, 70, 80);
	q.filter = &other;
	CHECK_EQ(pass(&x, q, &e), 0);
	CHECK_TIMES(x, taken, 60, 70, 80);
	q.switch_before_filter = true;
	CHECK_EQ(pass(&x, q, &e), 0);
	CHECK_TIMES(x, taken, 50, 60, 70, 80);
	CHECK_TIMES(x, seen, 30, 40, 50, 60, 70, 80); /* not those before the switch */
	q = (struct sample_query){ .switch_off = x.pd->events[1] };
	CHECK_EQ(pass(&x, q, &e), 0);
	CHECK_TIMES(x, taken, 10, 20);
	/* one event for both: on at the first, off at the second */
	q = (struct sample_query){ .switch_on = x.pd->events[1], .switch_off = x.pd->events[1] };
	CHECK_EQ(pass(&x, q, &e), 0);
	CHECK_TIMES(x, taken, 40, 50);
	fixture_end(&x);
	filter_fini(&other);
}

TEST(ticks_of_the_recordings_clock)
{
	struct fixture x;
	struct perr e;

	fixture_open(&x);
	CHECK_EQ(pass(&x, (struct sample_query){ .interval_ns = 25 }, &e), 0);
	/* the first record is at 1, so the first interval ends at 26 */
	CHECK_TIMES(x, ticks, 30, 60);
	CHECK_EQ(pass(&x, (struct sample_query){ .interval_ns = 1000 }, &e), 0);
	CHECK_EQ(x.nr_ticks, 0);
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_EQ(x.nr_ticks, 0);
	fixture_end(&x);
}

TEST(a_callback_ends_the_pass)
{
	struct fixture x;
	struct perr e;

	fixture_open(&x);
	x.stop_at = 40;
	x.stop_code = 1;
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_TIMES(x, taken, 10, 20, 30, 40);
	CHECK_EQ(x.sink.stats.nr_samples, 4);
	x.stop_code = PERR_LIMIT;
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), PERR_LIMIT);
	CHECK_STR(e.text, "no more");
	/* the pass after it begins with the first record all the same */
	x.stop_at = 0;
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_EQ(x.nr_taken, 8);
	fixture_end(&x);
}

/* Without a name in the query the caller has begun the pass; a pass may be begun twice. */
TEST(passes_begun_twice)
{
	const struct sample_query q = { 0 };
	struct fixture x;
	struct perr e;

	fixture_open(&x);
	CHECK(session_can_repeat(x.s));
	CHECK_EQ(session_begin_pass(x.s, "first", 0, &e), 0);
	CHECK_EQ(session_begin_pass(x.s, "second", SESSION_QUIET, &e), 0);
	CHECK(!x.s->diag);
	forget(&x);
	CHECK_EQ(session_run(x.s, &q, &x.sink, &e), 0);
	CHECK_EQ(x.nr_taken, 8);
	CHECK_EQ(session_begin_pass(x.s, "third", 0, &e), 0);
	CHECK(x.s->diag == &x.diag);
	/* the machine is as new: nobody has a name yet */
	CHECK_STR(machine_comm(x.s->machine, machine_thread(x.s->machine, 7, 7)), ":7");
	forget(&x);
	CHECK_EQ(session_run(x.s, &q, &x.sink, &e), 0);
	CHECK_EQ(x.nr_taken, 8);
	CHECK_EQ(memcmp(x.comms, "ppppoooo", 8), 0);
	fixture_end(&x);
}

TEST(an_offline_pass_has_a_machine_of_its_own)
{
	const struct sample_query q = { .pass = "weighing", .pass_flags = SESSION_OFFLINE };
	struct machine *machine;
	struct fixture x;
	struct perr e;

	fixture_open(&x);
	machine = x.s->machine;
	forget(&x);
	CHECK_EQ(session_run(x.s, &q, &x.sink, &e), 0);
	CHECK_EQ(x.nr_taken, 8);
	CHECK(x.s->machine != machine);
	CHECK(x.s->machine->cfg.no_jitdumps);
	CHECK(!symbols_get_config(x.s->machine->symbols)->debuginfod);
	session_end_pass(x.s);
	CHECK(x.s->machine == machine);
	/* which has seen none of the pass's records */
	CHECK_STR(machine_comm(machine, machine_thread(machine, 7, 7)), ":7");
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_EQ(memcmp(x.comms, "ppppoooo", 8), 0);
	fixture_end(&x);
}

TEST(a_stream_has_one_pass)
{
	const struct session_config cfg = { .symbols = { .hermetic = true } };
	struct fixture x;
	struct perr e;
	int fds[2];

	fixture_build(&x, BUILD_PIPE);
	CHECK(!pipe(fds));
	CHECK_EQ(write(fds[1], x.b.p, x.b.n), (ssize_t)x.b.n);
	close(fds[1]);
	CHECK(!pd_open_fd(fds[0], "-", &x.diag, &x.pd, &e));
	x.s = session_new(x.pd, &cfg, &x.diag);
	CHECK(!session_can_repeat(x.s));
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), 0);
	CHECK_EQ(x.nr_taken, 8);
	CHECK_EQ(session_begin_pass(x.s, "judging", 0, &e), PERR_UNSUPPORTED);
	CHECK(strstr(e.text, "judging: "));
	CHECK(strstr(e.text, "a stream cannot be read a second time"));
	CHECK_EQ(pass(&x, (struct sample_query){ 0 }, &e), PERR_UNSUPPORTED);
	CHECK_EQ(x.nr_taken, 0);
	close(fds[0]);
	fixture_end(&x);
}
