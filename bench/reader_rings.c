/* SPDX-License-Identifier: MIT */
/*
 * What the readers of --threads take: rings in memory that producers fill as fast as they can, or
 *at a rate.
 *
 *	build/gcc/bench/reader_rings [RINGS [READERS [SECONDS [RATE]]]]
 *
 * RINGS: 64. READERS: a list such as 1,2,4,8,16. RATE: samples per second and ring, 0: as fast as
 * the producers can. Each ring of 512 KiB has a thread that fills it; files are /dev/null. Prints
 * samples per second, those of one reader, the CPU time of a sample and the share of lost ones.
 */
#include "record/readers/readers.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/option.h"
#include "tests/record/readers/fake_rings.h"

#define RING_BYTES (512u << 10)

struct producer {
	struct fake_rings *f;
	size_t ring;
	u64 rate; /* samples per second; 0: no limit */
	const bool *stop;
	u64 cpu_ns; /* of the thread, at its end */
	pthread_t thread;
};

static u64 thread_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static u64 process_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static void *produce(void *arg)
{
	struct producer *p = arg;
	u64 start = now_ns(), put = 0;

	while (!__atomic_load_n(p->stop, __ATOMIC_RELAXED)) {
		u64 due = p->rate ? (now_ns() - start) * p->rate / 1000000000 : put + 1000;

		for (; put < due; put++)
			fake_ring_put(p->f, p->ring);
		if (p->rate)
			usleep(1000);
	}
	p->cpu_ns = thread_cpu_ns();
	return NULL;
}

static void run(size_t nr_rings, size_t nr_readers, u64 seconds, u64 rate)
{
	struct reader_layout layout = { 0 };
	struct readers_config cfg = { .layout = &layout, .sweep_ms = 1 };
	struct rec_sink_stat stat = { 0 };
	struct producer *p = xcalloc(nr_rings, sizeof(*p));
	struct fake_rings f;
	struct rec_evlist l;
	struct readers *readers;
	u64 sent = 0, lost = 0, cpu = process_cpu_ns(), start, wall;
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool stop = false;
	struct perr e;

	fake_rings_init(&f, nr_rings, RING_BYTES);
	evlist_init(&l);
	fake_rings_add_event(&l);
	for (size_t i = 0; i < nr_readers; i++) {
		struct reader_place place = { 0 };

		for (size_t cpu_nr = 0; cpu_nr < nr_rings; cpu_nr++)
			if (cpu_nr * nr_readers / nr_rings == i)
				vec_push(place.reads.cpus, place.reads.nr, place.reads.cap,
					 (u32)cpu_nr);
		vec_push(layout.places, layout.nr, layout.cap, place);
	}
	cfg.l = &l;
	cfg.rings = &f.rings;
	readers = readers_new(&cfg);
	for (size_t i = 0; i < nr_readers; i++) {
		struct rec_sink_opts so = { .path = "-", .fd = null };
		struct rec_sink *sink;

		if (sink_open(&so, NULL, &sink, &e))
			BUG();
		readers_set_sink(readers, i, sink);
	}
	if (readers_start(readers, &e))
		BUG();
	start = now_ns();
	for (size_t i = 0; i < nr_rings; i++) {
		p[i] = (struct producer){ .f = &f, .ring = i, .rate = rate, .stop = &stop };
		if (pthread_create(&p[i].thread, NULL, produce, &p[i]))
			BUG();
	}
	sleep((unsigned int)seconds);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (size_t i = 0; i < nr_rings; i++)
		pthread_join(p[i].thread, NULL);
	wall = now_ns() - start;
	if (readers_stop(readers, &e))
		fprintf(stderr, "%s\n", e.text);
	readers_add_stat(readers, &stat);
	readers_free(readers);
	cpu = process_cpu_ns() - cpu;
	for (size_t i = 0; i < nr_rings; i++) {
		sent += f.sent[i];
		lost += f.lost[i];
		cpu -= p[i].cpu_ns;
	}
	if (stat.data_bytes != (sent - lost) * FAKE_SAMPLE_BYTES)
		printf("samples are missing: ");
	printf("%zu rings, %zu readers: %.2f M samples/s, %.2f M a reader, %.0f ns of CPU a "
	       "sample, %.2f %% lost\n",
	       nr_rings, nr_readers, (double)(sent - lost) * 1e3 / (double)wall,
	       (double)(sent - lost) * 1e3 / (double)wall / (double)nr_readers,
	       (double)cpu / (double)(sent - lost), 100.0 * (double)lost / (double)sent);
	fflush(stdout);
	free(p);
	close(null);
	reader_layout_fini(&layout);
	fake_rings_fini(&f);
	evlist_fini(&l);
}

int main(int argc, char **argv)
{
	const char *readers = argc > 2 ? argv[2] : "1,2,4,8,16";
	u64 nr_rings = 64, seconds = 2, rate = 0, n;

	if ((argc > 1 && parse_u64(argv[1], 10, 1, 4096, &nr_rings)) ||
	    (argc > 3 && parse_u64(argv[3], 10, 1, 3600, &seconds)) ||
	    (argc > 4 && parse_u64(argv[4], 10, 0, 100000000, &rate)))
		return OPT_STATUS_USAGE;
	while (*readers) {
		char *one = xstrndup(readers, strcspn(readers, ","));

		if (parse_u64(one, 10, 1, nr_rings, &n))
			return OPT_STATUS_USAGE;
		free(one);
		run((size_t)nr_rings, (size_t)n, seconds, rate);
		readers += strcspn(readers, ",");
		readers += *readers == ',';
	}
	return 0;
}
