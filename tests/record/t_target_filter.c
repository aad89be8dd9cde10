/* SPDX-License-Identifier: MIT */
/* Which samples of events of whole CPUs are the target's: who belongs to it, and who waits. */
#include "base/mem.h"
#include "record/ring/copier.h"
#include "record/ring/target_filter.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define FLAG(name) (1ull << PD_ATTR_##name)
#define PROBE_ID 10
#define DUMMY_ID 20

/* A probe on CPUs, and the side-band of the target. */
struct rig {
	struct rec_evlist l;
	struct rec_copier *c;
	struct bytes ring;
	struct wbuf out;
};

static void add_event(struct rig *r, u64 id, u64 sample_type)
{
	struct rec_event *ev = evlist_add(&r->l, "e", PD_TYPE_SOFTWARE, 9);

	ev->attr.sample_type = sample_type;
	ev->attr.flags = FLAG(SAMPLE_ID_ALL);
	ev->whole_system = id == PROBE_ID;
	ev->is_tracking = ev->is_dummy = id == DUMMY_ID;
	ev->fds = xcalloc(1, sizeof(*ev->fds));
	ev->fds[0] = -1;
	ev->ids = xcalloc(1, sizeof(*ev->ids));
	ev->ids[0] = id;
	ev->nr_fds = 1;
}

static void rig_init_type(struct rig *r, u64 sample_type)
{
	*r = (struct rig){ .ring = bytes_new(false) };
	evlist_init(&r->l);
	add_event(r, PROBE_ID, sample_type);
	add_event(r, DUMMY_ID, sample_type & ~(u64)PD_SAMPLE_STACK_USER);
	r->c = copier_new(&r->l, NULL);
	CHECK(copier_must_copy(r->c));
}

static void rig_init(struct rig *r)
{
	rig_init_type(r, PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME);
}

static void rig_fini(struct rig *r)
{
	copier_free(r->c);
	evlist_fini(&r->l);
	bytes_free(&r->ring);
	wb_fini(&r->out);
}

static void put_hit(struct rig *r, u32 pid, u32 tid, u64 time)
{
	struct sample_parts p = {
		.ip = 0x1000, .pid = pid, .tid = tid, .time = time, .id = PROBE_ID
	};

	put_sample(&r->ring, &r->l.events[0]->attr, &p);
}

static void put_side(struct rig *r, u32 type, u16 misc, u32 pid, u32 tid, u64 time)
{
	struct sample_parts p = { .pid = pid, .tid = tid, .time = time, .id = DUMMY_ID };

	record_begin(&r->ring, type, misc);
	put_u32(&r->ring, pid);
	put_u32(&r->ring, tid);
	put_fill(&r->ring, 0, 32);
	put_trailer(&r->ring, &r->l.events[1]->attr, &p);
	record_end(&r->ring);
}

static void put_fork(struct rig *r, u32 pid, u32 ppid, u32 tid, u32 ptid, u64 time)
{
	struct sample_parts p = { .pid = ppid, .tid = ptid, .time = time, .id = DUMMY_ID };

	put_task(&r->ring, PD_RECORD_FORK, pid, ppid, tid, ptid, time, &r->l.events[1]->attr, &p);
}

/* What was put so far is one ring of a sweep. */
static void pass(struct rig *r)
{
	struct span run = bytes_span(&r->ring);
	struct perr e;

	CHECK_EQ(copier_pass(r->c, &run, 1, &r->out, &e), 0);
	r->ring.n = 0;
}

static void end_sweep(struct rig *r, bool last)
{
	pass(r);
	copier_end_sweep(r->c, &r->out, last);
}

/* The times of the samples that were written since the last call, as "5 7". */
static void check_times(struct rig *r, const char *want)
{
	char got[200] = "";
	size_t n = 0;

	for (size_t at = 0; at + 8 <= r->out.n; at += get_u16(r->out.p + at + 6, false)) {
		if (get_u32(r->out.p + at, false) != PD_RECORD_SAMPLE)
			continue;
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%llu", n ? " " : "",
				      (unsigned long long)get_u64(r->out.p + at + 32, false));
		CHECK(n < sizeof(got));
	}
	CHECK_STR(got, want);
	r->out.n = 0;
}

TEST(only_the_targets_processes)
{
	struct rig r;

	rig_init(&r);
	copier_follow(r.c, 100, 0);
	copier_follow(r.c, 200, 0);
	put_hit(&r, 100, 100, 1);
	put_hit(&r, 100, 101, 2);
	put_hit(&r, 300, 300, 3);
	put_hit(&r, 200, 207, 4);
	put_hit(&r, 0, 0, 5);
	put_hit(&r, UINT32_MAX, UINT32_MAX, 6);
	end_sweep(&r, false);
	end_sweep(&r, false);
	CHECK_EQ(copier_counts(r.c)->samples, 3);
	CHECK_EQ(copier_counts(r.c)->records, 3);
	CHECK_EQ(copier_counts(r.c)->foreign, 3);
	CHECK_EQ(copier_counts(r.c)->last_time, 4);
	CHECK_EQ(copier_counts(r.c)->bytes_out, r.out.n);
	check_times(&r, "1 2 4");
	rig_fini(&r);
}

