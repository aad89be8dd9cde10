/* SPDX-License-Identifier: MIT */
#include "tests/frame/unit.h"

#include <unistd.h>

#include "base/mem.h"
#include "fileformat/order.h"
#include "tests/frame/build_file.h"
#include "tests/frame/decode_all.h"

static const u64 ids[] = { 101 };

struct ordered_file {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attr;
	struct perfdata *pd;
	struct pd_order *o;
	u32 next_pid;
	bool goes_on;            /* short samples that follow each other come as such */
	struct pd_record record; /* the last one; words NULL: no short sample */
	struct pd_short shorts[7];
	size_t nr_shorts, next_short;
};

static void start(struct ordered_file *t, enum build_kind kind, bool sample_id_all)
{
	*t = (struct ordered_file){ .b = bytes_new(false), .attr = attr_plain(), .next_pid = 1 };
	if (!sample_id_all)
		t->attr.flags &= ~(1ull << PD_ATTR_SAMPLE_ID_ALL);
	t->f.b = &t->b;
	file_begin(&t->f, kind);
	file_add_event(&t->f, &t->attr, ids, 1);
	file_begin_data(&t->f);
}

/* A sample whose pid says its place in the file, from 1. */
static void sample(struct ordered_file *t, u64 time)
{
	struct sample_parts s = { .id = 101, .time = time, .pid = t->next_pid++ };

	put_sample(&t->b, &t->attr, &s);
}

static void comm(struct ordered_file *t, u64 time)
{
	struct sample_parts s = { .id = 101, .time = time, .pid = t->next_pid };

	put_comm(&t->b, t->next_pid++, 1, "x", &t->attr, &s);
}

static void open_it(struct ordered_file *t)
{
	struct perr e;

	file_end(&t->f);
	CHECK_EQ(pd_open_mem(bytes_span(&t->b), "test", NULL, &t->pd, &e), 0);
	t->o = pd_order_new(t->pd);
}

static void finish(struct ordered_file *t)
{
	pd_order_free(t->o);
	pd_close(t->pd);
	bytes_free(&t->b);
}

/* Goes on to the next of the short samples that follow one, where it is to come as such. */
static bool next_short(struct ordered_file *t, u64 *ret_time)
{
	struct pd_record *r = &t->record;
	const struct pd_short *s = t->shorts;

	if (!t->goes_on || !r->words)
		return false;
	if (t->next_short == t->nr_shorts) {
		t->next_short = 0;
		t->nr_shorts = pd_order_next_shorts(t->o, t->shorts, ARRAY_SIZE(t->shorts));
	}
	if (!t->nr_shorts)
		return false;
	s += t->next_short++;
	*ret_time = s->time;
	*r = (struct pd_record){ .ev = s->ev, .words = s->words, .size = s->nr * 8 };
	return true;
}

/* Place of the next sample or COMM in the file, 0 at the end; its time in *ret_time. */
static u32 next(struct ordered_file *t, u64 *ret_time)
{
	struct pd_record *r = &t->record;
	struct pd_sample s;
	struct perr e = { 0 };
	int got = 1;

	while (next_short(t, ret_time) || (got = pd_order_next(t->o, r, ret_time, &e)) == 1) {
		if (r->type == PD_RECORD_COMM)
			return get_u32(r->data + 8, false);
		if (r->words) {
			CHECK_EQ(r->size, 2 * sizeof(u64));
			CHECK_EQ(r->words[1], *ret_time);
			CHECK(r->ev == t->pd->events[0]);
			return (u32)r->words[0];
		}
		if (r->type != PD_RECORD_SAMPLE)
			continue;
		CHECK_EQ(pd_read_sample(t->pd->events[0], r, t->pd->swap, &s, &e), 0);
		CHECK_EQ(s.time, *ret_time);
		return s.pid;
	}
	CHECK_EQ(got, 0);
	return 0;
}

static void expect_order(struct ordered_file *t, const u32 *want, size_t nr)
{
	u64 time;
	size_t i;

	for (i = 0; i < nr; i++)
		CHECK_EQ(next(t, &time), want[i]);
	CHECK_EQ(next(t, &time), 0);
	CHECK_EQ(next(t, &time), 0);
}

