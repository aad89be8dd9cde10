/* SPDX-License-Identifier: MIT */
/* Records leave in the order in which they came, whenever those that wait are known. */
#include "record/convert/file_queue.h"

#include <string.h>

#include "tests/frame/mutate.h"
#include "tests/frame/unit.h"

#define NR 20000u

/* Record i: eight bytes that hold its number. */
static u64 store[NR];

static struct pd_record record_of(u32 i)
{
	store[i] = i;
	return (struct pd_record){ .data = (const u8 *)&store[i], .size = 8, .file_idx = i % 3 };
}

/* Takes all that there is; what was replaced is its number's complement. */
static void take_all(struct file_queue *f, struct wbuf *b, u32 *next, const bool *waited)
{
	u64 got;

	b->n = 0;
	while (file_queue_take(f, b, 256))
		;
	while (file_queue_take(f, b, SIZE_MAX))
		;
	for (size_t at = 0; at < b->n; at += 8, (*next)++) {
		memcpy(&got, b->p + at, 8);
		CHECK_EQ(got, waited[*next] ? ~(u64)*next : *next);
	}
}

TEST(order_is_kept)
{
	static bool waits[NR];
	static u32 open[NR];
	struct file_queue f = { 0 };
	struct wbuf b = { 0 };
	struct dice d = dice_of("queue", 1);
	u32 next = 0, nr_open = 0;

	for (u32 i = 0; i < NR; i++) {
		struct pd_record r = record_of(i);

		waits[i] = roll(&d, 3);
		file_queue_add(&f, &r, waits[i]);
		if (waits[i])
			open[nr_open++] = i;
		/* known in any order, with a few to several hundred that wait */
		while (nr_open > (i / 4000 % 2 ? 5 : 700)) {
			u32 pick = (u32)roll(&d, nr_open), at = open[pick];
			u64 other = ~(u64)at;

			r = record_of(at);
			file_queue_replace(&f, &r, span_of((const u8 *)&other, 8));
			open[pick] = open[--nr_open];
		}
		take_all(&f, &b, &next, waits);
	}
	while (nr_open) {
		u32 at = open[--nr_open];
		u64 other = ~(u64)at;
		struct pd_record r = record_of(at);

		file_queue_replace(&f, &r, span_of((const u8 *)&other, 8));
	}
	take_all(&f, &b, &next, waits);
	CHECK_EQ(next, NR);
	file_queue_fini(&f);
	wb_fini(&b);
}

TEST(what_never_becomes_known_is_left_out)
{
	struct file_queue f = { 0 };
	struct wbuf b = { 0 };
	u64 got;

	for (u32 i = 0; i < 4; i++) {
		struct pd_record r = record_of(i);

		file_queue_add(&f, &r, i % 2 == 0);
	}
	CHECK(!file_queue_take(&f, &b, 100));
	CHECK_EQ(file_queue_give_up(&f), 2);
	CHECK(file_queue_take(&f, &b, 100));
	CHECK_EQ(b.n, 16);
	memcpy(&got, b.p + 8, 8);
	CHECK_EQ(got, 3);
	file_queue_fini(&f);
	wb_fini(&b);
}

/* A queue that is thrown away with records in it. */
TEST(nothing_leaks)
{
	struct file_queue f = { 0 };
	struct pd_record r = record_of(0);

	file_queue_add(&f, &r, true);
	file_queue_replace(&f, &r, span_of((const u8 *)"12345678", 8));
	r = record_of(1);
	file_queue_add(&f, &r, true);
	file_queue_fini(&f);
}