/* In whatever order the rings with their FORK records are read. */
TEST(children_and_theirs_belong_to_it)
{
	struct rig r;

	rig_init(&r);
	copier_follow(r.c, 100, 0);
	put_fork(&r, 120, 110, 120, 110, 3);
	put_hit(&r, 120, 120, 4);
	pass(&r);
	put_fork(&r, 110, 100, 110, 105, 1);
	put_hit(&r, 110, 110, 2);
	put_hit(&r, 130, 130, 5);
	end_sweep(&r, true);
	check_times(&r, "4 2");
	/* what it still does while it ends */
	put_side(&r, PD_RECORD_EXIT, 0, 120, 110, 6);
	put_hit(&r, 120, 120, 7);
	end_sweep(&r, true);
	check_times(&r, "7");
	rig_fini(&r);
}

/* -t: what a thread starts, and no other thread of its process. */
TEST(threads_alone)
{
	struct rig r;

	rig_init(&r);
	copier_follow(r.c, 100, 102);
	put_hit(&r, 100, 100, 1);
	put_hit(&r, 100, 102, 2);
	put_hit(&r, 100, 103, 2);
	put_fork(&r, 100, 100, 104, 102, 3);
	put_fork(&r, 105, 100, 105, 104, 3);
	put_hit(&r, 100, 103, 4);
	put_hit(&r, 100, 104, 5);
	put_hit(&r, 105, 105, 6);
	/* an exec gives the thread its process's number */
	put_side(&r, PD_RECORD_COMM, PD_MISC_COMM_EXEC, 100, 100, 7);
	put_hit(&r, 100, 100, 8);
	pass(&r);
	check_times(&r, "2 5 6 8");
	rig_fini(&r);
}

/* The FORK lies in a ring that is read later in the same sweep, or in the next one. */
TEST(samples_wait_for_their_fork)
{
	struct rig r;

	rig_init(&r);
	copier_follow(r.c, 100, 0);
	put_hit(&r, 110, 110, 2);
	pass(&r);
	check_times(&r, "");
	put_fork(&r, 110, 100, 110, 100, 1);
	end_sweep(&r, false);
	check_times(&r, "2");

	put_hit(&r, 120, 120, 12);
	put_hit(&r, 800, 800, 13);
	put_hit(&r, 120, 120, 14);
	end_sweep(&r, false);
	check_times(&r, "");
	put_hit(&r, 801, 801, 15);
	put_fork(&r, 120, 110, 120, 110, 11);
	put_hit(&r, 120, 120, 16);
	end_sweep(&r, false);
	/* behind what this sweep brought, before the round's end */
	check_times(&r, "16 12 14");
	CHECK_EQ(copier_counts(r.c)->foreign, 1);

	/* two sweeps later it is nobody's */
	put_hit(&r, 130, 130, 22);
	end_sweep(&r, false);
	end_sweep(&r, false);
	put_fork(&r, 130, 100, 130, 100, 21);
	end_sweep(&r, false);
	check_times(&r, "");
	CHECK_EQ(copier_counts(r.c)->foreign, 3);
	CHECK_EQ(copier_counts(r.c)->samples, 4);
	rig_fini(&r);
}

TEST(at_the_end_nobody_waits)
{
	struct rig r;

	rig_init(&r);
	copier_follow(r.c, 100, 0);
	put_hit(&r, 110, 110, 2);
	put_hit(&r, 900, 900, 3);
	pass(&r);
	put_fork(&r, 110, 100, 110, 100, 1);
	end_sweep(&r, true);
	check_times(&r, "2");
	CHECK_EQ(copier_counts(r.c)->foreign, 1);
	put_side(&r, PD_RECORD_COMM, 0, 100, 100, 4);
	end_sweep(&r, true);
	check_times(&r, "");
	rig_fini(&r);
}

/* What the process does before it executes the command is ours. */
TEST(a_command_begins_with_its_exec)
{
	struct rig r;

	rig_init(&r);
	copier_follow_command(r.c, 100);
	put_hit(&r, 100, 100, 5);
	put_hit(&r, 100, 100, 11);
	pass(&r);
	/* of another ring, and later than the exec */
	put_fork(&r, 110, 100, 110, 100, 13);
	put_hit(&r, 110, 110, 14);
	pass(&r);
	put_side(&r, PD_RECORD_COMM, 0, 100, 100, 1);
	put_side(&r, PD_RECORD_COMM, PD_MISC_COMM_EXEC, 100, 100, 10);
	end_sweep(&r, false);
	check_times(&r, "14 11");
	put_hit(&r, 100, 100, 20);
	end_sweep(&r, true);
	check_times(&r, "20");
	CHECK_EQ(copier_counts(r.c)->foreign, 1);
	rig_fini(&r);
}

