/* SPDX-License-Identifier: MIT */
/* Parts of a recording, one behind the other, have the records of pd_order in its order. */
#include "session/parts/parts.h"

#include <glob.h>
#include <pthread.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/order.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static const u64 ids[] = { 101 };

struct seen {
	u64 time, hash; /* of its bytes */
	u64 off;
};

/* What was delivered, in order. */
struct delivered {
	struct seen *v;
	size_t nr, cap;
	int err;
};

static void add(struct delivered *d, const struct pd_record *r, u64 time)
{
	vec_push(d->v, d->nr, d->cap,
		 ((struct seen){ time, hash_bytes(r->data, r->size), r->off }));
}

static void by_order(struct perfdata *pd, struct delivered *d)
{
	struct pd_order *o = pd_order_new(pd);
	struct pd_record r;
	struct perr e;
	u64 time;

	while ((d->err = pd_order_next(o, &r, &time, &e)) == 1)
		add(d, &r, time);
	pd_order_free(o);
}

struct reader {
	struct perfdata *pd;
	struct parts *parts;
	struct delivered *d;
	u64 next;
};

static void *read_parts(void *arg)
{
	struct part_scanner scanner = { 0 };
	struct reader *r = arg;
	struct part *part;

	while ((part = parts_take(r->parts, &scanner))) {
		parts_wait_turn(r->parts, part);
		CHECK_EQ(part->number, r->next++);
		for (size_t i = 0; i < part->nr; i++) {
			const struct part_record *rec = &part->records[i];
			const struct part_piece *piece = part_piece_of(part, rec->data);
			struct pd_record whole;

			CHECK(piece);
			whole = pd_record_in_run(r->pd, &piece->run, rec->data);
			add(r->d, &whole, rec->time);
		}
		parts_pass_turn(r->parts);
		parts_done(r->parts, part);
	}
	part_scanner_fini(&scanner);
	return NULL;
}

