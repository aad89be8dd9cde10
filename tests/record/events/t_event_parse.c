/* SPDX-License-Identifier: MIT */
/* Texts of -e: names, modifiers, groups, terms, tracepoints, breakpoints. */
#include "record/events/event_parse.h"

#include "base/mem.h"
#include "tests/frame/unit.h"
#include "tests/record/events/use_event_parse.h"

TEST(names)
{
	static const struct row rows[] = {
		{ "cycles", "cycles 0/0x0 eG" },
		{ "cpu-cycles", "cpu-cycles 0/0x0 eG" },
		{ "CYCLES", "CYCLES 0/0x0 eG" },
		{ "branches", "branches 0/0x4 eG" },
		{ "branch", "branch 3/0x5 eG" },
		{ "idle-cycles-backend", "idle-cycles-backend 0/0x8 eG" },
		{ "ref-cycles", "ref-cycles 0/0x9 eG" },
		{ "faults", "faults 1/0x2 eG" },
		{ "cs", "cs 1/0x3 eG" },
		{ "cgroup-switches", "cgroup-switches 1/0xb eG" },
		{ "L1-dcache-load-misses:u", "L1-dcache-load-misses:u 3/0x10000 ek eh eG" },
		{ "r1A8", "r1A8 4/0x1a8 eG" },
		{ "rffffffffffffffff", "rffffffffffffffff 4/0xffffffffffffffff eG" },
		{ "r0x1a8", "r0x1a8 4/0x1a8 eG" },
		{ "cs, faults", "cs 1/0x3 eG|faults 1/0x2 eG" },
		{ " cs ,\tcpu-clock ", "cs 1/0x3 eG|cpu-clock 1/0x0 eG" },
		{ "cs:u,sched:sched_switch,r1:k",
		  "cs:u 1/0x3 ek eh eG|sched:sched_switch 2/0x174 eG|r1:k 4/0x1 eu eh" },
	};
	struct bed b;

	bed_init(&b);
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	bed_fini(&b);
}

TEST(modifiers)
{
	static const struct row rows[] = {
		{ "cs:u", "cs:u 1/0x3 ek eh eG" },
		{ "cs:k", "cs:k 1/0x3 eu eh" },
		{ "cs:uk", "cs:uk 1/0x3 eh eG" },
		{ "cs:h", "cs:h 1/0x3 eu ek" },
		{ "cs:ukh", "cs:ukh 1/0x3 eG" },
		{ "cs:G", "cs:G 1/0x3 eH" },
		{ "cs:H", "cs:H 1/0x3 eG" },
		{ "cs:GH", "cs:GH 1/0x3" },
		{ "cs:uG", "cs:uG 1/0x3 ek eh eH" },
		{ "cs:p", "cs:p 1/0x3 eG p1" },
		{ "cs:pp", "cs:pp 1/0x3 eG p2" },
		{ "cs:ppp", "cs:ppp 1/0x3 eG p1 p2" },
		{ "cs:Gp", "cs:Gp 1/0x3 eH p1" },
		{ "cs:P", "cs:P 1/0x3 P" },
		{ "cs:pPp", "cs:pPp 1/0x3 eG p2 P" },
		{ "cs:I", "cs:I 1/0x3 eI" },
		{ "cs:D", "cs:D 1/0x3 pinned" },
		{ "cs:e", "cs:e 1/0x3 exclusive" },
		{ "cs:S", "cs:S 1/0x3 S" },
		{ "cs:W", "cs:W 1/0x3 W" },
		{ "cs:b", "cs:b 1/0x3" },
		{ "cs:", "cs: 1/0x3 eG" },
		{ "cs:ukhGHIpDe", "cs:ukhGHIpDe 1/0x3 eI pinned exclusive p1" },
		{ "cs/period=5/u", "cs/period=5/u 1/0x3 ek eh eG" },
		{ "cs/period=5/:u", "cs/period=5/:u 1/0x3 ek eh eG" },
		{ "cs//k", "cs//k 1/0x3 eu eh" },
	};
	struct bed b;

	bed_init(&b);
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK(b.l.events[0]->levels_given);
	CHECK_EQ(bed_parse(&b, "cs:p"), 0);
	CHECK(!b.l.events[0]->levels_given);
	bed_check_error(&b, "cs:uu", PERR_USAGE, 4, "twice", "ukhGHIpPSDWeb");
	bed_check_error(&b, "cs:pppp", PERR_USAGE, 6, "three", NULL);
	bed_check_error(&b, "cs:ux", PERR_USAGE, 4, "'x'", NULL);
	bed_check_error(&b, "faults,cs:u:k", PERR_USAGE, 11, NULL, NULL);
	bed_fini(&b);
}

