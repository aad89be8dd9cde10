/* SPDX-License-Identifier: MIT */
/* Attrs beyond the table of option sets: their size, limits of the rate, data records. */
#include "record/open/event_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"
#include "record/model/regs_option.h"
#include "record/open/event_callgraph.h"
#include "tests/record/open/use_event_config.h"

TEST(smallest_attr_size)
{
	struct config_case c;

	config_ok(&c, "-e cpu-clock true");
	CHECK_EQ(c.l.attr_size, 64);
	CHECK_EQ(config_attr(&c, 0)->size, 64);
	config_fini(&c);
	config_ok(&c, "-e cpu-clock -b true");
	CHECK_EQ(c.l.attr_size, 80);
	config_fini(&c);
	config_ok(&c, "--call-graph dwarf -e cpu-clock/call-graph=no/ -e page-faults true");
	CHECK_EQ(c.l.attr_size, 96);
	CHECK_EQ(config_attr(&c, 0)->size, 96);
	config_fini(&c);
	config_ok(&c, "-I -e cpu-clock true");
	CHECK_EQ(c.l.attr_size, 104);
	config_fini(&c);
	config_ok(&c, "--call-graph fp,9 -e cpu-clock true");
	CHECK_EQ(c.l.attr_size, 112);
	config_fini(&c);
}

TEST(transaction_bit)
{
	struct config_case c;

	config_ok(&c, "--transaction -e cpu-clock true");
	CHECK(config_attr(&c, 0)->sample_type & PD_SAMPLE_TRANSACTION);
	config_fini(&c);
	config_ok(&c, "-e cpu-clock true");
	CHECK(!(config_attr(&c, 0)->sample_type & PD_SAMPLE_TRANSACTION));
	config_fini(&c);
}

TEST(rate_above_the_limit)
{
	struct config_case c;
	struct perr e = { 0 };

	config_ok(&c, "-F 200000 -e cpu-clock -e page-faults true");
	CHECK_EQ(config_attr(&c, 0)->sample_period_or_freq, 100000);
	CHECK_EQ(c.diag.nr, 1);
	CHECK(strstr(c.diag.entries[0].text, "100000") != NULL);
	CHECK(strstr(c.diag.entries[0].text, "perf_event_max_sample_rate=200000") != NULL);
	config_fini(&c);

	CHECK_EQ(config_args(&c, "-F 200000 --strict-freq -e cpu-clock true", &e), PERR_USAGE);
	CHECK(strstr(e.text, "perf_event_max_sample_rate=200000") != NULL);
	config_fini(&c);

	config_ok(&c, "-F 100000 --strict-freq -e cpu-clock true");
	CHECK_EQ(c.diag.nr, 0);
	config_fini(&c);
}

