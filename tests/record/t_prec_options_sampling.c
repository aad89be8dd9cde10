/* SPDX-License-Identifier: MIT */
/* The command line of prec: the options about what is sampled. */
#include "tests/frame/unit.h"

#include <string.h>
#include <time.h>

#include "fileformat/attr.h"
#include "record/model/branch_option.h"
#include "record/model/regs_option.h"
#include "tests/record/use_prec_options.h"

TEST(rates)
{
	struct line p;

	line_good(&p, ARGS("-F", "max", "true"));
	CHECK(p.o.has_freq && p.o.freq_max);
	line_fini(&p);
	line_good(&p, ARGS("-c", "1000", "true"));
	CHECK(p.o.has_period);
	CHECK_EQ(p.o.period, 1000);
	line_fini(&p);
	line_good(&p, ARGS("-c", "0", "true"));
	CHECK(!p.o.has_period);
	line_fini(&p);
	line_bad(ARGS("-F", "99", "-c", "7", "true"), "-F (rate) and -c (period)");
	line_bad(ARGS("-F", "0", "true"), "a rate of 0");
	line_bad(ARGS("-F", "10k", "true"), "'10k'");
	line_bad(ARGS("-c", "10k", "true"), "'10k'");
	line_bad(ARGS("-F"), "a value is required");
}