TEST(groups)
{
	static const struct row rows[] = {
		{ "{cs,faults}", "cs 1/0x3 eG 0<0(2)|faults 1/0x2 eG 1<0(0)" },
		{ "{cs}", "cs 1/0x3 eG 0<0(1)" },
		{ "{cs,faults}:S", "cs 1/0x3 eG S 0<0(2)|faults 1/0x2 eG S 1<0(0)" },
		{ "g{cs,faults}:W", "cs 1/0x3 eG W 0<0(2) of g|faults 1/0x2 eG W 1<0(0)" },
		{ "g {cs}", "cs 1/0x3 eG 0<0(1) of g" },
		{ "g:{cs}", "cs 1/0x3 eG 0<0(1) of g" },
		{ "{cs:k,faults}:u", "cs:k 1/0x3 eh eG 0<0(2)|faults 1/0x2 ek eh eG 1<0(0)" },
		{ "{cs:G,faults}:u", "cs:G 1/0x3 ek eh eH 0<0(2)|faults 1/0x2 ek eh eG 1<0(0)" },
		{ "{cs:p,faults}:pp", "cs:p 1/0x3 eG p1 p2 0<0(2)|faults 1/0x2 eG p2 1<0(0)" },
		{ "{cs,faults}:De", "cs 1/0x3 eG pinned exclusive 0<0(2)|faults 1/0x2 eG 1<0(0)" },
		{ "cpu-clock,{ cs , faults } :k,dummy",
		  "cpu-clock 1/0x0 eG|cs 1/0x3 eu eh eG 1<1(2)|faults 1/0x2 eu eh eG 2<1(0)|"
		  "dummy 1/0x9 eG" },
		{ "{sched:sched_wak*,cs}",
		  "sched:sched_wakeup 2/0x12d eG 0<0(3)|sched:sched_waking 2/0x12c eG 1<0(0)|"
		  "cs 1/0x3 eG 2<0(0)" },
		{ "{cs},{faults}:u", "cs 1/0x3 eG 0<0(1)|faults 1/0x2 ek eh eG 1<1(1)" },
	};
	struct bed b;

	bed_init(&b);
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	bed_check_error(&b, "{{cs}}", PERR_USAGE, 1, "cannot contain a group", NULL);
	bed_check_error(&b, "cpu-clock,{cs", PERR_USAGE, 10, "missing", NULL);
	bed_check_error(&b, "cs}", PERR_USAGE, 2, NULL, NULL);
	bed_check_error(&b, "{}", PERR_USAGE, 1, NULL, NULL);
	bed_check_error(&b, "{cs,}", PERR_USAGE, 4, NULL, NULL);
	bed_check_error(&b, "{cs,faults}:uu", PERR_USAGE, 13, "twice", NULL);
	bed_check_error(&b, "{cs:pp,faults}:pp", PERR_USAGE, 14, "three", NULL);
	bed_check_error(&b, "", PERR_USAGE, 0, "expected an event at the end", NULL);
	bed_check_error(&b, "cs,", PERR_USAGE, 3, "expected an event at the end", NULL);
	bed_check_error(&b, ",cs", PERR_USAGE, 0, NULL, NULL);
	bed_fini(&b);
}

