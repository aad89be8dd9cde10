/* SPDX-License-Identifier: MIT */
/* The counts and the text of plat --as=lock-contention. */
#include "events/perf_texts/lock_contention.h"

#include "tests/frame/unit.h"

static const char *comm_of(void *ctx, u32 tid)
{
	(void)ctx;
	return tid == 7 ? "app" : NULL;
}

static void check_text(const struct lock_contention *l, struct lock_layout how, const char *want)
{
	struct out o;

	how.comm_of = comm_of;
	out_init_mem(&o);
	lock_contention_put(l, &how, &o);
	out_char(&o, '\0');
	CHECK_STR(o.buf, want);
	out_fini(&o);
}

/* Thread tid waits for a lock, with the caller's key. */
static void wait_for(struct lock_contention *l, u64 key, u32 tid, u64 lock, u64 from, u64 ns)
{
	lock_contention_begin(l, lock_contention_row(l, key), tid, lock, from);
	lock_contention_end(l, lock_contention_row(l, key), tid, lock, from + ns);
}

TEST(rows_by_caller)
{
	struct lock_contention l;

	lock_contention_init(&l);
	lock_contention_add(&l, 1, "vfs_write+0x8", 1);
	lock_contention_add(&l, 2, "do_exit", 4);
	lock_contention_add(&l, 3, "never", 32);
	wait_for(&l, 1, 7, 0x10, 100, 1500);
	wait_for(&l, 1, 7, 0x10, 5000, 500);
	wait_for(&l, 2, 8, 0x20, 100, 2500000000);
	check_text(
		&l, (struct lock_layout){ .key = LOCK_WAIT_TOTAL },
		" contended   total wait     max wait     avg wait         type   caller\n\n"
		"         1      2.50 s       2.50 s       2.50 s       rwsem:W   do_exit\n"
		"         2      2.00 us      1.50 us      1.00 us     spinlock   vfs_write+0x8\n");
	check_text(&l,
		   (struct lock_layout){ .key = LOCK_CONTENDED,
					 .columns = { LOCK_WAIT_MIN },
					 .nr_columns = 1,
					 .nr_rows = 1 },
		   "    min wait  contended         type   caller\n\n"
		   "      500 ns          2     spinlock   vfs_write+0x8\n");
	check_text(&l, (struct lock_layout){ .key = LOCK_WAIT_MAX, .separator = ";" },
		   "# output: contended; total wait; max wait; avg wait; type; caller\n"
		   "1; 2500000000; 2500000000; 2500000000; rwsem:W; do_exit\n"
		   "2; 2000; 1500; 1000; spinlock; vfs_write+0x8\n");
	lock_contention_fini(&l);
}

TEST(rows_by_thread_and_by_lock)
{
	struct lock_contention l;

	lock_contention_init(&l);
	lock_contention_add(&l, 7, "", 32);
	lock_contention_add(&l, 9, "", 2);
	wait_for(&l, 7, 7, 0x10, 100, 2000);
	wait_for(&l, 9, 9, 0x10, 100, 1000);
	check_text(&l, (struct lock_layout){ .by = LOCK_BY_THREAD, .key = LOCK_WAIT_TOTAL },
		   " contended   total wait     max wait     avg wait          pid   comm\n\n"
		   "         1      2.00 us      2.00 us      2.00 us            7   app\n"
		   "         1      1.00 us      1.00 us      1.00 us            9   :9\n");
	check_text(
		&l, (struct lock_layout){ .by = LOCK_BY_ADDRESS, .key = LOCK_WAIT_TOTAL },
		" contended   total wait     max wait     avg wait            address   symbol\n\n"
		"         1      2.00 us      2.00 us      2.00 us   "
		"0000000000000007    (mutex)\n"
		"         1      1.00 us      1.00 us      1.00 us   "
		"0000000000000009    (rwsem)\n");
	lock_contention_fini(&l);
}

TEST(a_wait_that_begins_twice_counts_from_its_first_begin)
{
	struct lock_contention l;

	lock_contention_init(&l);
	lock_contention_add(&l, 1, "f", 32);
	lock_contention_begin(&l, lock_contention_row(&l, 1), 7, 0x10, 1000);
	lock_contention_begin(&l, lock_contention_row(&l, 1), 7, 0x10, 1500);
	lock_contention_end(&l, lock_contention_row(&l, 1), 7, 0x10, 2000);
	CHECK_EQ(l.rows[0].nr_contended, 1);
	CHECK_EQ(l.rows[0].total, 1000);
	lock_contention_fini(&l);
}

TEST(ends_that_fit_nothing)
{
	struct lock_contention l;

	lock_contention_init(&l);
	lock_contention_add(&l, 1, "f", 32);
	/* of a wait that began before the recording; of one whose row there is not */
	lock_contention_end(&l, lock_contention_row(&l, 1), 7, 0x10, 500);
	lock_contention_end(&l, NULL, 7, 0x10, 600);
	CHECK_EQ(l.rows[0].nr_acquired, 0);
	wait_for(&l, 1, 7, 0x10, 1000, 1000);
	lock_contention_end(&l, lock_contention_row(&l, 1), 7, 0x10, 3000);
	check_text(&l, (struct lock_layout){ .key = LOCK_WAIT_TOTAL },
		   " contended   total wait     max wait     avg wait         type   caller\n\n"
		   "         1      1.00 us      1.00 us      1.00 us        mutex   f\n"
		   "\n=== output for debug ===\n\nbad: 1, total: 1\nbad rate: 100.00 %\n"
		   "histogram of events caused bad sequence\n    acquire: 0\n   acquired: 1\n"
		   "  contended: 0\n    release: 0\n");
	check_text(&l, (struct lock_layout){ .key = LOCK_WAIT_TOTAL, .separator = "," },
		   "# output: contended, total wait, max wait, avg wait, type, caller\n"
		   "1, 1000, 1000, 1000, mutex, f\n"
		   "# debug: total=1, bad=1, bad_acquire=0, bad_acquired=1, bad_contended=0, "
		   "bad_release=0\n");
	check_text(&l, (struct lock_layout){ .key = LOCK_WAIT_TOTAL, .quiet = true },
		   "         1      1.00 us      1.00 us      1.00 us        mutex   f\n");
	lock_contention_fini(&l);
}

TEST(stacks_below_callers)
{
	struct lock_contention l;

	lock_contention_init(&l);
	lock_contention_add(&l, 1, "f+0x1", 32);
	l.rows[0].stack = intern_str(&l.strings, "0xff10 g+0x10\n0xff20 f+0x1\n0x1000 ");
	wait_for(&l, 1, 7, 0x10, 1000, 1000);
	check_text(&l,
		   (struct lock_layout){ .key = LOCK_WAIT_TOTAL, .stacks = true, .quiet = true },
		   "         1      1.00 us      1.00 us      1.00 us        mutex   f+0x1\n"
		   "\t\t\t0xff10  g+0x10\n\t\t\t0xff20  f+0x1\n\t\t\t0x1000  \n");
	check_text(&l,
		   (struct lock_layout){ .key = LOCK_WAIT_TOTAL, .stacks = true, .separator = ";" },
		   "# output: contended; total wait; max wait; avg wait; type; caller; stacktrace\n"
		   "1; 1000; 1000; 1000; mutex; f+0x1; 0xff10 g+0x10: 0xff20 f+0x1: 0x1000 \n"
		   "# debug: total=1; bad=0; bad_acquire=0; bad_acquired=0; bad_contended=0; "
		   "bad_release=0\n");
	lock_contention_fini(&l);
}
