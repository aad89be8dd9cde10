/* SPDX-License-Identifier: MIT */
/*
 * -e: event texts to events. What is expected of attrs and names was seen in perf 6.1 (`perf record
 * -e TEXT` and `perf evlist -v`, with a made-up sysfs for hardware); where perf 7.2 takes more than
 * that, it is taken too.
 */
#include "record/events/event_parse.h"

#include "base/mem.h"
#include "tests/frame/host_tree.h"
#include "tests/frame/unit.h"

struct bed {
	struct host_tree t;
	struct rec_opts o;
	struct rec_evlist l;
	struct event_parse_error where;
	struct perr e;
	struct diag d;
};

static void bed_init(struct bed *b)
{
	memset(b, 0, sizeof(*b));
	host_tree_init(&b->t);
	rec_opts_init(&b->o);
	diag_init(&b->d);
	b->o.host = b->t.host;
	b->o.diag = &b->d;
	evlist_init(&b->l);
	host_tree_tracepoint(&b->t, "sched", "sched_switch", 372);
	host_tree_tracepoint(&b->t, "sched", "sched_waking", 300);
	host_tree_tracepoint(&b->t, "sched", "sched_wakeup", 301);
	host_tree_tracepoint(&b->t, "block", "block_rq_issue", 40);
	host_tree_tracepoint(&b->t, "xen", "sched_switch", 77);
	fake_file(&b->t.tree, "tracing/events/sched/only_a_filter/filter", "none\n");
	fake_file(&b->t.tree, "tracing/events/enable", "0\n");
}

static void bed_fini(struct bed *b)
{
	evlist_fini(&b->l);
	rec_opts_fini(&b->o);
	diag_fini(&b->d);
	host_tree_fini(&b->t);
}