#define EXPECT_ORDER(t, ...) \
	expect_order((t), (const u32[]){ __VA_ARGS__ }, ARRAY_SIZE(((const u32[]){ __VA_ARGS__ })))

TEST(sorted_by_time_at_the_end)
{
	struct ordered_file t;

	start(&t, BUILD_REGULAR, true);
	sample(&t, 30);
	sample(&t, 10);
	sample(&t, 20);
	sample(&t, 5);
	open_it(&t);
	EXPECT_ORDER(&t, 4, 2, 3, 1);
	finish(&t);
}

TEST(equal_times_keep_file_order)
{
	struct ordered_file t;
	u32 i;

	start(&t, BUILD_REGULAR, true);
	for (i = 0; i < 50; i++) {
		sample(&t, 7);
		comm(&t, 7);
		sample(&t, 6);
	}
	open_it(&t);
	for (i = 0; i < 50; i++) {
		u64 time;

		CHECK_EQ(next(&t, &time), 3 * i + 3);
		CHECK_EQ(time, 6);
	}
	for (i = 0; i < 50; i++) {
		u64 time;

		CHECK_EQ(next(&t, &time), 3 * i + 1);
		CHECK_EQ(next(&t, &time), 3 * i + 2);
		CHECK_EQ(time, 7);
	}
	EXPECT_ORDER(&t, 0);
	finish(&t);
}

/* time 0 (synthesized) and ~0 are delivered when they are read */
TEST(untimed_records_at_once)
{
	struct ordered_file t;

	start(&t, BUILD_REGULAR, true);
	sample(&t, 30);
	comm(&t, 0);
	sample(&t, 10);
	comm(&t, UINT64_MAX);
	open_it(&t);
	EXPECT_ORDER(&t, 2, 4, 3, 1);
	finish(&t);
}

TEST(nothing_has_a_trailer)
{
	struct ordered_file t;
	u64 time;

	/* side-band records without a time cannot be sorted among samples: file order */
	start(&t, BUILD_REGULAR, false);
	comm(&t, 0);
	sample(&t, 30);
	comm(&t, 0);
	sample(&t, 10);
	open_it(&t);
	CHECK_EQ(next(&t, &time), 1);
	CHECK_EQ(next(&t, &time), 2);
	CHECK_EQ(next(&t, &time), 3);
	CHECK_EQ(next(&t, &time), 4);
	CHECK_EQ(next(&t, &time), 0);
	finish(&t);
}

/* A round flushes up to the largest time seen before the round before it. */
TEST(rounds)
{
	struct ordered_file t;
	struct pd_record r;
	struct perr e;
	u64 time, seen[16];
	size_t nr = 0, nr_rounds = 0, at_round[4];

	start(&t, BUILD_REGULAR, true);
	sample(&t, 10);
	sample(&t, 30);
	put_round(&t.b); /* flushes nothing; limit is now 30 */
	sample(&t, 20);
	sample(&t, 40);
	put_round(&t.b); /* flushes 10, 20, 30; limit is now 40 */
	sample(&t, 50);
	sample(&t, 35);
	put_round(&t.b); /* flushes 35, 40 */
	sample(&t, 60);
	open_it(&t);
	while (pd_order_next(t.o, &r, &time, &e) == 1) {
		if (r.type == PD_RECORD_FINISHED_ROUND)
			at_round[nr_rounds++] = nr;
		else if (r.type == PD_RECORD_SAMPLE)
			seen[nr++] = time;
	}
	CHECK_EQ(nr, 7);
	CHECK_EQ(seen[0], 10);
	CHECK_EQ(seen[1], 20);
	CHECK_EQ(seen[2], 30);
	CHECK_EQ(seen[3], 35);
	CHECK_EQ(seen[4], 40);
	CHECK_EQ(seen[5], 50);
	CHECK_EQ(seen[6], 60);
	CHECK_EQ(nr_rounds, 3);
	CHECK_EQ(at_round[0], 0);
	finish(&t);
}

