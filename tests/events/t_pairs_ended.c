/* SPDX-License-Identifier: MIT */
/* Begins of threads that end: which of them wait for an end no more. */
#include "events/pairs.h"

#include "events/pairs_priv.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

struct fixture {
	struct bytes b;
	struct pairs pairs;
};

static void begin(struct fixture *x, u64 time, u32 tid)
{
	const u64 key[MAX_PARTS] = { tid };

	pairs_put_begin(&x->pairs, key, 0)->at = (struct occurrence){ .time = time };
}

static void end_thread(struct fixture *x, u64 time, u32 tid)
{
	struct pd_attr a = attr_plain();
	struct replay_event ev = { .time = time };

	put_task(&x->b, PD_RECORD_EXIT, 3, 1, tid, 1, time, &a, NULL);
	ev.rec = last_record(&x->b);
	pairs_take_record(&x->pairs, &ev, false);
}

static bool is_open(struct fixture *x, u32 tid)
{
	const u64 key[MAX_PARTS] = { tid };

	return open_begins_get(&x->pairs.open, key);
}

static void fixture_begin(struct fixture *x, bool key_is_thread)
{
	const struct pairs_config cfg = { .max_keys = 5000, .max_mem = 8 << 20 };

	*x = (struct fixture){ .b = bytes_new(false) };
	pairs_init(&x->pairs, &cfg);
	x->pairs.key_is_thread = key_is_thread;
}

static void fixture_end(struct fixture *x)
{
	pairs_fini(&x->pairs);
	bytes_free(&x->b);
}

TEST(they_go_a_second_after_the_end)
{
	struct fixture x;

	fixture_begin(&x, true);
	begin(&x, 100, 5);
	begin(&x, 150, 6);
	end_thread(&x, 200, 5);
	/* the last switch of a thread comes after the record of its end */
	end_thread(&x, 1000000199, 7);
	CHECK(is_open(&x, 5));
	end_thread(&x, 1000000200, 8);
	CHECK(!is_open(&x, 5));
	CHECK(is_open(&x, 6));
	CHECK_EQ(x.pairs.nr_of_ended, 1);
	CHECK_EQ(pairs_nr_open(&x.pairs), 2);
	pairs_restart(&x.pairs);
	CHECK_EQ(pairs_nr_open(&x.pairs), 1);
	/* those that ended are known in the next interval, too; and many of them */
	for (u32 i = 0; i < 1000; i++) {
		begin(&x, 2000000000 + i, 100 + i);
		end_thread(&x, 2000000000 + i, 100 + i);
	}
	CHECK_EQ(x.pairs.open.nr, 1001);
	end_thread(&x, 3000000499, 9);
	CHECK_EQ(x.pairs.open.nr, 501);
	CHECK(!is_open(&x, 599) && is_open(&x, 600));
	end_thread(&x, 9000000000, 10);
	CHECK_EQ(x.pairs.open.nr, 1);
	CHECK(x.pairs.ended.cap < 2000);
	fixture_end(&x);
}

TEST(another_thread_of_the_id_keeps_its_begin)
{
	struct fixture x;

	fixture_begin(&x, true);
	x.pairs.cfg.nest = true;
	begin(&x, 100, 5);
	end_thread(&x, 200, 5);
	begin(&x, 300, 5);
	end_thread(&x, 5000000000, 7);
	CHECK_EQ(x.pairs.open.nr, 2);
	CHECK_EQ(x.pairs.nr_of_ended, 0);
	fixture_end(&x);
}

/* The end of what has another key may come from another thread. */
TEST(other_keys_are_left_alone)
{
	struct fixture x;

	fixture_begin(&x, false);
	begin(&x, 100, 5);
	end_thread(&x, 200, 5);
	end_thread(&x, 5000000000, 7);
	CHECK(is_open(&x, 5));
	fixture_end(&x);
}