/* As an Intel server has it. */
static void add_intel(struct bed *b)
{
	static const char *const files[][2] = {
		{ "type", "4" },
		{ "format/event", "config:0-7" },
		{ "format/umask", "config:8-15" },
		{ "format/inv", "config:23" },
		{ "format/ldlat", "config1:0-15" },
		{ "format/gap", "config:0-7,32-35" },
		{ "format/three", "config3:4-7" },
		{ "events/cpu-cycles", "event=0x3c" },
		{ "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
		{ "events/asks", "event=1,umask=?" },
		{ "events/damaged", "event=1,nothing=2" },
	};
	static const char *const boxes[] = { "uncore_imc_0", "uncore_imc_1", "uncore_imc_10" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		host_tree_pmu(&b->t, "cpu", files[i][0], files[i][1]);
	for (size_t i = 0; i < ARRAY_SIZE(boxes); i++) {
		host_tree_pmu(&b->t, boxes[i], "type", (char[]){ '2', (char)('0' + i), '\0' });
		host_tree_pmu(&b->t, boxes[i], "cpumask", "0");
		host_tree_pmu(&b->t, boxes[i], "format/event", "config:0-7");
		host_tree_pmu(&b->t, boxes[i], "events/cas_count_read", "event=0x04");
		host_tree_pmu(&b->t, boxes[i], "events/cas_count_read.unit", "MiB");
		host_tree_pmu(&b->t, boxes[i], "events/cas_count_read.scale", "6.103515625e-5");
	}
	host_tree_pmu(&b->t, "software", "type", "1");
}

static void add_hybrid(struct bed *b)
{
	host_tree_pmu(&b->t, "cpu_core", "type", "4");
	host_tree_pmu(&b->t, "cpu_core", "cpus", "0-3");
	host_tree_pmu(&b->t, "cpu_core", "format/event", "config:0-7");
	host_tree_pmu(&b->t, "cpu_core", "events/mem-loads", "event=0xcd");
	host_tree_pmu(&b->t, "cpu_atom", "type", "10");
	host_tree_pmu(&b->t, "cpu_atom", "cpus", "4-7");
	host_tree_pmu(&b->t, "cpu_atom", "format/event", "config:0-7");
}

/* Parses into an empty list. */
static int parse(struct bed *b, const char *text)
{
	evlist_fini(&b->l);
	evlist_init(&b->l);
	memset(&b->e, 0, sizeof(b->e));
	return event_parse(&b->l, &b->o, text, &b->where, &b->e);
}

/* Short text of all that a text became: "name type/config[ flags]" per event, '|' between. */
static char *events_text(const struct bed *b)
{
	static const struct {
		enum pd_attr_flag flag;
		const char *text;
	} flags[] = {
		{ PD_ATTR_EXCLUDE_USER, " eu" },  { PD_ATTR_EXCLUDE_KERNEL, " ek" },
		{ PD_ATTR_EXCLUDE_HV, " eh" },    { PD_ATTR_EXCLUDE_HOST, " eH" },
		{ PD_ATTR_EXCLUDE_GUEST, " eG" }, { PD_ATTR_EXCLUDE_IDLE, " eI" },
		{ PD_ATTR_PINNED, " pinned" },    { PD_ATTR_EXCLUSIVE, " exclusive" },
		{ PD_ATTR_PRECISE_IP, " p1" },    { PD_ATTR_PRECISE_IP + 1, " p2" },
	};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < b->l.nr; i++) {
		const struct rec_event *ev = b->l.events[i];
		const struct pd_attr *a = &ev->attr;

		fprintf(f, "%s%s %u/0x%llx", i ? "|" : "", ev->name, a->type,
			(unsigned long long)a->config);
		for (size_t k = 0; k < ARRAY_SIZE(flags); k++)
			if (pd_attr_has(a, flags[k].flag))
				fputs(flags[k].text, f);
		if (a->bp_type)
			fprintf(f, " bp%u", a->bp_type);
		if (a->config1)
			fprintf(f, " c1=0x%llx", (unsigned long long)a->config1);
		if (a->config2)
			fprintf(f, " c2=0x%llx", (unsigned long long)a->config2);
		if (a->config3)
			fprintf(f, " c3=0x%llx", (unsigned long long)a->config3);
		fprintf(f, "%s%s%s", ev->precise_max ? " P" : "", ev->sample_read ? " S" : "",
			ev->weak_group ? " W" : "");
		if (ev->in_group)
			fprintf(f, " %u<%u(%u)", ev->idx, ev->leader_idx, ev->nr_members);
		if (ev->group_name)
			fprintf(f, " of %s", ev->group_name);
	}
	fclose(f);
	return text;
}

static void check_events(struct bed *b, const char *text, const char *want)
{
	char *got;

	if (parse(b, text))
		unit_fail(__FILE__, __LINE__, "%s: %s", text, b->e.text);
	got = events_text(b);
	unit_check_str(__FILE__, __LINE__, text, got, want);
	free(got);
}

static void check_error(struct bed *b, const char *text, int code, size_t pos, const char *said,
			const char *help)
{
	int err = parse(b, text);

	unit_check_eq(__FILE__, __LINE__, text, (u64)err, (u64)code);
	CHECK_EQ(b->l.nr, 0);
	unit_check_eq(__FILE__, __LINE__, text, b->where.pos, pos);
	if (said && !strstr(b->e.text, said))
		unit_fail(__FILE__, __LINE__, "%s: said '%s'", text, b->e.text);
	if (help && !strstr(b->where.help, help))
		unit_fail(__FILE__, __LINE__, "%s: helped '%s'", text, b->where.help);
}

struct row {
	const char *text, *want;
};

static void check_rows(struct bed *b, const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		check_events(b, rows[i].text, rows[i].want);
}

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
	check_rows(&b, rows, ARRAY_SIZE(rows));
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
	check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK(b.l.events[0]->levels_given);
	CHECK_EQ(parse(&b, "cs:p"), 0);
	CHECK(!b.l.events[0]->levels_given);
	check_error(&b, "cs:uu", PERR_USAGE, 4, "twice", "ukhGHIpPSDWeb");
	check_error(&b, "cs:pppp", PERR_USAGE, 6, "three", NULL);
	check_error(&b, "cs:ux", PERR_USAGE, 4, "'x'", NULL);
	check_error(&b, "faults,cs:u:k", PERR_USAGE, 11, NULL, NULL);
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
	check_rows(&b, rows, ARRAY_SIZE(rows));
	check_error(&b, "{{cs}}", PERR_USAGE, 1, "cannot contain a group", NULL);
	check_error(&b, "cpu-clock,{cs", PERR_USAGE, 10, "missing", NULL);
	check_error(&b, "cs}", PERR_USAGE, 2, NULL, NULL);
	check_error(&b, "{}", PERR_USAGE, 1, NULL, NULL);
	check_error(&b, "{cs,}", PERR_USAGE, 4, NULL, NULL);
	check_error(&b, "{cs,faults}:uu", PERR_USAGE, 13, "twice", NULL);
	check_error(&b, "{cs:pp,faults}:pp", PERR_USAGE, 14, "three", NULL);
	check_error(&b, "", PERR_USAGE, 0, "expected an event at the end", NULL);
	check_error(&b, "cs,", PERR_USAGE, 3, "expected an event at the end", NULL);
	check_error(&b, ",cs", PERR_USAGE, 0, NULL, NULL);
	bed_fini(&b);
}