TEST(late_records_are_delivered)
{
	struct ordered_file t;

	start(&t, BUILD_REGULAR, true);
	sample(&t, 100);
	put_round(&t.b);
	sample(&t, 200);
	put_round(&t.b); /* flushes 100 */
	sample(&t, 50);
	sample(&t, 300);
	open_it(&t);
	EXPECT_ORDER(&t, 1, 3, 2, 4);
	finish(&t);
}

/* The records read are the same whatever the order: nothing is lost, nothing comes twice. */
static void random_rounds(enum build_kind kind, u64 seed)
{
	struct ordered_file t;
	const u32 nr = 5000;
	u8 *seen = xcalloc(nr + 1, 1);
	u64 base = 1000, time, last = 0;
	u32 i, place, nr_seen = 0, nr_back = 0;

	start(&t, kind, true);
	for (i = 0; i < nr; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		if ((seed >> 33) % 97 == 0) {
			put_round(&t.b);
			base += 500; /* no record is older than the round before the last */
		}
		sample(&t, base + (seed >> 40) % 500);
	}
	open_it(&t);
	while ((place = next(&t, &time))) {
		CHECK(place <= nr);
		CHECK(!seen[place]);
		seen[place] = 1;
		nr_back += time < last;
		last = time;
		nr_seen++;
	}
	CHECK_EQ(nr_seen, nr);
	CHECK_EQ(nr_back, 0);
	finish(&t);
	free(seen);
}

TEST(random_times_and_rounds)
{
	u64 seed;

	for (seed = 1; seed < 6; seed++) {
		random_rounds(BUILD_REGULAR, seed);
		random_rounds(BUILD_PIPE, seed);
	}
}

/* What the order is to be: at each round, what waits is sorted stably and given out up to a limit.
 */
struct reference {
	struct {
		u64 time;
		u32 place;
	} waiting[4000];
	size_t nr;
	u64 limit, newest;
	u32 want[4000];
	size_t nr_want;
	bool is_sample[4000]; /* by place */
};

static void reference_add(struct reference *f, u64 time, u32 place)
{
	size_t i = f->nr++;

	for (; i && f->waiting[i - 1].time > time; i--)
		f->waiting[i] = f->waiting[i - 1];
	f->waiting[i].time = time;
	f->waiting[i].place = place;
	if (time > f->newest)
		f->newest = time;
}

static void reference_flush(struct reference *f, u64 limit)
{
	size_t n = 0;

	while (n < f->nr && f->waiting[n].time <= limit)
		f->want[f->nr_want++] = f->waiting[n++].place;
	f->nr -= n;
	memmove(f->waiting, f->waiting + n, f->nr * sizeof(f->waiting[0]));
	f->limit = f->newest;
}

/* Removes what shorten_some() leaves out from f->want. Returns how many samples that are. */
static u64 reference_leave_out(struct reference *f)
{
	size_t nr = 0, all = f->nr_want;

	for (size_t i = 0; i < all; i++)
		if (f->want[i] % 6 || !f->is_sample[f->want[i]])
			f->want[nr++] = f->want[i];
	f->nr_want = nr;
	return all - nr;
}

static int shorten_all(void *ctx, const struct pd_event *ev, const struct pd_record *r, u64 *words)
{
	struct ordered_file *t = ctx;
	struct pd_sample s;
	struct perr e;

	CHECK_EQ(pd_read_sample(ev, r, t->pd->swap, &s, &e), 0);
	words[0] = s.pid;
	words[1] = s.time;
	return 2;
}

/* Of samples whose places are multiples of 3, every other one is left out. */
static int shorten_some(void *ctx, const struct pd_event *ev, const struct pd_record *r, u64 *words)
{
	int nr = shorten_all(ctx, ev, r, words);

	return words[0] % 3 ? nr : words[0] % 2 ? PD_SHORT_NOT : PD_SHORT_LEFT_OUT;
}

