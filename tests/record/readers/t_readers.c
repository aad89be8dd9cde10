/* SPDX-License-Identifier: MIT */
/*
 * Readers over rings in memory, whose files take a limited number of bytes in each tick: as on a
 * large machine, one file is not fast enough for all rings. Ticks end when the readers wait, so the
 * speed of this machine does not matter.
 */
#include "record/readers/readers.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/record/readers/fake_rings.h"
#include "tests/frame/unit.h"

#define NR_RINGS 64u
#define RING_BYTES 4096u
#define PER_TICK 50u /* samples for each ring; a ring has room for 102 */
#define NR_TICKS 8u
/* What one file takes in a tick: a quarter of what all rings get, twice what an eighth of them
 * gets. */
#define FILE_BYTES (NR_RINGS * PER_TICK * FAKE_SAMPLE_BYTES / 4)

struct machine {
	struct fake_rings f;
	struct rec_evlist l;
	struct reader_layout layout;
	struct readers *readers;
	size_t nr_readers;
	int pipes[NR_RINGS], ends[NR_RINGS]; /* the files: where bytes come out, and go in */
	struct wbuf written[NR_RINGS];       /* what came out */
	size_t stalled;                      /* a file that takes nothing; SIZE_MAX: none */
	bool stopped;                        /* atomic: the readers write no more */
};

static void machine_start(struct machine *m, size_t nr_readers, bool copies)
{
	struct perr e;

	*m = (struct machine){ .nr_readers = nr_readers, .stalled = SIZE_MAX };
	fake_rings_init(&m->f, NR_RINGS, RING_BYTES);
	evlist_init(&m->l);
	fake_rings_add_event(&m->l);
	for (size_t i = 0; i < nr_readers; i++) {
		struct reader_place p = { 0 };

		for (u32 cpu = 0; cpu < NR_RINGS; cpu++)
			if (cpu * nr_readers / NR_RINGS == i)
				vec_push(p.reads.cpus, p.reads.nr, p.reads.cap, cpu);
		vec_push(m->layout.places, m->layout.nr, m->layout.cap, p);
	}
	m->readers = readers_new(&(struct readers_config){ .l = &m->l,
							   .rings = &m->f.rings,
							   .layout = &m->layout,
							   .copies = copies,
							   .sweep_ms = 1 });
	for (size_t i = 0; i < nr_readers; i++) {
		struct rec_sink_opts so = { .path = "-", .own_thread = copies };
		struct rec_sink *sink;
		int ends[2];

		CHECK(!pipe2(ends, O_CLOEXEC));
		CHECK(fcntl(ends[0], F_SETPIPE_SZ, 4096) >= 4096);
		fcntl(ends[0], F_SETFL, O_NONBLOCK);
		m->pipes[i] = ends[0];
		so.fd = m->ends[i] = ends[1];
		CHECK(!sink_open(&so, NULL, &sink, &e));
		readers_set_sink(m->readers, i, sink);
	}
	CHECK(!readers_start(m->readers, &e));
}

/* Takes at most *room bytes from file i. Returns false if there were none. */
static bool take(struct machine *m, size_t i, size_t *room)
{
	u8 buf[4096];
	ssize_t n = read(m->pipes[i], buf, *room < sizeof(buf) ? *room : sizeof(buf));

	if (n <= 0)
		return false;
	wb_mem(&m->written[i], buf, (size_t)n);
	*room -= (size_t)n;
	return true;
}

static bool rings_are_empty(const struct machine *m, size_t reader)
{
	for (size_t k = 0; k < m->layout.places[reader].reads.nr; k++)
		if (!fake_ring_is_empty(&m->f, m->layout.places[reader].reads.cpus[k]))
			return false;
	return true;
}

/* Lets the files take their bytes, until each has had them or has no more to get. */
static void let_files_take(struct machine *m)
{
	size_t room[NR_RINGS];
	bool waiting = true;

	for (size_t i = 0; i < m->nr_readers; i++)
		room[i] = i == m->stalled ? 0 : FILE_BYTES;
	while (waiting) {
		waiting = false;
		for (size_t i = 0; i < m->nr_readers; i++) {
			while (room[i] && take(m, i, &room[i]))
				;
			waiting |= room[i] && !rings_are_empty(m, i);
		}
		if (waiting)
			usleep(200);
	}
}

static void run_ticks(struct machine *m)
{
	for (u32 tick = 0; tick < NR_TICKS; tick++) {
		for (u32 k = 0; k < PER_TICK; k++)
			for (size_t i = 0; i < NR_RINGS; i++)
				fake_ring_put(&m->f, i);
		let_files_take(m);
	}
}

static void *take_all(void *arg)
{
	struct machine *m = arg;

	for (;;) {
		bool last = __atomic_load_n(&m->stopped, __ATOMIC_ACQUIRE), any = false;

		for (size_t i = 0; i < m->nr_readers; i++)
			for (size_t room = SIZE_MAX; take(m, i, &room);)
				any = true;
		if (last)
			return NULL;
		if (!any)
			usleep(200);
	}
}

