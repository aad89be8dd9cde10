/* SPDX-License-Identifier: MIT */
/*
 * Where the time of counting goes: counts_speed FILE [threads] [runs] [names]. Prints milliseconds
 * of each stage, sizes of the tables and a sum over everything that is found, which has to be the
 * same for any number of threads. With "names" functions are counted, not addresses.
 */
#include <stdio.h>
#include <time.h>

#include "base/hash.h"
#include "count/counts.h"
#include "session/frames.h"
#include "count/stack_iter.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static u64 sum_of(const struct counts *c)
{
	u64 h = 0;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct count_row *r = &c->rows[i];
		struct span ids = stack_iter_memory(c, r->v[COUNT_STACK]);

		h = hash_pair(h, hash_pair(r->v[COUNT_COMM], r->v[COUNT_PID]));
		h = hash_pair(h, hash_pair(r->event, r->v[COUNT_STACK]));
		h = hash_pair(h, hash_pair(r->samples, r->period));
		h = hash_pair(h, hash_bytes(ids.p, ids.n));
	}
	for (size_t i = 0; i < counts_nr_frames(c); i++) {
		const struct frame *f = counts_frame(c, (u32)i);

		h = hash_pair(h, f->ip);
		if (f->has_sym)
			h = hash_pair(h, hash_bytes(f->sym->name, strlen(f->sym->name)));
	}
	return h;
}

static int run_once(const char *path, unsigned int threads, bool by_symbol)
{
	double t0 = now(), t1, t2, t3, t4, c1, c2, c3;
	struct counts_config cfg = { .threads = threads, .by_symbol = by_symbol };
	struct session_config scfg = { 0 };
	struct counts *c = NULL;
	struct perfdata *pd;
	struct session *s;
	size_t named = 0;
	struct perr e;
	u64 sum;

	if (pd_open(path, NULL, &pd, &e)) {
		fprintf(stderr, "counts_speed: %s: %s\n", path, e.text);
		return 1;
	}
	s = session_new(pd, &scfg, NULL);
	cfg.columns = 1u << COUNT_COMM | 1u << COUNT_PID | 1u << COUNT_STACK;
	t1 = now();
	c1 = cpu();
	if (counts_run(s, &cfg, &c, &e))
		fprintf(stderr, "counts_speed: %s: %s\n", path, e.text);
	t2 = now();
	c2 = cpu();
	if (c) {
		counts_resolve(c);
		t3 = now();
		c3 = cpu();
		sum = sum_of(c);
		for (size_t i = 0; i < counts_nr_frames(c); i++)
			named += counts_frame(c, (u32)i)->has_sym;
		t4 = now();
		printf("open %.1f run %.1f (CPU %.1f) resolve %.1f (CPU %.1f) total %.1f ms; ",
		       t1 - t0, t2 - t1, c2 - c1, t3 - t2, c3 - c2, t3 - t0);
		printf("%llu samples, %zu rows, %zu stacks, %zu frames (%zu named), sum %016llx",
		       (unsigned long long)c->stats.nr_samples, c->nr_rows, counts_nr_stacks(c),
		       counts_nr_frames(c), named, (unsigned long long)sum);
		counts_free(c);
		t3 = now();
		session_free(s);
		pd_close(pd);
		printf(", free %.1f + %.1f\n", t3 - t4, now() - t3);
	}
	return !c;
}

int main(int argc, char **argv)
{
	int runs = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 1, err = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: counts_speed FILE [threads] [runs] [names]\n");
		return 2;
	}
	while (runs--)
		err |= run_once(argv[1], argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 0,
				argc > 4);
	return err;
}