/* Rings of several CPUs one after the other, with equal times and records that come too late. */
static void rings_and_rounds(enum build_kind kind, u64 seed, pd_shorten_fn *shorten)
{
	struct reference *f = xcalloc(1, sizeof(*f));
	struct ordered_file t;
	u64 base = 100000, nr_left_out;

	start(&t, kind, true);
	for (u32 round = 0; round < 30; round++) {
		for (u32 ring = 0; ring < 3; ring++) {
			u64 time = base;

			for (u32 i = 0; i < 40; i++) {
				seed = seed * 6364136223846793005ull + 1442695040888963407ull;
				time += (seed >> 40) % 3;
				if ((seed >> 33) % 50 == 0)
					time -= 300;
				reference_add(f, time, t.next_pid);
				f->is_sample[t.next_pid] = (seed >> 50) % 5;
				if ((seed >> 50) % 5)
					sample(&t, time);
				else
					comm(&t, time);
			}
		}
		put_round(&t.b);
		reference_flush(f, f->limit);
		base += seed % 2 ? 40 : 20;
	}
	reference_flush(f, UINT64_MAX);
	nr_left_out = shorten == shorten_some ? reference_leave_out(f) : 0;
	open_it(&t);
	if (shorten)
		pd_order_shorten(t.o, shorten, &t, NULL);
	t.goes_on = seed % 2;
	expect_order(&t, f->want, f->nr_want);
	CHECK_EQ(pd_order_left_out(t.o), nr_left_out);
	finish(&t);
	free(f);
}

TEST(order_is_that_of_a_stable_sort)
{
	for (u64 seed = 1; seed < 6; seed++) {
		rings_and_rounds(BUILD_REGULAR, seed, NULL);
		rings_and_rounds(BUILD_PIPE, seed, NULL);
	}
}

TEST(short_samples_come_in_the_same_order)
{
	for (u64 seed = 1; seed < 6; seed++) {
		rings_and_rounds(BUILD_REGULAR, seed, shorten_all);
		rings_and_rounds(BUILD_REGULAR, seed, shorten_some);
		rings_and_rounds(BUILD_PIPE, seed, shorten_all);
		rings_and_rounds(BUILD_PIPE, seed, shorten_some);
	}
}

/* What was whole before the damage has been delivered, in order, when the error comes. */
TEST(error_after_all_whole_records)
{
	struct ordered_file t;
	struct pd_record r;
	struct perr e = { 0 };
	u64 time;

	start(&t, BUILD_REGULAR, true);
	sample(&t, 30);
	sample(&t, 10);
	record_begin(&t.b, PD_RECORD_COMM, 0);
	put_fill(&t.b, 0, 16); /* its size stays 0 */
	open_it(&t);
	CHECK_EQ(pd_order_next(t.o, &r, &time, &e), 1);
	CHECK_EQ(time, 10);
	CHECK_EQ(pd_order_next(t.o, &r, &time, &e), 1);
	CHECK_EQ(time, 30);
	CHECK_EQ(pd_order_next(t.o, &r, &time, &e), PERR_FORMAT);
	CHECK_EQ(e.off, t.b.rec);
	CHECK_EQ(pd_order_next(t.o, &r, &time, &e), PERR_FORMAT);
	finish(&t);
}

/* Freed halfway: held blocks and queued records go with it. */
TEST(left_halfway)
{
	struct ordered_file t;
	struct pd_record r;
	struct perr e;
	u64 time;
	u32 i;

	start(&t, BUILD_PIPE, true);
	for (i = 0; i < 100; i++)
		sample(&t, 100 - i);
	open_it(&t);
	do {
		CHECK_EQ(pd_order_next(t.o, &r, &time, &e), 1);
	} while (r.type != PD_RECORD_SAMPLE);
	CHECK_EQ(time, 1);
	finish(&t);
	pd_order_free(NULL);
}

/* Rounds that flush nothing new must not cost more with every round. */
TEST(many_rounds_are_cheap)
{
	struct ordered_file t;
	struct decoded d;
	struct perr e;
	u32 i;

	start(&t, BUILD_REGULAR, true);
	for (i = 0; i < 20000; i++)
		sample(&t, UINT64_MAX - 1 - i);
	for (i = 0; i < 200000; i++)
		put_round(&t.b);
	file_end(&t.f);
	alarm(20);
	CHECK_EQ(pd_open_mem(bytes_span(&t.b), "test", NULL, &t.pd, &e), 0);
	CHECK_EQ(decode_all(t.pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_samples, 20000);
	t.o = NULL;
	finish(&t);
}