static u64 lost_of(const struct machine *m, size_t reader)
{
	u64 n = 0;

	for (size_t k = 0; k < m->layout.places[reader].reads.nr; k++)
		n += m->f.lost[m->layout.places[reader].reads.cpus[k]];
	return n;
}

/*
 * Ends the readers. Checks that each sample that was not lost in a ring is in the file of its
 * reader, in order and once. Returns the lost ones.
 */
static u64 machine_end(struct machine *m)
{
	u64 next[NR_RINGS] = { 0 }, nr[NR_RINGS] = { 0 }, lost = 0, samples = 0;
	struct rec_copier *sum = copier_new(&m->l, NULL);
	struct rec_sink_stat stat = { 0 };
	pthread_t taker;
	struct perr e;

	CHECK(!readers_error(m->readers, &e));
	pthread_create(&taker, NULL, take_all, m);
	CHECK(!readers_stop(m->readers, &e));
	readers_add_counts(m->readers, sum);
	readers_add_stat(m->readers, &stat);
	readers_free(m->readers);
	__atomic_store_n(&m->stopped, true, __ATOMIC_RELEASE);
	pthread_join(taker, NULL);
	for (size_t i = 0; i < m->nr_readers; i++) {
		const struct wbuf *w = &m->written[i];

		CHECK_EQ(w->n % FAKE_SAMPLE_BYTES, 0);
		for (size_t at = 0; at < w->n; at += FAKE_SAMPLE_BYTES) {
			u64 ip = get_u64(w->p + at + 8, false);
			size_t ring = (size_t)(ip >> 32);

			CHECK(ring < NR_RINGS);
			CHECK_EQ(reader_layout_place_of(&m->layout, (u32)ring), i);
			CHECK((u32)ip >= next[ring]);
			next[ring] = (u32)ip + 1;
			nr[ring]++;
		}
		samples += w->n / FAKE_SAMPLE_BYTES;
	}
	for (size_t i = 0; i < NR_RINGS; i++) {
		CHECK_EQ(nr[i], m->f.sent[i] - m->f.lost[i]);
		lost += m->f.lost[i];
	}
	CHECK_EQ(copier_counts(sum)->samples, samples);
	CHECK_EQ(stat.data_bytes, samples * FAKE_SAMPLE_BYTES);
	CHECK_EQ(copier_counts(sum)->first_time, 1);
	copier_free(sum);
	for (size_t i = 0; i < m->nr_readers; i++) {
		close(m->pipes[i]);
		close(m->ends[i]);
		wb_fini(&m->written[i]);
	}
	reader_layout_fini(&m->layout);
	fake_rings_fini(&m->f);
	evlist_fini(&m->l);
	return lost;
}

TEST(eight_readers_lose_nothing_where_one_does)
{
	struct machine m;

	machine_start(&m, 1, false);
	run_ticks(&m);
	CHECK(machine_end(&m) > NR_RINGS * PER_TICK);
	machine_start(&m, 8, false);
	run_ticks(&m);
	CHECK_EQ(machine_end(&m), 0);
}

TEST(a_reader_for_each_of_64_rings)
{
	struct machine m;

	machine_start(&m, NR_RINGS, false);
	run_ticks(&m);
	CHECK_EQ(machine_end(&m), 0);
}

TEST(a_file_that_hangs_stops_its_own_reader_only)
{
	struct machine m;
	u64 lost;

	machine_start(&m, 8, false);
	m.stalled = 3;
	run_ticks(&m);
	lost = lost_of(&m, 3);
	CHECK(lost > 0);
	CHECK_EQ(machine_end(&m), lost);
}

TEST(a_file_that_hangs_stops_no_reader_where_records_are_copied)
{
	struct machine m;

	machine_start(&m, 8, true);
	m.stalled = 3;
	run_ticks(&m);
	for (u32 ms = 0; ms < 10000 && !rings_are_empty(&m, 3); ms++)
		usleep(1000);
	CHECK_EQ(machine_end(&m), 0);
}

TEST(a_reader_that_fails_is_reported)
{
	struct machine m;
	struct perr e = { 0 };
	int err = 0;

	machine_start(&m, 2, false);
	close(m.pipes[1]); /* its reader's next write fails: nobody reads */
	fake_ring_put(&m.f, NR_RINGS - 1);
	for (u32 ms = 0; ms < 10000 && !err; ms++) {
		usleep(1000);
		err = readers_error(m.readers, &e);
	}
	CHECK_EQ(err, PERR_IO);
	CHECK(strstr(e.text, "Broken pipe"));
	CHECK_EQ(readers_stop(m.readers, &e), PERR_IO);
	readers_free(m.readers);
	close(m.pipes[0]);
	reader_layout_fini(&m.layout);
	fake_rings_fini(&m.f);
	evlist_fini(&m.l);
}