TEST(general_terms)
{
	const struct rec_terms *t;
	struct bed b;

	bed_init(&b);
	fake_file(&b.t.tree, "proc/sys/kernel/perf_event_max_sample_rate", "50000\n");
	CHECK_EQ(bed_parse(&b, "cs/period=0x10,call-graph=dwarf,stack-size=4096,max-stack=9,time=0,"
			       "no-inherit,overwrite,percore,aux-output,aux-sample-size=8,nr=3/u"),
		 0);
	t = &b.l.events[0]->terms;
	CHECK(t->has_period && !t->has_freq && t->has_max_stack && !t->has_branch);
	CHECK_EQ(t->period, 16);
	CHECK_EQ(t->callgraph, REC_CG_DWARF);
	CHECK_EQ(t->stack_size, 4096);
	CHECK_EQ(t->max_stack, 9);
	CHECK_EQ(t->time, REC_OFF);
	CHECK_EQ(t->inherit, REC_OFF);
	CHECK_EQ(t->overwrite, REC_ON);
	CHECK(t->percore && t->aux_output);
	CHECK_EQ(t->aux_sample_size, 8);

	CHECK_EQ(bed_parse(&b, "cs/period=5,freq=max,inherit,no-overwrite,branch_type=any,time=1/"),
		 0);
	t = &b.l.events[0]->terms;
	CHECK(t->has_freq && !t->has_period && t->has_branch);
	CHECK_EQ(t->freq, 50000);
	CHECK_EQ(t->inherit, REC_ON);
	CHECK_EQ(t->overwrite, REC_OFF);
	CHECK_EQ(t->branch_sample_type, PD_BRANCH_ANY);
	CHECK_EQ(t->callgraph, REC_CG_UNSET);
	CHECK_EQ(bed_parse(&b, "cs/call-graph=no/"), 0);
	CHECK_EQ(b.l.events[0]->terms.callgraph, REC_CG_NONE);
	CHECK_EQ(b.l.events[0]->terms.time, REC_UNSET);

	bed_check(&b, "cs/name=a,name=b/u", "a 1/0x3 ek eh eG");
	bed_check(&b, "cs/name='a:b=c,d e/f}'/", "a:b=c,d e/f} 1/0x3 eG");
	bed_check(&b, "cs/name=\"x\"/", "x 1/0x3 eG");
	bed_check(&b, "cs/config=9,config1=1,config2=2,config3=3/",
		  "cs/config=9,config1=1,config2=2,config3=3/ 1/0x9 eG c1=0x1 c2=0x2 c3=0x3");
	bed_check(&b, "cs/ name = y , period = 010 /", "y 1/0x3 eG");
	CHECK_EQ(b.l.events[0]->terms.period, 10);
	bed_check_error(&b, "cs/period=1k/", PERR_USAGE, 10, "number", NULL);
	bed_check_error(&b, "cs/period=/", PERR_USAGE, 10, "no value", NULL);
	bed_check_error(&b, "cs/period/", PERR_USAGE, 3, "needs a value", NULL);
	bed_check_error(&b, "cs/foo=1/", PERR_USAGE, 3, "'foo'", "valid terms: config,config1");
	bed_check_error(&b, "cs/time=2/", PERR_USAGE, 8, "0 to 1", NULL);
	bed_check_error(&b, "cs/max-stack=70000/", PERR_USAGE, 13, "0 to 65535", NULL);
	bed_check_error(&b, "cs/call-graph=x/", PERR_USAGE, 14, NULL, "fp, dwarf, unwind, lbr");
	bed_check_error(&b, "cs/name='x/", PERR_USAGE, 8, "quote", NULL);
	bed_check_error(&b, "cs/period=5", PERR_USAGE, 11, "'/'", NULL);
	bed_check_error(&b, "cs/period=5,/", PERR_USAGE, 12, "term", NULL);
	bed_check_error(&b, "cs/period=18446744073709551616/", PERR_USAGE, 10, NULL, NULL);
	bed_check_error(&b, "cs/@sink=1/", PERR_UNSUPPORTED, 3, NULL, NULL);
	bed_fini(&b);
}

