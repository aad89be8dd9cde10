/* SPDX-License-Identifier: MIT */
/* The rate that --max-cpu chooses, against a machine whose costs are made up. */
#include "record/rate_control.h"

#include "tests/frame/unit.h"

#define NS 1000000000ull
#define BUDGET 0.01 /* CPUs: half a percent of two */

struct machine {
	struct rate_control c;
	u64 now;
	double cpu;           /* seconds used so far */
	double fixed;         /* CPUs that no rate changes */
	double per_sample_us; /* of all CPUs together */
	u32 nr_cpus, changes;
};

static u64 cpu_ns(const struct machine *m)
{
	return (u64)(m->cpu * 1e9);
}

static void machine_start(struct machine *m, double rate, double per_sample_us)
{
	*m = (struct machine){
		.now = 5 * NS, .cpu = 3, .per_sample_us = per_sample_us, .nr_cpus = 2
	};
	rate_control_start(&m->c, BUDGET, rate, m->now, cpu_ns(m));
}

/* Runs for some seconds, deciding four times a second. Returns the CPUs used on average. */
static double run(struct machine *m, u32 seconds)
{
	double before = m->cpu;

	for (u32 i = 0; i < seconds * 4; i++) {
		m->now += NS / 4;
		m->cpu += 0.25 * (m->fixed + m->c.full_rate * m->c.share * m->nr_cpus *
						     m->per_sample_us / 1e6);
		m->changes += rate_control_step(&m->c, m->now, cpu_ns(m));
	}
	return (m->cpu - before) / seconds;
}

#define CHECK_NEAR(value, want, part) \
	CHECK((value) > (want) * (1 - (part)) && (value) < (want) * (1 + (part)))

TEST(a_cheap_recording_keeps_its_rate)
{
	struct machine m;

	machine_start(&m, 99, 5);
	CHECK_NEAR(run(&m, 60), 99 * 2 * 5e-6, 0.01);
	CHECK(m.c.share >= 1);
	CHECK_EQ(m.changes, 0);
}

TEST(budget_holds_while_the_load_triples)
{
	struct machine m;
	u32 before;

	machine_start(&m, 999, 10);
	m.fixed = 0.002;
	(void)run(&m, 10);
	CHECK_NEAR(run(&m, 30), BUDGET, 0.1);
	CHECK_NEAR(m.c.share, 0.008 / (999 * 2 * 10e-6), 0.1);
	m.per_sample_us = 30;
	m.fixed = 0.006;
	CHECK_NEAR(run(&m, 30), BUDGET, 0.2);
	CHECK_NEAR(run(&m, 30), BUDGET, 0.1);
	CHECK_NEAR(m.c.share, 0.004 / (999 * 2 * 30e-6), 0.1);
	/* in a steady state the rate stays as it is */
	before = m.changes;
	(void)run(&m, 60);
	CHECK(m.changes - before < 5);
	m.per_sample_us = 10;
	m.fixed = 0.002;
	CHECK_NEAR(run(&m, 30), BUDGET, 0.2);
	CHECK_NEAR(rate_control_used(&m.c, m.now, cpu_ns(&m)), BUDGET, 0.1);
}

TEST(the_whole_rate_comes_back)
{
	struct machine m;

	machine_start(&m, 999, 50);
	(void)run(&m, 20);
	CHECK(m.c.share < 0.2);
	m.per_sample_us = 1;
	(void)run(&m, 60);
	CHECK(m.c.share >= 1);
	CHECK(m.c.lowest < 0.2);
	/* what was not used then is not spent later */
	m.per_sample_us = 50;
	(void)run(&m, 3);
	CHECK(m.c.share < 0.2);
}

TEST(one_sample_a_second_is_the_least)
{
	struct machine m;

	machine_start(&m, 99, 5);
	m.fixed = 0.05;
	(void)run(&m, 300);
	CHECK_NEAR(m.c.share * 99, 1, 0.001);
	/* changes wait for 50 samples of each CPU */
	CHECK_EQ(rate_control_due(&m.c), m.c.last_ns + 50 * NS);
	m.fixed = 0;
	(void)run(&m, 300);
	CHECK(m.c.share >= 1);
}

TEST(no_time_passed)
{
	struct rate_control c;

	rate_control_start(&c, BUDGET, 1000000, 7, 7);
	CHECK(!rate_control_step(&c, 7, 7));
	CHECK(!rate_control_step(&c, 7 + NS - 1, 7));
	CHECK(!rate_control_step(&c, 7 + NS, 7));
	CHECK(rate_control_used(&c, 7, 7) <= 0);
}