TEST(general_terms)
{
	const struct rec_terms *t;
	struct bed b;

	bed_init(&b);
	fake_file(&b.t.tree, "proc/sys/kernel/perf_event_max_sample_rate", "50000\n");
	CHECK_EQ(parse(&b, "cs/period=0x10,call-graph=dwarf,stack-size=4096,max-stack=9,time=0,"
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

	CHECK_EQ(parse(&b, "cs/period=5,freq=max,inherit,no-overwrite,branch_type=any,time=1/"), 0);
	t = &b.l.events[0]->terms;
	CHECK(t->has_freq && !t->has_period && t->has_branch);
	CHECK_EQ(t->freq, 50000);
	CHECK_EQ(t->inherit, REC_ON);
	CHECK_EQ(t->overwrite, REC_OFF);
	CHECK_EQ(t->branch_sample_type, PD_BRANCH_ANY);
	CHECK_EQ(t->callgraph, REC_CG_UNSET);
	CHECK_EQ(parse(&b, "cs/call-graph=no/"), 0);
	CHECK_EQ(b.l.events[0]->terms.callgraph, REC_CG_NONE);
	CHECK_EQ(b.l.events[0]->terms.time, REC_UNSET);

	check_events(&b, "cs/name=a,name=b/u", "a 1/0x3 ek eh eG");
	check_events(&b, "cs/name='a:b=c,d e/f}'/", "a:b=c,d e/f} 1/0x3 eG");
	check_events(&b, "cs/name=\"x\"/", "x 1/0x3 eG");
	check_events(&b, "cs/config=9,config1=1,config2=2,config3=3/",
		     "cs/config=9,config1=1,config2=2,config3=3/ 1/0x9 eG c1=0x1 c2=0x2 c3=0x3");
	check_events(&b, "cs/ name = y , period = 010 /", "y 1/0x3 eG");
	CHECK_EQ(b.l.events[0]->terms.period, 10);
	check_error(&b, "cs/period=1k/", PERR_USAGE, 10, "number", NULL);
	check_error(&b, "cs/period=/", PERR_USAGE, 10, "no value", NULL);
	check_error(&b, "cs/period/", PERR_USAGE, 3, "needs a value", NULL);
	check_error(&b, "cs/foo=1/", PERR_USAGE, 3, "'foo'", "valid terms: config,config1");
	check_error(&b, "cs/time=2/", PERR_USAGE, 8, "0 to 1", NULL);
	check_error(&b, "cs/max-stack=70000/", PERR_USAGE, 13, "0 to 65535", NULL);
	check_error(&b, "cs/call-graph=x/", PERR_USAGE, 14, NULL, "fp, dwarf, lbr");
	check_error(&b, "cs/name='x/", PERR_USAGE, 8, "quote", NULL);
	check_error(&b, "cs/period=5", PERR_USAGE, 11, "'/'", NULL);
	check_error(&b, "cs/period=5,/", PERR_USAGE, 12, "term", NULL);
	check_error(&b, "cs/period=18446744073709551616/", PERR_USAGE, 10, NULL, NULL);
	check_error(&b, "cs/@sink=1/", PERR_UNSUPPORTED, 3, NULL, NULL);
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
	check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK_EQ(b.l.events[0]->attr.sample_period_or_freq, 1);
	CHECK_STR(b.l.events[0]->tp_system, "block");
	CHECK_STR(b.l.events[0]->tp_name, "block_rq_issue");
	check_error(&b, "cs,sched:sched_swich", PERR_NOTFOUND, 3, "sched:sched_swich",
		    "nearest: sched:sched_switch");
	check_error(&b, "shed:sched_switch", PERR_NOTFOUND, 0, NULL, "sched:sched_switch");
	check_error(&b, "sched_switch", PERR_NOTFOUND, 0, NULL, "sched:sched_switch");
	check_error(&b, "sched:f*", PERR_NOTFOUND, 0, "sched:f*", NULL);
	check_error(&b, "sched:only_a_filter", PERR_NOTFOUND, 0, NULL, NULL);
	check_error(&b, "sched:", PERR_NOTFOUND, 0, NULL, NULL);
	check_error(&b, "sched:..:u", PERR_NOTFOUND, 0, NULL, NULL);
	check_error(&b, "sched:sched_switch/period=5/", PERR_USAGE, 19, "tracepoints",
		    "valid terms: name,call-graph,stack-size");
	b.o.host.tracefs = "/nonexistent";
	check_error(&b, "cs,sched:sched_switch", PERR_NOTFOUND, 3,
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
	check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK_EQ(b.l.events[0]->attr.sample_period_or_freq, 1);
	check_error(&b, "mem:0xzz", PERR_USAGE, 4, "number", NULL);
	check_error(&b, "mem:schedule", PERR_USAGE, 4, "number", NULL);
	check_error(&b, "mem:", PERR_USAGE, 4, NULL, NULL);
	check_error(&b, "mem:1/0", PERR_USAGE, 6, NULL, NULL);
	check_error(&b, "mem:1:rr", PERR_USAGE, 7, "twice", NULL);
	check_error(&b, "mem:1:rz", PERR_USAGE, 6, NULL, NULL);
	check_error(&b, "mem:0x11111111111111111", PERR_USAGE, 4, "64 bits", NULL);
	bed_fini(&b);
}

TEST(pmu_terms)
{
	static const struct row rows[] = {
		{ "cpu/event=0x3c,umask=1,name=x/", "x 4/0x13c eG" },
		{ "cpu/cycles/", "cpu/cycles/ 0/0x0 eG" },
		{ "cpu/cpu-cycles/u", "cpu/cpu-cycles/u 4/0x3c ek eh eG" },
		{ "cpu/L1-dcache-load-misses/", "cpu/L1-dcache-load-misses/ 3/0x10000 eG" },
		{ "cpu/event=0x3c,gap=0xfff/", "cpu/event=0x3c,gap=0xfff/ 4/0xf000000ff eG" },
		{ "cpu/event=0x3c,inv/", "cpu/event=0x3c,inv/ 4/0x80003c eG" },
		{ "cpu/event=1,event=2/", "cpu/event=1,event=2/ 4/0x3 eG" },
		{ "cpu/event=1,config=0x100/", "cpu/event=1,config=0x100/ 4/0x101 eG" },
		{ "cpu/config1=7,ldlat=8/", "cpu/config1=7,ldlat=8/ 4/0x0 eG c1=0xf" },
		{ "cpu/three=3/", "cpu/three=3/ 4/0x0 eG c3=0x30" },
		{ "cpu/r1a8/", "cpu/r1a8/ 4/0x1a8 eG" },
		{ "cpu//", "cpu// 4/0x0 eG" },
		{ "cpu/mem-loads/", "cpu/mem-loads/ 4/0x1cd eG c1=0x3" },
		{ "cpu/event=mem-loads/", "cpu/event=mem-loads/ 4/0x1cd eG c1=0x3" },
		{ "cpu/mem-loads=1,ldlat=4/", "cpu/mem-loads=1,ldlat=4/ 4/0x1cd eG c1=0x7" },
		{ "mem-loads:pp", "mem-loads:pp 4/0x1cd eG p2 c1=0x3" },
		{ "mem-loads/ldlat=4/k", "mem-loads/ldlat=4/k 4/0x1cd eu eh c1=0x7" },
		{ "cpu/asks,umask=2/", "cpu/asks,umask=2/ 4/0x201 eG" },
		{ "software/config=1/", "software/config=1/ 1/0x1 eG" },
		{ "software/cs/", "software/cs/ 1/0x3 eG" },
		{ "uncore_imc_1/event=4/", "uncore_imc_1/event=4/ 21/0x4 eG" },
		{ "uncore_imc/cas_count_read/",
		  "uncore_imc/cas_count_read/ 20/0x4 eG|uncore_imc/cas_count_read/ 21/0x4 eG|"
		  "uncore_imc/cas_count_read/ 22/0x4 eG" },
		{ "imc_1*/event=1/", "imc_1*/event=1/ 21/0x1 eG|imc_1*/event=1/ 22/0x1 eG" },
		{ "cas_count_read", "cas_count_read 20/0x4 eG|cas_count_read 21/0x4 eG|"
				    "cas_count_read 22/0x4 eG" },
		{ "{imc_0/event=1/,cs,imc_1/event=2/,imc_0/event=3/}:u",
		  "imc_0/event=1/ 20/0x1 ek eh eG 0<0(3)|cs 1/0x3 ek eh eG 1<0(0)|"
		  "imc_0/event=3/ 20/0x3 ek eh eG 2<0(0)|imc_1/event=2/ 21/0x2 ek eh eG 3<3(1)" },
	};
	struct bed b;

	bed_init(&b);
	add_intel(&b);
	check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK_EQ(b.d.nr, 1); /* the group was broken up */
	CHECK_EQ(parse(&b, "imc/cas_count_read/"), 0);
	CHECK_STR(b.l.events[2]->unit, "MiB");
	CHECK(b.l.events[2]->scale == 6.103515625e-5);
	CHECK(b.l.events[2]->pmu_cpus && b.l.events[2]->pmu_cpus->nr == 1);
	CHECK_EQ(parse(&b, "cpu/event=1,period=5,freq=7/"), 0);
	CHECK(b.l.events[0]->terms.has_freq && b.l.events[0]->terms.freq == 7);
	CHECK(!b.l.events[0]->pmu_cpus);
	check_error(&b, "cpu/event=256/", PERR_USAGE, 10, "0 to 255", "8 bits");
	check_error(&b, "cpu/event=abc/", PERR_USAGE, 10, "number", NULL);
	check_error(&b, "cpu/mem-laods/", PERR_NOTFOUND, 4, "'mem-laods'", "nearest: mem-loads");
	check_error(&b, "cpu/foo=1/", PERR_NOTFOUND, 4, "'foo'",
		    "gap,inv,ldlat,three,umask,config");
	check_error(&b, "cpu/asks/", PERR_USAGE, 4, "umask=", NULL);
	check_error(&b, "cpu/damaged/", PERR_FORMAT, 4, "nothing", NULL);
	check_error(&b, "cs,cpux/event=1/", PERR_NOTFOUND, 3, "PMU 'cpux'", "nearest: cpu");
	check_error(&b, "mem-laods", PERR_NOTFOUND, 0, NULL, "nearest: mem-loads");
	bed_fini(&b);
}

TEST(no_pmu_at_all)
{
	struct bed b;

	bed_init(&b);
	check_error(&b, "cpu/event=1/", PERR_NOTFOUND, 0, "no PMU 'cpu'", NULL);
	check_error(&b, "cyclse", PERR_NOTFOUND, 0, "'cyclse'", "nearest: cycles");
	check_error(&b, "cs,cyclse:u", PERR_NOTFOUND, 3, "'cyclse'", "nearest: cycles");
	check_error(&b, "L1-icache-stores", PERR_USAGE, 0, "operation", NULL);
	check_error(&b, "r1ffffffffffffffff", PERR_USAGE, 0, "64 bits", NULL);
	check_error(&b, "rxyz", PERR_NOTFOUND, 0, NULL, NULL);
	bed_fini(&b);
}

TEST(hybrid)
{
	static const struct row rows[] = {
		{ "cycles", "cpu_atom/cycles/ 0/0xa00000000 eG|cpu_core/cycles/ 0/0x400000000 eG" },
		{ "cycles:u", "cpu_atom/cycles:u/ 0/0xa00000000 ek eh eG|"
			      "cpu_core/cycles:u/ 0/0x400000000 ek eh eG" },
		{ "cycles/period=5/",
		  "cycles/period=5/ 0/0xa00000000 eG|cycles/period=5/ 0/0x400000000 eG" },
		{ "LLC-loads", "cpu_atom/LLC-loads/ 3/0xa00000002 eG|"
			       "cpu_core/LLC-loads/ 3/0x400000002 eG" },
		{ "r1a8", "cpu_atom/r1a8/ 10/0x1a8 eG|cpu_core/r1a8/ 4/0x1a8 eG" },
		{ "mem-loads", "cpu_core/mem-loads/ 4/0xcd eG" },
		{ "cpu_core/cycles/", "cpu_core/cycles/ 0/0x400000000 eG" },
		{ "cpu_atom/event=1/", "cpu_atom/event=1/ 10/0x1 eG" },
		{ "cs", "cs 1/0x3 eG" },
		{ "{cycles,instructions}", "cpu_atom/cycles/ 0/0xa00000000 eG 0<0(2)|"
					   "cpu_atom/instructions/ 0/0xa00000001 eG 1<0(0)|"
					   "cpu_core/cycles/ 0/0x400000000 eG 2<2(2)|"
					   "cpu_core/instructions/ 0/0x400000001 eG 3<2(0)" },
	};
	struct bed b;

	bed_init(&b);
	add_hybrid(&b);
	check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK(cpu_list_has(b.l.events[0]->pmu_cpus, 4));
	CHECK(!cpu_list_has(b.l.events[0]->pmu_cpus, 3));
	evlist_fini(&b.l);
	CHECK_EQ(event_parse_defaults(&b.l, &b.o), 2);
	CHECK_STR(b.l.events[1]->name, "cpu_core/cycles/P");
	CHECK(b.l.events[1]->precise_max && b.l.events[1]->is_default);
	CHECK_EQ(b.l.events[1]->attr.config, 0x400000000ull);
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
	add_intel(&b);
	for (size_t n = 0; n < sizeof(text); n++) {
		char *cut = xstrndup(text, n);
		int err = parse(&b, cut);

		CHECK(err <= 0);
		if (err)
			CHECK(b.where.pos <= n && b.e.code == err);
		free(cut);
	}
	bed_fini(&b);
}