TEST(tracepoints)
{
	static const struct row rows[] = {
		{ "sched:sched_switch", "sched:sched_switch 2/0x174 eG" },
		{ "sched:sched_switch:u", "sched:sched_switch 2/0x174 ek eh eG" },
		{ "sched:sched_switch/max-stack=3/u", "sched:sched_switch 2/0x174 ek eh eG" },
		{ "sched:sched_switch/name=x/", "x 2/0x174 eG" },
		{ "sched:*", "sched:sched_switch 2/0x174 eG|sched:sched_wakeup 2/0x12d eG|"
			     "sched:sched_waking 2/0x12c eG" },
		{ "sched:sched_wak?ng:k", "sched:sched_waking 2/0x12c eu eh" },
		{ "*:sched_switch", "sched:sched_switch 2/0x174 eG|xen:sched_switch 2/0x4d eG" },
		{ "[bx]*:*", "block:block_rq_issue 2/0x28 eG|xen:sched_switch 2/0x4d eG" },
	};
	struct bed b;

	bed_init(&b);
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK_EQ(b.l.events[0]->attr.sample_period_or_freq, 1);
	CHECK_STR(b.l.events[0]->tp_system, "block");
	CHECK_STR(b.l.events[0]->tp_name, "block_rq_issue");
	bed_check_error(&b, "cs,sched:sched_swich", PERR_NOTFOUND, 3, "sched:sched_swich",
			"nearest: sched:sched_switch");
	bed_check_error(&b, "shed:sched_switch", PERR_NOTFOUND, 0, NULL, "sched:sched_switch");
	bed_check_error(&b, "sched_switch", PERR_NOTFOUND, 0, NULL, "sched:sched_switch");
	bed_check_error(&b, "sdt_libc:setjmp", PERR_NOTFOUND, 0, "sdt_libc:setjmp",
			"-e usdt:FILE:libc:setjmp");
	bed_check_error(&b, "sched:f*", PERR_NOTFOUND, 0, "sched:f*", NULL);
	bed_check_error(&b, "sched:only_a_filter", PERR_NOTFOUND, 0, NULL, NULL);
	bed_check_error(&b, "sched:", PERR_NOTFOUND, 0, NULL, NULL);
	bed_check_error(&b, "sched:..:u", PERR_NOTFOUND, 0, NULL, NULL);
	bed_check_error(&b, "sched:sched_switch/period=5/", PERR_USAGE, 19, "tracepoints",
			"valid terms: name,call-graph,stack-size");
	b.o.host.tracefs = "/nonexistent";
	bed_check_error(&b, "cs,sched:sched_switch", PERR_NOTFOUND, 3,
			"mount -t tracefs nodev /sys/kernel/tracing", NULL);
	bed_fini(&b);
}

TEST(filters)
{
	struct bed b;

	bed_init(&b);
	CHECK_EQ(event_parse_filter(&b.l, "a==1", &b.e), PERR_USAGE);
	CHECK_EQ(event_parse(&b.l, &b.o, "sched:sched_switch", &b.where, &b.e), 0);
	CHECK_EQ(event_parse(&b.l, &b.o, "sched:sched_wak*,cs", &b.where, &b.e), 0);
	CHECK_EQ(event_parse_filter(&b.l, "pid == 1", &b.e), 0);
	CHECK_EQ(event_parse_filter(&b.l, "prio < 5", &b.e), 0);
	CHECK_STR(b.l.events[0]->filter, NULL);
	CHECK_STR(b.l.events[1]->filter, "(pid == 1) && (prio < 5)");
	CHECK_STR(b.l.events[2]->filter, "(pid == 1) && (prio < 5)");
	CHECK_STR(b.l.events[3]->filter, NULL);
	/* what is wrong leaves the list alone */
	CHECK_EQ(event_parse(&b.l, &b.o, "cs,{faults,nonsense}", &b.where, &b.e), PERR_NOTFOUND);
	CHECK_EQ(b.l.nr, 4);
	CHECK_EQ(event_parse(&b.l, &b.o, "cs", &b.where, &b.e), 0);
	CHECK_EQ(event_parse_filter(&b.l, "x", &b.e), PERR_USAGE);
	bed_fini(&b);
}

