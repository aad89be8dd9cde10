/* SPDX-License-Identifier: MIT */
/* Texts of -e with PMUs: their terms, hosts without a PMU, hybrid hosts. */
#include "record/events/event_parse.h"

#include "base/mem.h"
#include "tests/frame/host_tree.h"
#include "tests/frame/unit.h"
#include "tests/record/events/use_event_parse.h"

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
	bed_add_intel(&b);
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK_EQ(b.d.nr, 1); /* the group was broken up */
	CHECK_EQ(bed_parse(&b, "imc/cas_count_read/"), 0);
	CHECK_STR(b.l.events[2]->unit, "MiB");
	CHECK(b.l.events[2]->scale == 6.103515625e-5);
	CHECK(b.l.events[2]->pmu_cpus && b.l.events[2]->pmu_cpus->nr == 1);
	CHECK_EQ(bed_parse(&b, "cpu/event=1,period=5,freq=7/"), 0);
	CHECK(b.l.events[0]->terms.has_freq && b.l.events[0]->terms.freq == 7);
	CHECK(!b.l.events[0]->pmu_cpus);
	bed_check_error(&b, "cpu/event=256/", PERR_USAGE, 10, "0 to 255", "8 bits");
	bed_check_error(&b, "cpu/event=abc/", PERR_USAGE, 10, "number", NULL);
	bed_check_error(&b, "cpu/mem-laods/", PERR_NOTFOUND, 4, "'mem-laods'",
			"nearest: mem-loads");
	bed_check_error(&b, "cpu/foo=1/", PERR_NOTFOUND, 4, "'foo'",
			"gap,inv,ldlat,three,umask,config");
	bed_check_error(&b, "cpu/asks/", PERR_USAGE, 4, "umask=", NULL);
	bed_check_error(&b, "cpu/damaged/", PERR_FORMAT, 4, "nothing", NULL);
	bed_check_error(&b, "cs,cpux/event=1/", PERR_NOTFOUND, 3, "PMU 'cpux'", "nearest: cpu");
	bed_check_error(&b, "mem-laods", PERR_NOTFOUND, 0, NULL, "nearest: mem-loads");
	bed_fini(&b);
}

TEST(no_pmu_at_all)
{
	struct bed b;

	bed_init(&b);
	bed_check_error(&b, "cpu/event=1/", PERR_NOTFOUND, 0, "no PMU 'cpu'", NULL);
	bed_check_error(&b, "cyclse", PERR_NOTFOUND, 0, "'cyclse'", "nearest: cycles");
	bed_check_error(&b, "cs,cyclse:u", PERR_NOTFOUND, 3, "'cyclse'", "nearest: cycles");
	bed_check_error(&b, "L1-icache-stores", PERR_USAGE, 0, "operation", NULL);
	bed_check_error(&b, "r1ffffffffffffffff", PERR_USAGE, 0, "64 bits", NULL);
	bed_check_error(&b, "rxyz", PERR_NOTFOUND, 0, NULL, NULL);
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
	bed_check_rows(&b, rows, ARRAY_SIZE(rows));
	CHECK(cpu_list_has(b.l.events[0]->pmu_cpus, 4));
	CHECK(!cpu_list_has(b.l.events[0]->pmu_cpus, 3));
	evlist_fini(&b.l);
	CHECK_EQ(event_parse_defaults(&b.l, &b.o), 2);
	CHECK_STR(b.l.events[1]->name, "cpu_core/cycles/P");
	CHECK(b.l.events[1]->precise_max && b.l.events[1]->is_default);
	CHECK_EQ(b.l.events[1]->attr.config, 0x400000000ull);
	bed_fini(&b);
}
