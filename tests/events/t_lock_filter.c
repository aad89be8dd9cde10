/* SPDX-License-Identifier: MIT */
/* Which waits plat --as=lock-contention counts. */
#include "events/perf_texts/lock_filter.h"

#include "tests/frame/unit.h"

/* LCB_F_* */
#define SPIN 1u
#define READ 2u
#define WRITE 4u
#define PERCPU 16u
#define MUTEX 32u

TEST(kinds_by_name_with_and_without_suffix)
{
	struct lock_filter f = { 0 };
	struct perr e;

	CHECK(lock_filter_has_kind(&f, SPIN));
	CHECK_EQ(lock_filter_kinds(&f, "mutex,rwsem:R,,percpu-rwsem", &e), 0);
	CHECK(lock_filter_has_kind(&f, MUTEX));
	CHECK(lock_filter_has_kind(&f, MUTEX | SPIN));
	CHECK(lock_filter_has_kind(&f, READ));
	CHECK(!lock_filter_has_kind(&f, WRITE));
	CHECK(lock_filter_has_kind(&f, PERCPU | READ));
	CHECK(lock_filter_has_kind(&f, PERCPU | WRITE));
	CHECK(!lock_filter_has_kind(&f, SPIN));
	CHECK(!lock_filter_has_kind(&f, SPIN | READ | WRITE | PERCPU));
	CHECK_EQ(lock_filter_kinds(&f, "rwsem", &e), 0);
	CHECK(lock_filter_has_kind(&f, WRITE));
	CHECK_EQ(lock_filter_kinds(&f, "mutex,rwsem:X", &e), PERR_USAGE);
	CHECK(strstr(e.text, "'rwsem:X' is no kind of lock"));
	CHECK_EQ(lock_filter_kinds(&f, "mute", &e), PERR_USAGE);
	lock_filter_fini(&f);
}

TEST(locks_by_address_and_by_symbol)
{
	struct lock_filter f = { 0 };
	struct perr e;

	CHECK(lock_filter_has_lock(&f, 1, NULL));
	CHECK_EQ(lock_filter_locks(&f, "0xff10,ff20,tasklist_lock", &e), 0);
	CHECK(lock_filter_has_lock(&f, 0xff10, NULL));
	CHECK(lock_filter_has_lock(&f, 0xff20, "other"));
	CHECK(lock_filter_has_lock(&f, 0xff30, "tasklist_lock"));
	CHECK(!lock_filter_has_lock(&f, 0xff30, "tasklist"));
	CHECK(!lock_filter_has_lock(&f, 0xff30, NULL));
	lock_filter_fini(&f);
}

TEST(functions_by_a_part_of_their_names)
{
	struct lock_filter f = { 0 };
	struct perr e;

	CHECK_EQ(lock_filter_stack(&f, "mmap,,fput", &e), 0);
	CHECK(lock_filter_has_function(&f, "vm_mmap_pgoff"));
	CHECK(lock_filter_has_function(&f, "__fput"));
	CHECK(!lock_filter_has_function(&f, "do_exit"));
	lock_filter_fini(&f);
}
