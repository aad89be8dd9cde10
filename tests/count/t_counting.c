/* SPDX-License-Identifier: MIT */
/*
 * Counting in windows against counting a recording as a whole: the sums of all windows under each
 * row's content are those of counts_run(), and frames keep their ids.
 */
#include "count/counting.h"

#include <glob.h>

#include "base/hash.h"
#include "base/mem.h"
#include "count/stack_iter.h"
#include "session/frames.h"
#include "tests/frame/unit.h"

#define COLUMNS                                                                    \
	(1u << COUNT_COMM | 1u << COUNT_TID | 1u << COUNT_IP | 1u << COUNT_STACK | \
	 1u << COUNT_RAW | 1u << COUNT_ADDR)

/* Samples and period by content. */
struct sums {
	struct idmap by_content; /* hash -> index */
	u64 *samples, *periods;
	size_t nr, cap_samples, cap_periods;
};

static void sums_fini(struct sums *s)
{
	idmap_fini(&s->by_content);
	free(s->samples);
	free(s->periods);
}

static size_t sums_index(struct sums *s, u64 content)
{
	u32 i = idmap_get(&s->by_content, content, 0);

	if (i != IDMAP_NONE)
		return i;
	idmap_put(&s->by_content, content, 0, (u32)s->nr);
	vec_reserve(s->samples, s->cap_samples, s->nr + 1);
	vec_reserve(s->periods, s->cap_periods, s->nr + 1);
	s->samples[s->nr] = s->periods[s->nr] = 0;
	return s->nr++;
}

static u64 frame_hash(const struct counts *c, u64 id, bool by_symbol)
{
	const struct frame *f = counts_frame(c, (u32)id);

	if (!by_symbol)
		return hash_pair(f->ip, f->map ? f->map->start : 1);
	/* by symbol only the names of frames say which frame it is */
	if (f->has_sym)
		return hash_pair(hash_bytes(f->sym->name, strlen(f->sym->name)), 2);
	return f->map ? hash_bytes(f->map->dso_name, strlen(f->map->dso_name)) : (s64)f->ip < 0;
}

static u64 row_content(const struct counts *c, const struct count_row *r, bool by_symbol)
{
	struct span raw = counts_blob(c, count_value(r, COUNT_RAW));
	u64 h = hash_pair(r->event,
			  hash_pair(count_value(r, COUNT_COMM), count_value(r, COUNT_TID)));
	struct stack_iter it;
	u32 id;

	h = hash_pair(h, frame_hash(c, count_value(r, COUNT_IP), by_symbol));
	if (c->columns >> COUNT_ADDR & 1)
		h = hash_pair(h, frame_hash(c, count_value(r, COUNT_ADDR), by_symbol));
	h = hash_pair(h, raw.n ? hash_bytes(raw.p, raw.n) : 0);
	stack_iter_init(&it, c, count_value(r, COUNT_STACK));
	while (stack_iter_next(&it, &id))
		h = hash_pair(h, frame_hash(c, id, by_symbol));
	return h;
}

static void sums_add(struct sums *s, struct counts *c, bool by_symbol)
{
	if (by_symbol)
		counts_resolve(c);
	for (size_t row = 0; row < c->nr_rows; row++) {
		size_t i = sums_index(s, row_content(c, &c->rows[row], by_symbol));

		s->samples[i] += c->rows[row].samples;
		s->periods[i] += c->rows[row].period;
	}
}

static void check_sums(const struct sums *got, struct sums *want)
{
	CHECK_EQ(got->nr, want->nr);
	for (size_t i = 0; i < want->nr; i++)
		CHECK_EQ(got->samples[i], want->samples[i]);
	for (size_t i = 0; i < want->nr; i++)
		CHECK_EQ(got->periods[i], want->periods[i]);
}

/* A sink that takes a window after every so many samples. */
struct monitor {
	struct sample_sink sink;
	struct counting *g;
	size_t nr, window, nr_windows;
	u64 samples;
	bool by_symbol;
	struct sums sums;
	u64 *frames; /* by id: the ip of the first window that had it */
	size_t nr_frames, cap_frames;
};