/* The side-band is of the target's threads alone: whoever it names belongs to it. */
TEST(a_lost_fork_is_made_up_for)
{
	struct rig r;

	rig_init(&r);
	copier_follow(r.c, 100, 0);
	put_side(&r, PD_RECORD_MMAP2, 0, 110, 110, 1);
	put_hit(&r, 110, 110, 2);
	put_side(&r, PD_RECORD_MMAP, 0, UINT32_MAX, 0, 3);
	put_hit(&r, UINT32_MAX, 0, 4);
	pass(&r);
	check_times(&r, "2");
	rig_fini(&r);
}

TEST(stacks_of_samples_that_waited_are_cut)
{
	static const char stack[64] = "0123456789abcdef";
	struct sample_parts p = { .pid = 110,
				  .tid = 110,
				  .time = 2,
				  .id = PROBE_ID,
				  .stack = stack,
				  .stack_size = 64,
				  .stack_dyn_size = 16 };
	struct bytes want = bytes_new(false);
	struct rig r;

	rig_init_type(&r, PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
				  PD_SAMPLE_STACK_USER);
	copier_follow(r.c, 100, 0);
	put_sample(&r.ring, &r.l.events[0]->attr, &p);
	pass(&r);
	CHECK_EQ(r.out.n, 0);
	copier_follow(r.c, 110, 0);
	copier_end_sweep(r.c, &r.out, false);
	p.stack_size = 16;
	put_sample(&want, &r.l.events[0]->attr, &p);
	CHECK_EQ(r.out.n, want.n);
	CHECK_MEM(r.out.p, want.p, want.n);
	CHECK_EQ(copier_counts(r.c)->cut.stacks, 1);
	bytes_free(&want);
	rig_fini(&r);
}

TEST(without_times_and_without_such_events)
{
	struct rig r;

	rig_init_type(&r, PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID);
	copier_follow_command(r.c, 100);
	put_side(&r, PD_RECORD_COMM, PD_MISC_COMM_EXEC, 100, 100, 0);
	put_hit(&r, 100, 100, 0);
	put_hit(&r, 101, 101, 0);
	end_sweep(&r, true);
	CHECK_EQ(copier_counts(r.c)->samples, 1);
	rig_fini(&r);

	rig_init(&r);
	copier_free(r.c);
	r.l.events[0]->whole_system = false;
	r.l.events[0]->attr.flags |= 1ull << PD_ATTR_BUILD_ID;
	r.c = copier_new(&r.l, NULL);
	CHECK(!copier_must_copy(r.c));
	put_hit(&r, 101, 101, 5);
	end_sweep(&r, true);
	check_times(&r, "5");
	rig_fini(&r);
}

static bool count_only(void *ctx, const u8 *record, u32 size)
{
	u64 *seen = ctx;

	seen[0]++;
	seen[1] += get_u64(record + 8, false);
	CHECK_EQ(size, get_u16(record + 6, false));
	return false;
}

/* Memory is bounded: the oldest are given up. */
TEST(too_many_wait)
{
	struct target_filter f = { 0 };
	u64 size = 8192, nr = 3 * TARGET_FILTER_HOLD / size, room = TARGET_FILTER_HOLD / size;
	u64 seen[2] = { 0 };

	for (u64 i = 0; i < nr; i++) {
		u8 *p = target_filter_hold(&f, (u32)size);

		memset(p, 0, size);
		memcpy(p + 6, &(u16){ (u16)size }, 2);
		memcpy(p + 8, &i, 8);
		CHECK(f.held.cap <= 4 * (size_t)TARGET_FILTER_HOLD);
	}
	CHECK_EQ(f.nr_given_up, nr - room);
	target_filter_settle(&f, false, count_only, seen);
	CHECK_EQ(seen[0], room);
	CHECK_EQ(seen[1], room * (nr - room) + room * (room - 1) / 2);
	/* a new one makes room by the oldest that has waited */
	memset(target_filter_hold(&f, 8), 0, 8);
	f.held.p[f.held.n - 2] = 8;
	CHECK_EQ(f.nr_given_up, nr - room + 1);
	CHECK_EQ(f.nr_foreign, 0);
	f.held.n -= 8;
	target_filter_settle(&f, false, count_only, seen);
	CHECK_EQ(f.nr_foreign, room - 1);
	CHECK_EQ(f.held.n, 0);
	target_filter_fini(&f);
}
