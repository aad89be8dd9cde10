/* SPDX-License-Identifier: MIT */
/*
 * Counts of every recording at hand and of built ones are those of the reference count, with any
 * number of threads; count_reference.c makes it.
 */
#include "count/counts.h"
#include "session/filter.h"

#include <glob.h>
#include <stdio.h>

#include "base/mem.h"
#include "count/stack_iter.h"
#include "tests/count/count_reference.h"
#include "tests/frame/build_file.h"
#include "tests/frame/built_recording.h"
#include "tests/frame/unit.h"

#define ALL_COLUMNS ((1u << COUNT_BRANCH_FROM) - 1)
#define BRANCH_COLUMNS (1u << COUNT_BRANCH_FROM | 1u << COUNT_BRANCH_TO | 1u << COUNT_BRANCH_FLAGS)

/* Calls fn with every recording; how many there were. */
static size_t each_file(const char *pattern, void (*fn)(const char *path))
{
	const struct span none = { 0 };
	struct counted_file o;
	size_t nr = 0;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		/* some are no recordings, or only parts of one */
		if (!counted_file_open(&o, g.gl_pathv[i], none))
			continue;
		counted_file_close(&o);
		fn(g.gl_pathv[i]);
		nr++;
	}
	globfree(&g);
	return nr;
}

static void check_file(const char *path)
{
	const struct span none = { 0 };

	fprintf(stderr, "# %s\n", path);
	reference_check(path, none, (struct counts_config){ .columns = 1u << COUNT_STACK });
	reference_check(path, none,
			(struct counts_config){ .columns = 1u << COUNT_COMM | 1u << COUNT_PID |
							   1u << COUNT_STACK });
	reference_check(path, none, (struct counts_config){ .columns = 1u << COUNT_IP });
	reference_check(path, none, (struct counts_config){ .columns = 0 });
	reference_check(path, none, (struct counts_config){ .columns = ALL_COLUMNS });
	reference_check(path, none,
			(struct counts_config){ .columns = BRANCH_COLUMNS | 1u << COUNT_COMM,
						.branch_rows = true });
	reference_check(path, none,
			(struct counts_config){ .columns = 1u << COUNT_STACK,
						.keep_deferred_apart = true });
}

TEST(own_recordings)
{
	CHECK(each_file("testdata/*/perf.data", check_file) > 10);
}

TEST(public_recordings)
{
	if (!each_file("../shared/data/perfdata/*", check_file))
		SKIP("no public recordings beside this checkout");
}

static void check_filters(const char *path)
{
	const struct span none = { 0 };
	struct filter f = { 0 };
	const struct counts_config cfg = { .columns = 1u << COUNT_STACK, .filter = &f };
	struct perr e;

	CHECK(!filter_add_set(&f.cpus, "0", "CPUs", &e));
	reference_check(path, none, (struct counts_config){ .columns = ALL_COLUMNS, .filter = &f });
	filter_fini(&f);
	CHECK(!filter_add_names(&f.comms, "w_busy,perf,sh", &e));
	reference_check(path, none, cfg);
	filter_fini(&f);
	CHECK(!filter_add_names(&f.dsos, "libc.so.6,[kernel.kallsyms]", &e));
	reference_check(path, none, cfg);
	filter_fini(&f);
}

TEST(filters)
{
	CHECK(each_file("testdata/*/perf.data", check_filters) > 10);
}

/* --- built files --- */

/*
 * Every program that is loaded makes a new set of kernel maps. Frames of the kernel that were there
 * before stay the same.
 */
TEST(kernel_maps_change)
{
	struct pd_attr a = attr_plain();
	struct built x;
	struct counted_file o;
	struct counts *c;
	struct span mem;

	built_begin(&x, &a);
	put_mmap(&x.b, 7, 0x400000, 0x1000, 0, "/bin/x", &a, NULL);
	for (u64 i = 0; i < 3000; i++) {
		if (i % 100 == 50)
			put_ksymbol(&x, BPF + i * 0x1000, 0x1000, "bpf_prog_x", 1000 + i * 10);
		put_kernel_sample(&x, 1005 + i * 10, BPF + 50 * 0x1000 + 16, BPF + i * 0x1000);
	}
	mem = built_end(&x);
	reference_check(NULL, mem, (struct counts_config){ .columns = 1u << COUNT_STACK });
	reference_check(NULL, mem, (struct counts_config){ .columns = ALL_COLUMNS });
	reference_check(NULL, mem, (struct counts_config){ .columns = 1u << COUNT_IP });
	CHECK(counted_file_open(&o, NULL, mem));
	c = counted_file_count(
		&o, &(struct counts_config){ .columns = 1u << COUNT_IP, .threads = 2 }, 0);
	/* without a map before the first program, and in it ever after */
	CHECK_EQ(c->nr_rows, 2);
	CHECK_EQ(c->rows[0].samples, 50);
	CHECK_EQ(c->rows[1].samples, 2950);
	counts_free(c);
	counted_file_close(&o);
	bytes_free(&x.b);
}