static void by_parts(struct perfdata *pd, unsigned int nr_threads, struct delivered *d)
{
	struct reader r = { .pd = pd, .parts = parts_new(pd), .d = d };
	pthread_t threads[8];
	struct perr e;

	for (unsigned int i = 1; i < nr_threads; i++)
		CHECK(!pthread_create(&threads[i], NULL, read_parts, &r));
	read_parts(&r);
	for (unsigned int i = 1; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
	d->err = parts_error(r.parts, &e);
	parts_free(r.parts);
}

static struct perfdata *open_it(const char *path, struct span bytes)
{
	struct perfdata *pd;
	struct perr e;

	if (path ? pd_open(path, NULL, &pd, &e) : pd_open_mem(bytes, "test", NULL, &pd, &e))
		return NULL;
	return pd;
}

/* How many records were compared; 0: the recording is none that is read in parts. */
static size_t compare(const char *path, struct span bytes)
{
	struct delivered want = { 0 };
	struct perfdata *pd = open_it(path, bytes);
	struct pd_counts counts;
	u64 last_time;
	size_t nr;

	if (!pd)
		return 0;
	by_order(pd, &want);
	counts = pd->counts;
	last_time = pd->last_time;
	pd_close(pd);
	for (unsigned int threads = 1; threads <= 4; threads += 3) {
		struct delivered got = { 0 };

		pd = open_it(path, bytes);
		CHECK(pd);
		if (!parts_can(pd)) {
			pd_close(pd);
			free(want.v);
			return 0;
		}
		by_parts(pd, threads, &got);
		CHECK_EQ(got.err, want.err);
		CHECK_EQ(got.nr, want.nr);
		for (size_t i = 0; i < got.nr; i++) {
			CHECK_EQ(got.v[i].time, want.v[i].time);
			CHECK_EQ(got.v[i].hash, want.v[i].hash);
			CHECK_EQ(got.v[i].off, want.v[i].off);
		}
		CHECK_EQ(pd->last_time, last_time);
		CHECK_EQ(pd->counts.nr_records, counts.nr_records);
		CHECK_EQ(pd->counts.bytes, counts.bytes);
		CHECK_EQ(pd->counts.nr_unknown_type, counts.nr_unknown_type);
		pd_close(pd);
		free(got.v);
	}
	nr = want.nr;
	free(want.v);
	return nr;
}

/* --- built recordings --- */

struct made {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attr;
	u64 seed;
	u32 next_pid;
};

static void begin(struct made *m, u64 seed)
{
	*m = (struct made){ .b = bytes_new(seed & 1), .attr = attr_plain(), .seed = seed };
	m->f.b = &m->b;
	file_begin(&m->f, BUILD_REGULAR);
	file_add_event(&m->f, &m->attr, ids, 1);
	file_begin_data(&m->f);
}

static u64 any(struct made *m, u64 below)
{
	m->seed = m->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (m->seed >> 33) % below;
}

static void sample(struct made *m, u64 time)
{
	struct sample_parts s = { .id = 101, .time = time, .pid = m->next_pid++ };

	put_sample(&m->b, &m->attr, &s);
}

static void comm(struct made *m, u64 time)
{
	struct sample_parts s = { .id = 101, .time = time, .pid = m->next_pid };

	put_comm(&m->b, m->next_pid++, 1, "x", &m->attr, &s);
}

static void end(struct made *m, size_t nr_at_least)
{
	file_end(&m->f);
	CHECK(compare(NULL, bytes_span(&m->b)) >= nr_at_least);
	bytes_free(&m->b);
}

/* Times go up and down, some records have none, some come too late. */
static void put_some(struct made *m, size_t nr, u64 every, u64 spread)
{
	u64 base = 1000;

	for (size_t i = 0; i < nr; i++) {
		if (every && !any(m, every)) {
			put_round(&m->b);
			base += spread;
		}
		switch (any(m, 40)) {
		case 0: comm(m, 0); break;
		case 1: comm(m, UINT64_MAX); break;
		case 2: comm(m, base + any(m, spread)); break;
		case 3: sample(m, any(m, 200) ? base + any(m, spread) : 5); break;
		default: sample(m, base + any(m, spread));
		}
	}
}

TEST(random_rounds)
{
	static const u64 every[] = { 1, 5, 97, 3000, 0 };
	struct made m;

	for (size_t i = 0; i < ARRAY_SIZE(every); i++) {
		begin(&m, 7 + i);
		put_some(&m, 12000, every[i], 500);
		end(&m, 12000);
	}
}

/* Equal times stay together however many they are, and stay in their order. */
TEST(equal_times)
{
	struct made m;

	begin(&m, 4);
	put_some(&m, 12000, 0, 1);
	put_some(&m, 12000, 2000, 3);
	end(&m, 24000);
}

TEST(records_of_other_types_between)
{
	struct made m;

	begin(&m, 2);
	for (size_t i = 0; i < 200; i++) {
		put_some(&m, any(&m, 50), 20, 100);
		record_begin(&m.b, i % 3 ? PD_RECORD_THREAD_MAP : 200, 0);
		put_fill(&m.b, 0, 8);
		record_end(&m.b);
	}
	end(&m, 200);
}

/* What was whole before the damage comes before the error. */
TEST(damage)
{
	struct made m;

	begin(&m, 8);
	put_some(&m, 5000, 100, 100);
	record_begin(&m.b, PD_RECORD_COMM, 0);
	put_fill(&m.b, 0, 16); /* its size stays 0 */
	end(&m, 5000);
}

TEST(no_records)
{
	struct made m;

	begin(&m, 2);
	end(&m, 0);
}

static size_t each_file(const char *pattern)
{
	size_t nr = 0;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		fprintf(stderr, "# %s\n", g.gl_pathv[i]);
		nr += compare(g.gl_pathv[i], span_of(NULL, 0)) > 0;
	}
	globfree(&g);
	return nr;
}

TEST(own_recordings)
{
	CHECK(each_file("testdata/*/perf.data") > 10);
}

TEST(public_recordings)
{
	if (!each_file("../shared/data/perfdata/*"))
		SKIP("no public recordings beside this checkout");
}