TEST(breakpoints)
{
	static const struct row rows[] = {
		{ "mem:0x1000", "mem:0x1000 5/0x0 eG bp3 c1=0x1000 c2=0x4" },
		{ "mem:16", "mem:16 5/0x0 eG bp3 c1=0x10 c2=0x4" },
		{ "mem:0x1000:x", "mem:0x1000:x 5/0x0 eG bp4 c1=0x1000 c2=0x8" },
		{ "mem:0x1000:wr", "mem:0x1000:wr 5/0x0 eG bp3 c1=0x1000 c2=0x4" },
		{ "mem:0x1000:rwx", "mem:0x1000:rwx 5/0x0 eG bp7 c1=0x1000 c2=0x4" },
		{ "mem:0x1000:w:k", "mem:0x1000:w:k 5/0x0 eu eh bp2 c1=0x1000 c2=0x4" },
		{ "mem:0x1000:u", "mem:0x1000:u 5/0x0 ek eh eG bp3 c1=0x1000 c2=0x4" },
		{ "mem:0x1000/8", "mem:0x1000 5/0x0 eG bp3 c1=0x1000 c2=0x8" },
		{ "mem:0x1000/1:w:u", "mem:0x1000 5/0x0 ek eh eG bp2 c1=0x1000 c2=0x1" },
		{ "mem:0x1000/8:x", "mem:0x1000 5/0x0 eG bp4 c1=0x1000 c2=0x8" },
		{ "mem:0x10/8/name=foo/k", "foo 5/0x0 eu eh bp3 c1=0x10 c2=0x8" },
		{ "mem:0x10:w/name=foo/", "foo 5/0x0 eG bp2 c1=0x10 c2=0x4" },
		{ "{mem:1,cs}:u",
		  "mem:1 5/0x0 ek eh eG bp3 c1=0x1 c2=0x4 0<0(2)|cs 1/0x3 ek eh eG 1<0(0)" },
	};
	struct bed b;

	bed_init(&b);
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK_EQ(b.l.events[0]->attr.sample_period_or_freq, 1);
	bed_check_error(&b, "mem:0xzz", PERR_USAGE, 4, "number", NULL);
	bed_check_error(&b, "mem:schedule", PERR_USAGE, 4, "number", NULL);
	bed_check_error(&b, "mem:", PERR_USAGE, 4, NULL, NULL);
	bed_check_error(&b, "mem:1/0", PERR_USAGE, 6, NULL, NULL);
	bed_check_error(&b, "mem:1:rr", PERR_USAGE, 7, "twice", NULL);
	bed_check_error(&b, "mem:1:rz", PERR_USAGE, 6, NULL, NULL);
	bed_check_error(&b, "mem:0x11111111111111111", PERR_USAGE, 4, "64 bits", NULL);
	bed_fini(&b);
}

TEST(default_event)
{
	struct rec_event *ev;
	struct bed b;

	bed_init(&b);
	ev = event_parse_default(&b.l);
	CHECK_STR(ev->name, "cycles:P");
	CHECK(ev->is_default && ev->precise_max);
	/* as every event with P alone */
	CHECK(!pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_GUEST));
	CHECK_EQ(event_parse_defaults(&b.l, &b.o), 1);
	CHECK_STR(b.l.events[1]->name, "cycles:P");
	bed_fini(&b);
}

/* Every beginning of a text that has it all ends in an answer. */
TEST(cut_texts)
{
	static const char text[] =
		"g{cpu/event=0x3c,name='x y'/u,mem:0x10/8:rw:k}:S,sched:*/max-stack=3/p,"
		"uprobe:'/no file':ns::f<int, 3>(a, b):u,uretprobe:/no:operator<<(x)";
	struct bed b;

	bed_init(&b);
	bed_add_intel(&b);
	for (size_t n = 0; n < sizeof(text); n++) {
		char *cut = xstrndup(text, n);
		int err = bed_parse(&b, cut);

		CHECK(err <= 0);
		if (err)
			CHECK(b.where.pos <= n && b.e.code == err);
		free(cut);
	}
	bed_fini(&b);
}