static void put_many(struct built *x, size_t nr)
{
	u64 ips[40] = { PD_CONTEXT_USER };

	put_mmap(&x->b, 7, 0x400000, 0x100000, 0, "/bin/x", &x->a, NULL);
	for (size_t i = 0; i < nr; i++) {
		struct sample_parts s = { .misc = PD_CPUMODE_USER,
					  .pid = 7,
					  .tid = 7 + (u32)i % 3,
					  .time = 1000 + i,
					  .period = 1 + i % 5,
					  .ips = ips,
					  .nr_ips = ARRAY_SIZE(ips) };

		for (size_t k = 1; k < ARRAY_SIZE(ips); k++)
			ips[k] = 0x400000 + hash_pair(i % (nr / 2), k) % 0x110000;
		s.ip = ips[1];
		put_sample(&x->b, &x->a, &s);
	}
}

/* Enough for the tables to grow, and for every thread to get its part. */
TEST(many_stacks)
{
	struct pd_attr a = attr_plain();
	struct built x;
	struct span mem;

	built_begin(&x, &a);
	put_many(&x, 20000);
	mem = built_end(&x);
	reference_check(NULL, mem,
			(struct counts_config){ .columns = 1u << COUNT_STACK | 1u << COUNT_TID });
	bytes_free(&x.b);
}

TEST(memory_limit)
{
	struct counts_config cfg = { .columns = 1u << COUNT_STACK, .max_mem = 1 << 20 };
	struct pd_attr a = attr_plain();
	struct built x;
	struct counted_file o;
	struct counts *c;
	struct span mem;
	struct perr e;

	built_begin(&x, &a);
	put_many(&x, 30000);
	mem = built_end(&x);
	for (cfg.threads = 1; cfg.threads <= 2; cfg.threads++) {
		CHECK(counted_file_open(&o, NULL, mem));
		c = NULL;
		CHECK_EQ(counts_run(o.s, &cfg, &c, &e), PERR_LIMIT);
		CHECK(!c);
		counted_file_close(&o);
	}
	CHECK(counted_file_open(&o, NULL, mem));
	cfg.max_mem = 1 << 28;
	counts_free(counted_file_count(&o, &cfg, 0));
	counted_file_close(&o);
	bytes_free(&x.b);
}

TEST(max_stack_and_events)
{
	struct counts_config cfg = { .columns = 1u << COUNT_STACK, .max_stack = 3, .threads = 2 };
	const bool none[] = { false };
	struct pd_attr a = attr_plain();
	struct built x;
	struct counted_file o;
	struct counts *c;
	struct span mem;

	built_begin(&x, &a);
	put_many(&x, 100);
	mem = built_end(&x);
	CHECK(counted_file_open(&o, NULL, mem));
	c = counted_file_count(&o, &cfg, 0);
	CHECK_EQ(stack_iter_memory(c, count_value(&c->rows[0], COUNT_STACK)).n, 3 * sizeof(u32));
	CHECK_EQ(stack_iter_memory(c, 0).n, 0);
	CHECK_EQ(c->first_time, 1000);
	CHECK_EQ(c->last_time, 1099);
	counts_free(c);
	counted_file_close(&o);
	CHECK(counted_file_open(&o, NULL, mem));
	cfg.wanted_events = none;
	c = counted_file_count(&o, &cfg, 0);
	CHECK_EQ(c->nr_rows, 0);
	CHECK_EQ(c->events[0].filtered, 100);
	CHECK_EQ(c->first_time, 0);
	counts_free(c);
	counted_file_close(&o);
	bytes_free(&x.b);
}

