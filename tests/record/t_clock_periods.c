/* SPDX-License-Identifier: MIT */
#include "record/ring/clock_periods.h"

#include "base/mem.h"
#include "base/wbuf.h"
#include "fileformat/record.h"
#include "tests/frame/unit.h"

static struct rec_event *add(struct rec_evlist *l, u64 sample_type, u64 id, u64 period_now)
{
	struct rec_event *ev = evlist_add(l, "e", PD_TYPE_SOFTWARE, 0);

	ev->attr.sample_type = sample_type;
	ev->period_now = period_now;
	ev->nr_fds = 2;
	ev->fds = xcalloc(2, sizeof(*ev->fds));
	ev->ids = xcalloc(2, sizeof(*ev->ids));
	ev->ids[0] = id;
	ev->ids[1] = id + 1;
	return ev;
}

/* Appends a record of nr words behind its header. */
static void put(struct wbuf *b, u32 type, const u64 *words, size_t nr)
{
	wb_u64(b, type | (u64)(8 + 8 * nr) << 48);
	for (size_t i = 0; i < nr; i++)
		wb_u64(b, words[i]);
}

static u64 word(const struct wbuf *b, size_t i)
{
	return get_u64(b->p + 8 * i, false);
}

TEST(one_event_without_ids)
{
	const u64 words[] = { 0x401000, 7, 1000, 5 };
	struct rec_evlist l;
	struct wbuf b = { 0 };
	struct rec_event *ev;

	evlist_init(&l);
	ev = add(&l, PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_PERIOD, 1, 0);
	put(&b, PD_RECORD_SAMPLE, words, 4);
	put(&b, PD_RECORD_COMM, words, 4);
	put(&b, PD_RECORD_SAMPLE, words, 3); /* too short */
	put(&b, PD_RECORD_SAMPLE, words, 4);
	clock_periods_set(&l, b.p, b.n);
	CHECK_EQ(word(&b, 4), 5);
	ev->period_now = 4000000;
	clock_periods_set(&l, b.p, b.n);
	CHECK_EQ(word(&b, 4), 4000000);
	CHECK_EQ(word(&b, 9), 5);
	CHECK_EQ(word(&b, 18), 4000000);
	CHECK_EQ(word(&b, 17), 1000);
	wb_fini(&b);
	evlist_fini(&l);
}

TEST(events_by_their_ids)
{
	static const u64 types[] = {
		PD_SAMPLE_IP | PD_SAMPLE_ID | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD,
		PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD,
	};

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		struct rec_evlist l;
		struct wbuf b = { 0 };

		evlist_init(&l);
		add(&l, types[t], 10, 0);
		add(&l, types[t], 20, 77);
		for (u64 id = 10; id < 40; id += 11) /* 10, 21: of the two events, 32: of none */
			put(&b, PD_RECORD_SAMPLE, (u64[]){ t ? id : 1, t ? 1 : id, 0, 5 }, 4);
		clock_periods_set(&l, b.p, b.n);
		CHECK_EQ(word(&b, 4), 5);
		CHECK_EQ(word(&b, 9), 77);
		CHECK_EQ(word(&b, 14), 5);
		wb_fini(&b);
		evlist_fini(&l);
	}
}