static void monitor_take(struct monitor *m)
{
	struct counts *c = counts_take(m->g);
	u64 row_samples = 0, event_samples = 0;

	CHECK(counts_nr_frames(c) >= m->nr_frames);
	for (size_t i = 0; i < m->nr_frames; i++)
		CHECK_EQ(counts_frame(c, (u32)i)->ip, m->frames[i]);
	for (size_t i = m->nr_frames; i < counts_nr_frames(c); i++)
		vec_push(m->frames, m->nr_frames, m->cap_frames, counts_frame(c, (u32)i)->ip);
	for (size_t i = 0; i < c->nr_rows; i++) {
		row_samples += c->rows[i].samples;
		CHECK(count_value(&c->rows[i], COUNT_STACK) < counts_nr_stacks(c));
		CHECK(!i || c->rows[i].first >= c->rows[i - 1].first);
	}
	/* stacks of earlier windows are not in this one */
	CHECK(counts_nr_stacks(c) <= c->nr_rows + 1);
	for (size_t i = 0; i < c->nr_events; i++)
		event_samples += c->events[i].samples;
	CHECK_EQ(row_samples, event_samples);
	CHECK_EQ(c->stats.nr_samples, event_samples);
	m->samples += event_samples;
	sums_add(&m->sums, c, m->by_symbol);
	m->nr_windows++;
	counts_free(c);
}

static int monitor_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct monitor *m = CONTAINER_OF(k, struct monitor, sink);

	(void)e;
	counting_add(m->g, v);
	if (++m->nr % m->window == 0)
		monitor_take(m);
	return 0;
}

/* False when the file has no sample. */
static bool check_windows(const char *path, size_t window, bool by_symbol)
{
	const struct session_config hermetic = { .symbols = { .hermetic = true } };
	const struct counts_config cfg = {
		.columns = by_symbol ? COLUMNS & ~(1u << COUNT_ADDR) : COLUMNS,
		.threads = 1,
		.by_symbol = by_symbol,
		.no_join = true,
	};
	const struct sample_query q = { .pass = "counting in windows" };
	struct monitor m = { .sink.sample = monitor_sample,
			     .window = window,
			     .by_symbol = by_symbol };
	struct sums whole = { 0 };
	struct counts *c = NULL;
	struct perfdata *pd;
	struct session *s;
	struct perr e;
	bool got;

	if (pd_open(path, NULL, &pd, &e))
		return false;
	s = session_new(pd, &hermetic, NULL);
	m.g = counting_new(s, &cfg);
	(void)!session_run(s, &q, &m.sink, &e);
	monitor_take(&m);
	monitor_take(&m); /* an empty one */
	CHECK_EQ(m.samples, m.nr);
	CHECK_EQ(m.nr_windows, m.nr / window + 2);
	(void)!counts_run(s, &cfg, &c, &e);
	CHECK(c);
	CHECK_EQ(m.samples, c->stats.nr_samples);
	sums_add(&whole, c, by_symbol);
	check_sums(&m.sums, &whole);
	got = m.nr > 0;
	counts_free(c);
	counting_free(m.g);
	session_free(s);
	pd_close(pd);
	sums_fini(&whole);
	sums_fini(&m.sums);
	free(m.frames);
	return got;
}

static void check_recordings(bool by_symbol)
{
	static const size_t windows[] = { 1, 7, 1000000 };
	size_t nr = 0;
	glob_t g;

	CHECK_EQ(glob("testdata/*/perf.data", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++)
		for (size_t k = 0; k < 3; k++)
			nr += check_windows(g.gl_pathv[i], windows[k], by_symbol);
	globfree(&g);
	CHECK(nr > 30);
}

TEST(windows_of_addresses_add_up)
{
	check_recordings(false);
}

TEST(windows_of_functions_add_up)
{
	check_recordings(true);
}

TEST(a_window_outlives_the_counting)
{
	const struct session_config hermetic = { .symbols = { .hermetic = true } };
	const struct counts_config cfg = { .columns = 1u << COUNT_STACK };
	struct counts *c;
	struct perfdata *pd;
	struct session *s;
	struct perr e;

	CHECK(!pd_open("testdata/fp-7.2/perf.data", NULL, &pd, &e));
	s = session_new(pd, &hermetic, NULL);
	{
		const struct sample_query q = { .pass = "counting" };
		struct monitor m = { .sink.sample = monitor_sample, .window = SIZE_MAX };

		m.g = counting_new(s, &cfg);
		CHECK_EQ(session_run(s, &q, &m.sink, &e), 0);
		c = counts_take(m.g);
		counting_free(m.g);
	}
	counting_free(NULL);
	CHECK(c->nr_rows > 0);
	counts_resolve(c);
	for (size_t row = 0; row < c->nr_rows; row++) {
		struct stack_iter it;
		u32 id;

		stack_iter_init(&it, c, count_value(&c->rows[row], COUNT_STACK));
		while (stack_iter_next(&it, &id))
			CHECK(counts_frame(c, id)->looked_up || !counts_frame(c, id)->map);
	}
	counts_free(c);
	session_free(s);
	pd_close(pd);
}