TEST(default_rate_above_the_limit)
{
	char dir[] = "/tmp/t_event_config.XXXXXX", path[200];
	struct rec_target t = { .kind = REC_TARGET_WORKLOAD };
	struct rec_evlist l;
	struct rec_opts o;
	struct diag diag;
	struct perr e = { 0 };
	FILE *f;

	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/sys", dir);
	CHECK_EQ(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel", dir);
	CHECK_EQ(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel/perf_event_max_sample_rate", dir);
	f = fopen(path, "we");
	CHECK(f != NULL);
	fputs("1500\n", f);
	fclose(f);

	rec_opts_init(&o);
	evlist_init(&l);
	diag_init(&diag);
	o.diag = &diag;
	o.host.procfs = dir;
	evlist_add(&l, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(event_config(&l, &o, &t, &e), 0);
	CHECK_EQ(l.events[0]->attr.sample_period_or_freq, 1500);
	CHECK_EQ(diag.nr, 1);
	/* a kernel that does not say its release has no build-ids in its records */
	CHECK(!pd_attr_has(&l.events[0]->attr, PD_ATTR_BUILD_ID));
	evlist_fini(&l);
	diag_fini(&diag);

	unlink(path);
	snprintf(path, sizeof(path), "%s/sys/kernel", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/sys", dir);
	rmdir(path);
	rmdir(dir);
}

TEST(build_ids_are_not_wanted)
{
	struct config_case c;

	config_ok(&c, "-B -e cpu-clock true");
	CHECK(!pd_attr_has(config_attr(&c, 0), PD_ATTR_BUILD_ID));
	config_fini(&c);
	config_ok(&c, "--no-buildid-mmap -e cpu-clock true");
	CHECK(!pd_attr_has(config_attr(&c, 0), PD_ATTR_BUILD_ID));
	config_fini(&c);
	config_ok(&c, "-e cpu-clock -e page-faults true");
	CHECK(pd_attr_has(config_attr(&c, 0), PD_ATTR_BUILD_ID));
	CHECK(!pd_attr_has(config_attr(&c, 1), PD_ATTR_BUILD_ID));
	config_fini(&c);
}

TEST(stack_size_is_kept)
{
	struct config_case c;

	config_ok(&c, "--call-graph dwarf,8192 -e cpu-clock true");
	CHECK_EQ(config_attr(&c, 0)->sample_stack_user, 8192);
	config_fini(&c);
	config_ok(&c, "--call-graph dwarf -e cpu-clock true");
	CHECK_EQ(config_attr(&c, 0)->sample_stack_user, REC_STACK_MAX);
	config_fini(&c);
}

TEST(data_records_by_themselves)
{
	struct config_case c;

	config_ok(&c, "--data-mmap -e cpu-clock true");
	CHECK(pd_attr_has(config_attr(&c, 0), PD_ATTR_MMAP_DATA));
	CHECK(!(config_attr(&c, 0)->sample_type & PD_SAMPLE_ADDR));
	config_fini(&c);
	config_ok(&c, "-d --no-data-mmap -e cpu-clock true");
	CHECK(!pd_attr_has(config_attr(&c, 0), PD_ATTR_MMAP_DATA));
	config_fini(&c);
	config_ok(&c, "--sample-mem-info -e cpu-clock true");
	CHECK(config_attr(&c, 0)->sample_type & PD_SAMPLE_DATA_SRC);
	CHECK(!(config_attr(&c, 0)->sample_type & PD_SAMPLE_ADDR));
	config_fini(&c);
}

TEST(dummy_is_marked)
{
	struct config_case c;

	config_ok(&c, "-a -e {cpu-clock,page-faults} true");
	CHECK_EQ(c.l.nr, 3);
	CHECK(c.l.events[2]->is_dummy && c.l.events[2]->is_tracking);
	CHECK(!c.l.events[0]->is_tracking);
	CHECK_EQ(c.l.events[2]->leader_idx, 2);
	CHECK_STR(c.l.events[2]->name, "dummy:HG");
	config_fini(&c);
}

TEST(chains_under_a_raised_limit)
{
	struct fake_tree t = fake_tree_new();
	struct rec_opts o = { .host.procfs = t.root };
	struct event_callgraph g = { .mode = REC_CG_FP };
	struct rec_event ev = { 0 };

	fake_file(&t, "sys/kernel/perf_event_max_stack", "1024\n");
	event_callgraph_set(&o, &ev, &g);
	CHECK_EQ(ev.attr.sample_max_stack, 1024);
	g.max_stack = 9;
	event_callgraph_set(&o, &ev, &g);
	CHECK_EQ(ev.attr.sample_max_stack, 9);
	/* as perf where the limit is the usual one */
	g.max_stack = 0;
	fake_file(&t, "sys/kernel/perf_event_max_stack", "127\n");
	event_callgraph_set(&o, &ev, &g);
	CHECK_EQ(ev.attr.sample_max_stack, 0);
	fake_tree_free(&t);
}

/* Their ring is not filled by samples, and a lost one is no lost sample of the event. */
TEST(records_about_processes_have_an_event_of_their_own_where_stacks_are_unwound)
{
	static const char *const args[] = { "--call-graph unwind -e cpu-clock true",
					    "-e cpu-clock/call-graph=unwind/ true",
					    "--call-graph unwind -e cpu-clock -p 1" };
	u64 mmap = 1ull << PD_ATTR_MMAP, disabled = 1ull << PD_ATTR_DISABLED;
	struct config_case c;

	for (size_t i = 0; i < ARRAY_SIZE(args); i++) {
		config_ok(&c, args[i]);
		CHECK_EQ(c.l.nr, 2);
		CHECK(!c.l.events[0]->is_tracking && !(config_attr(&c, 0)->flags & mmap));
		CHECK(c.l.events[1]->is_tracking && c.l.events[1]->is_dummy);
		CHECK(config_attr(&c, 1)->flags & mmap);
		/* of a process that runs, they begin before its samples */
		CHECK_EQ(!(config_attr(&c, 1)->flags & disabled), i == 2);
		config_fini(&c);
	}
	config_ok(&c, "--call-graph dwarf -e cpu-clock true");
	CHECK_EQ(c.l.nr, 1);
	config_fini(&c);
}

/* Of stacks that prec unwinds, the recording has no registers: --user-regs does not take any away.
 */
TEST(stacks_are_unwound_with_all_registers)
{
	struct config_case c;

	config_ok(&c, "--call-graph unwind --user-regs=sp -e cpu-clock true");
	CHECK_EQ(config_attr(&c, 0)->sample_regs_user, regs_option_all(false));
	config_fini(&c);
	config_ok(&c, "--call-graph dwarf --user-regs=sp -e cpu-clock true");
	CHECK_EQ(config_attr(&c, 0)->sample_regs_user, regs_option_minimal());
	config_fini(&c);
}