/* A sample whose call chain is cut off: the other samples are counted, and a warning names it. */
TEST(damaged_samples)
{
	const struct counts_config cfg = { .columns = ALL_COLUMNS };
	struct pd_attr a = attr_plain();
	struct counted_file o;
	struct counts *c;
	struct built x;
	struct span mem;

	built_begin(&x, &a);
	put_many(&x, 50);
	record_begin(&x.b, PD_RECORD_SAMPLE, PD_CPUMODE_USER);
	put_fill(&x.b, 0, 40);
	put_fill(&x.b, 0xff, 32);
	record_end(&x.b);
	put_many(&x, 50);
	mem = built_end(&x);
	reference_check(NULL, mem, cfg);
	CHECK(counted_file_open(&o, NULL, mem));
	c = counted_file_count(&o, &cfg, 0);
	CHECK_EQ(c->stats.nr_broken_samples, 1);
	CHECK_EQ(o.diag.nr, 1);
	counts_free(c);
	counted_file_close(&o);
	bytes_free(&x.b);
}

/* --- times off the CPU ------------------------------------------------------------------------ */

static void put_wait(struct bytes *b, const struct pd_attr *a, u64 time, u64 id, u64 period,
		     size_t nr_ips)
{
	static const u64 ips[] = { PD_CONTEXT_USER, 0x400100, 0x400200 };
	const struct sample_parts s = { .misc = PD_CPUMODE_USER,
					.ip = 0x400100,
					.pid = 7,
					.tid = 7,
					.time = time,
					.id = id,
					.period = period,
					.ips = ips,
					.nr_ips = nr_ips };

	put_sample(b, a, &s);
}

/* "NAME=PERIOD " of each row, and "<" and the names of its callers. */
static void print_rows(const struct counts *c, char *text, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct count_row *r = &c->rows[i];
		const struct frame *own = counts_frame(c, (u32)count_value(r, COUNT_IP));
		struct stack_iter it;
		u32 id;

		CHECK_EQ(r->event, 0);
		n += (size_t)snprintf(text + n, size - n, "%s=%llu",
				      own->has_sym ? own->sym->name : "",
				      (unsigned long long)r->period);
		stack_iter_init(&it, c, count_value(r, COUNT_STACK));
		while (stack_iter_next(&it, &id))
			n += (size_t)snprintf(text + n, size - n, "<%llx",
					      (unsigned long long)counts_frame(c, id)->ip & 0xfff);
		n += (size_t)snprintf(text + n, size - n, " ");
	}
}

TEST(times_off_the_cpu_become_rows_of_the_clock)
{
	const u64 ids[] = { 5 },
		  waits[] = { PD_OFFCPU_ID + PD_OFFCPU_S, PD_OFFCPU_ID + PD_OFFCPU_PREEMPTED };
	const struct counts_config cfg = { .columns = 1u << COUNT_IP | 1u << COUNT_STACK |
						      1u << COUNT_CPUMODE | 1u << COUNT_OFFCPU,
					   .waits = true,
					   .resolve = true };
	struct pd_attr a = attr_plain();
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct counted_file o;
	struct counts *c;
	struct perr e;
	char text[400];

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids, 1);
	file_add_event(&f, &a, waits, 2);
	file_begin_data(&f);
	put_wait(&b, &a, 1000, ids[0], 10, 3);
	put_wait(&b, &a, 2000, waits[0], 700, 3);
	put_wait(&b, &a, 3000, waits[1], 5, 3);
	put_wait(&b, &a, 4000, waits[0], 70, 3);
	put_wait(&b, &a, 5000, waits[0], 1, 0);
	file_end(&f);
	for (unsigned int threads = 1; threads <= 3; threads++) {
		struct counts_config with = cfg;

		with.threads = threads;
		CHECK(counted_file_open(&o, NULL, bytes_span(&b)));
		CHECK_EQ(counts_run(o.s, &with, &c, &e), 0);
		counts_join_waits(c, 0);
		print_rows(c, text, sizeof(text));
		CHECK_STR(text, "=10<100<200 [off-CPU S]=770<2<100<200 [preempted]=5<1<100<200 "
				"[off-CPU S]=1<2 ");
		CHECK_EQ(c->events[0].samples, 5);
		CHECK_EQ(c->events[0].period, 786);
		CHECK_EQ(c->events[1].samples, 0);
		CHECK_EQ(count_value(&c->rows[1], COUNT_CPUMODE), COUNT_MODE_WAITS);
		counts_free(c);
		counted_file_close(&o);
	}
	bytes_free(&b);
}