TEST(callgraphs)
{
	struct line p;

	line_good(&p, ARGS("--call-graph", "dwarf", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_DWARF);
	CHECK(!p.o.stack_size_given);
	line_fini(&p);
	line_good(&p, ARGS("--call-graph=dwarf,4097", "true"));
	CHECK_EQ(p.o.stack_size, 4104);
	CHECK(p.o.stack_size_given);
	line_fini(&p);
	line_good(&p, ARGS("--call-graph=dwarf,65521", "true"));
	CHECK_EQ(p.o.stack_size, 65528);
	line_fini(&p);
	line_good(&p, ARGS("--call-graph", "lbr", "-g", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_LBR);
	line_fini(&p);
	line_good(&p, ARGS("--call-graph", "fp,32", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_FP);
	CHECK_EQ(p.o.max_stack, 32);
	line_fini(&p);
	line_good(&p, ARGS("-g", "--no-call-graph", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_NONE);
	line_fini(&p);
	line_bad(ARGS("--call-graph", "dwarf,65529", "true"), "65528");
	line_bad(ARGS("--call-graph", "dwarf,0", "true"), "65528");
	line_bad(ARGS("--call-graph", "dwarf,", "true"), "65528");
	line_bad(ARGS("--call-graph", "dwarf,12k", "true"), "got 12k");
	line_bad(ARGS("--call-graph", "dwarfs", "true"), "'dwarfs'");
	line_bad(ARGS("--call-graph", "lbr,3", "true"), "no size");
	line_bad(ARGS("--call-graph", "fp,65536", "true"), "65535");
}

TEST(branches)
{
	struct line p;

	line_good(&p, ARGS("-b", "true"));
	CHECK_EQ(p.o.branch_sample_type, PD_BRANCH_ANY);
	line_fini(&p);
	line_good(&p, ARGS("-j", "any_call,u,save_type", "true"));
	CHECK_EQ(p.o.branch_sample_type, 1 << 4 | 1 << 0 | 1 << 16);
	line_fini(&p);
	line_good(&p, ARGS("-j", "u", "true"));
	CHECK_EQ(p.o.branch_sample_type, PD_BRANCH_ANY | 1);
	line_fini(&p);
	line_bad(ARGS("-b", "-j", "any", "true"), "-b and -j exclude each other");
	line_bad(ARGS("-j", "any,foo", "true"), "'foo'");
	line_bad(ARGS("-j", "", "true"), "''");
	CHECK_STR(branch_bit_name(3), "ANY");
	CHECK(branch_bit_name(64) == NULL);
}

TEST(registers)
{
	struct line p;

	line_good(&p, ARGS("-I", "--user-regs=ax,IP", "true"));
	CHECK_EQ(p.o.intr_regs & regs_option_all(false), regs_option_all(false));
#ifdef __x86_64__
	CHECK_EQ(p.o.user_regs, 0x101);
	CHECK_EQ(regs_option_all(false), 0xff0fff);
#endif
	CHECK_STR(p.o.command[0], "true");
	line_fini(&p);
	line_bad(ARGS("-Ifoo", "true"), "'foo'");
	line_bad(ARGS("--user-regs=xmm0", "true"), "'xmm0'");
	line_parse(&p, ARGS("--user-regs=?"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "available registers: ") == p.said);
	line_fini(&p);
	line_parse(&p, ARGS("-I?"));
	CHECK_EQ(p.rc, 1);
	line_fini(&p);
}

TEST(delays)
{
	struct line p;

	line_good(&p, ARGS("-D", "500", "true"));
	CHECK(p.o.has_delay);
	CHECK_EQ(p.o.delay_ms, 500);
	line_fini(&p);
	line_good(&p, ARGS("-D", "-1", "true"));
	CHECK(p.o.has_delay);
	CHECK_EQ(p.o.delay_ms, (u64)-1);
	line_fini(&p);
	line_good(&p, ARGS("-D", "0", "true"));
	CHECK(!p.o.has_delay);
	line_fini(&p);
	line_good(&p, ARGS("-D", "5", "-D", "10-20,30-40", "true"));
	CHECK_EQ(p.o.nr_ranges, 2);
	CHECK_EQ(p.o.ranges[1].start_ms, 30);
	CHECK_EQ(p.o.ranges[1].end_ms, 40);
	CHECK_EQ(p.o.delay_ms, 10);
	line_fini(&p);
	line_bad(ARGS("-D", "10-5", "true"), "'10-5'");
	line_bad(ARGS("-D", "10-20,15-30", "true"), "ascending ranges");
	line_bad(ARGS("-D", "10-20,", "true"), "ascending ranges");
	line_bad(ARGS("-D", "-5", "true"), "'-5'");
	line_bad(ARGS("-D", "x", "true"), "'x'");
	line_bad(ARGS("-D", "10-99999999999999999999", "true"), "ascending ranges");
}

TEST(clocks)
{
	static const struct {
		const char *text;
		s32 id;
	} clocks[] = {
		{ "mono", CLOCK_MONOTONIC },    { "CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW }, { "boot", CLOCK_BOOTTIME },
		{ "Tai", CLOCK_TAI },           { "realtime", CLOCK_REALTIME },
		{ "7", CLOCK_BOOTTIME },
	};
	struct line p;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		line_good(&p, ARGS("-k", clocks[i].text, "true"));
		CHECK(p.o.use_clockid);
		CHECK_EQ(p.o.clockid, clocks[i].id);
		line_fini(&p);
	}
	line_bad(ARGS("-k", "sundial", "true"), "'sundial'");
}

TEST(sample_switches)
{
	struct line p;

	line_good(&p, ARGS("-dWTPRns", "--phys-data", "--data-page-size", "--code-page-size",
			   "--sample-cpu", "--sample-identifier", "--transaction", "--running-time",
			   "true"));
	CHECK(p.o.sample_address && p.o.sample_weight && p.o.sample_time && p.o.sample_period_on);
	CHECK(p.o.raw_samples && p.o.no_samples && p.o.inherit_stat && p.o.sample_phys_data);
	CHECK(p.o.data_page_size && p.o.code_page_size && p.o.sample_cpu);
	CHECK(p.o.sample_identifier && p.o.sample_transaction && p.o.running_time);
	line_fini(&p);
	line_good(&p, ARGS("--no-timestamp", "--no-period", "--no-bpf-event", "--no-data-mmap",
			   "true"));
	CHECK(p.o.sample_time_off && p.o.sample_period_off && !p.o.sample_period_on);
	CHECK_EQ(p.o.bpf_event, REC_OFF);
	CHECK_EQ(p.o.data_mmap, REC_OFF);
	line_fini(&p);
	line_bad(ARGS("--all-user", "--all-kernel", "true"), "exclude each other");
}

TEST(events)
{
	struct line p;

	line_good(&p, ARGS("-e", "cpu-clock,page-faults", "--event=task-clock", "true"));
	CHECK_EQ(p.l.nr, 3);
	line_fini(&p);
	line_good(&p, ARGS("--group", "-e", "cpu-clock", "-e", "page-faults", "true"));
	CHECK_EQ(p.l.events[0]->nr_members, 2);
	CHECK_EQ(p.l.events[1]->leader_idx, 0);
	CHECK_EQ(p.l.events[1]->nr_members, 0);
	line_fini(&p);
}

/* The place of an error: the caret stands under the byte. */
TEST(event_errors)
{
	struct line p;
	const char *text, *caret;

	line_parse(&p, ARGS("-e", "cpu-clock,nosuch-event", "true"));
	CHECK_EQ(p.rc, -1);
	text = strstr(p.said, "event syntax error: 'cpu-clock,nosuch-event'\n");
	CHECK(text == p.said);
	text = strchr(p.said, '\n') + 1;
	caret = strstr(text, "\\___ ");
	CHECK(caret != NULL);
	CHECK_EQ(caret - text, strlen("event syntax error: 'cpu-clock,"));
	line_fini(&p);
}

TEST(filters)
{
	struct line p;

	line_good(&p, ARGS("-e", "sched:sched_switch", "--filter", "prev_pid==1", "true"));
	CHECK_STR(p.l.events[0]->filter, "prev_pid==1");
	line_fini(&p);
	line_good(&p,
		  ARGS("-e", "cpu-clock", "-e", "sched:sched_switch", "--exclude-perf", "true"));
	CHECK(!p.l.events[0]->exclude_perf && p.l.events[1]->exclude_perf);
	line_fini(&p);
	line_bad(ARGS("--exclude-perf", "-e", "sched:sched_switch", "true"), "-e of a tracepoint");
	line_bad(ARGS("-e", "cpu-clock", "--exclude-perf", "true"), "-e of a tracepoint");
	line_bad(ARGS("--filter", "x==1", "-e", "sched:sched_switch", "true"), "--filter");
	line_bad(ARGS("-e", "cpu-clock", "--filter", "x==1", "true"), "--filter");
}

TEST(cgroups)
{
	struct line p;

	line_good(&p, ARGS("-a", "-e", "cpu-clock,page-faults", "-G", "a", "true"));
	CHECK_STR(p.l.events[0]->cgroup, "a");
	CHECK_STR(p.l.events[1]->cgroup, "a");
	line_fini(&p);
	line_good(&p, ARGS("-a", "-e", "cpu-clock,page-faults,task-clock", "-G", "a,,b/c", "true"));
	CHECK_STR(p.l.events[0]->cgroup, "a");
	CHECK(p.l.events[1]->cgroup == NULL);
	CHECK_STR(p.l.events[2]->cgroup, "b/c");
	line_fini(&p);
	line_good(&p, ARGS("-a", "-e", "cpu-clock", "-G", "a", "-e", "page-faults", "-G", "b"));
	CHECK_STR(p.l.events[0]->cgroup, "a");
	CHECK_STR(p.l.events[1]->cgroup, "b");
	line_fini(&p);
	line_bad(ARGS("-a", "-G", "a", "-e", "cpu-clock", "true"), "put -e EVENT before -G");
	line_bad(ARGS("-a", "-e", "cpu-clock", "-G", "a,b", "true"), "more cgroups");
	line_bad(ARGS("-e", "cpu-clock", "-G", "a", "true"), "-a or -C");
	line_bad(ARGS("-p", "1", "-e", "cpu-clock", "-G", "a"), "-a or -C");
}

TEST(lean_is_for_unwinding_the_whole_system)
{
	struct line p;

	line_good(&p, ARGS("--lean", "-a", "--call-graph", "unwind,16384"));
	CHECK(p.o.lean);
	line_fini(&p);
	line_bad(ARGS("--lean", "-a"), "--lean needs --call-graph unwind");
	line_bad(ARGS("--lean", "-a", "--call-graph", "dwarf"), "--lean needs --call-graph unwind");
	line_bad(ARGS("--lean", "--call-graph", "unwind", "true"), "(-a, -C)");
	line_bad(ARGS("--lean", "--call-graph", "unwind", "-a", "--tail-synthesize"), "exclude");
}

TEST(max_cpu_is_for_cpus)
{
	static const char *const bad[] = {
		"0", "-1", "101", "x", "1x", "", "%", "1%%", "1e1", "nan"
	};
	struct line p;

	line_good(&p, ARGS("--max-cpu", "0.5", "-a", "--no-period"));
	CHECK(p.o.max_cpu_percent > 0.499 && p.o.max_cpu_percent < 0.501);
	CHECK(p.o.sample_period_on && !p.o.sample_period_off);
	line_fini(&p);
	line_good(&p, ARGS("--max-cpu=2%", "-C", "0"));
	CHECK(p.o.max_cpu_percent > 1.99 && p.o.max_cpu_percent < 2.01);
	line_fini(&p);
	line_good(&p, ARGS("--max-cpu=100"));
	line_fini(&p);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		line_bad(ARGS("-a", "--max-cpu", bad[i]), "a percentage of all CPUs");
	line_bad(ARGS("--max-cpu", "1", "true"), "(-a, -C)");
	line_bad(ARGS("--max-cpu", "1", "-a", "-p", "1"), "(-a, -C)");
	line_bad(ARGS("--max-cpu", "1", "-a", "-n"), "-n");
	line_bad(ARGS("--max-cpu", "1", "-a", "--threads"), "--threads");
	line_bad(ARGS("--max-cpu", "1", "-a", "--overwrite"), "--overwrite");
}
