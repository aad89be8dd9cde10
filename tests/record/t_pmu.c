/* SPDX-License-Identifier: MIT */
/* PMUs and tracepoints as made-up folders show them, and names that look alike. */
#include "record/host/pmu.h"

#include "base/mem.h"
#include "record/events/event_names_table.h"
#include "base/nearest_name.h"
#include "record/host/tracefs.h"
#include "tests/frame/host_tree.h"
#include "tests/frame/unit.h"

TEST(format_bits)
{
	struct host_tree t;
	const struct pmu_format *f;
	struct pmu *p;
	struct perr e;

	host_tree_init(&t);
	host_tree_pmu(&t, "x", "type", "7");
	host_tree_pmu(&t, "x", "format/event", "config:0-7,32-35");
	host_tree_pmu(&t, "x", "format/bit", "config:23");
	host_tree_pmu(&t, "x", "format/ldlat", "config1:0-15");
	host_tree_pmu(&t, "x", "format/all", "config2:0-63");
	host_tree_pmu(&t, "x", "format/far", "config3:60-63");
	host_tree_pmu(&t, "x", "format/bad1", "config4:0-7");
	host_tree_pmu(&t, "x", "format/bad2", "config:7-0");
	host_tree_pmu(&t, "x", "format/bad3", "config:0-64");
	host_tree_pmu(&t, "x", "format/bad4", "config:0-7,");
	host_tree_pmu(&t, "x", "format/bad5", "config");
	host_tree_pmu(&t, "x", "format/bad6", "");
	host_tree_pmu(&t, "x", "format/bad7", "config:-1");
	CHECK_EQ(pmu_read(&t.host, "x", &p, &e), 0);
	CHECK_EQ(p->type, 7);
	CHECK_EQ(p->nr_formats, 5);
	f = pmu_format_find(p, "event", 5);
	CHECK(f != NULL);
	CHECK_EQ(f->word, 0);
	CHECK_EQ(pmu_format_max(f), 0xfff);
	CHECK_EQ(pmu_format_spread(f, 0xabc), 0xa000000bcull);
	f = pmu_format_find(p, "bit", 3);
	CHECK_EQ(pmu_format_max(f), 1);
	CHECK_EQ(pmu_format_spread(f, 1), 1u << 23);
	f = pmu_format_find(p, "ldlat", 5);
	CHECK_EQ(f->word, 1);
	f = pmu_format_find(p, "all", 3);
	CHECK_EQ(f->word, 2);
	CHECK_EQ(pmu_format_max(f), UINT64_MAX);
	CHECK_EQ(pmu_format_spread(f, 0x123456789abcdef0ull), 0x123456789abcdef0ull);
	f = pmu_format_find(p, "far", 3);
	CHECK_EQ(f->word, 3);
	CHECK_EQ(pmu_format_spread(f, 0xf), 0xfull << 60);
	CHECK(!p->is_core && !p->cpus);
	pmu_free(p);
	host_tree_fini(&t);
}

TEST(aliases_and_cpus)
{
	struct host_tree t;
	const struct pmu_alias *a;
	struct pmu *p;

	host_tree_init(&t);
	host_tree_pmu(&t, "uncore_imc_0", "type", "20");
	host_tree_pmu(&t, "uncore_imc_0", "cpumask", "0,4-5");
	host_tree_pmu(&t, "uncore_imc_0", "events/read", "event=0x04,umask=0x03");
	host_tree_pmu(&t, "uncore_imc_0", "events/read.unit", "MiB");
	host_tree_pmu(&t, "uncore_imc_0", "events/read.scale", "6.103515625e-5");
	host_tree_pmu(&t, "uncore_imc_0", "events/read.per-pkg", "1");
	host_tree_pmu(&t, "uncore_imc_0", "events/odd", "event=1");
	host_tree_pmu(&t, "uncore_imc_0", "events/odd.scale", "none");
	CHECK_EQ(pmu_read(&t.host, "uncore_imc_0", &p, NULL), 0);
	CHECK_EQ(p->nr_aliases, 2);
	a = pmu_alias_find(p, "READ", 4);
	CHECK(a != NULL);
	CHECK_STR(a->terms, "event=0x04,umask=0x03");
	CHECK_STR(a->unit, "MiB");
	CHECK(a->scale == 6.103515625e-5);
	a = pmu_alias_find(p, "odd", 3);
	CHECK(a->scale == 1 && !a->unit);
	CHECK(p->cpus && p->cpus->nr == 3 && cpu_list_has(p->cpus, 5));
	CHECK(!p->is_core);
	pmu_free(p);
	host_tree_fini(&t);
}

TEST(which_are_read)
{
	struct host_tree t;
	struct pmu_list l;
	struct pmu *p;
	struct perr e;

	host_tree_init(&t);
	pmu_list_read(&t.host, &l);
	CHECK_EQ(l.nr, 0);
	pmu_list_fini(&l);
	CHECK_EQ(pmu_read(&t.host, "cpu", &p, &e), PERR_NOTFOUND);
	host_tree_pmu(&t, "imc_10", "type", "12");
	host_tree_pmu(&t, "imc_2", "type", "11");
	host_tree_pmu(&t, "bad", "type", "twelve");
	host_tree_pmu(&t, "huge", "type", "99999999999");
	host_tree_pmu(&t, "untyped", "format/event", "config:0-7");
	CHECK_EQ(pmu_read(&t.host, "bad", &p, &e), PERR_FORMAT);
	CHECK_EQ(pmu_read(&t.host, "huge", &p, &e), PERR_FORMAT);
	CHECK_EQ(pmu_read(&t.host, "../devices/imc_2", &p, &e), PERR_NOTFOUND);
	CHECK_EQ(pmu_read(&t.host, "", &p, &e), PERR_NOTFOUND);
	pmu_list_read(&t.host, &l);
	CHECK_EQ(l.nr, 2);
	CHECK_STR(l.pmus[0]->name, "imc_2");
	CHECK_STR(l.pmus[1]->name, "imc_10");
	CHECK(pmu_list_find(&l, "imc_2x", 5) == l.pmus[0]);
	CHECK(!pmu_list_find(&l, "imc", 3));
	CHECK(!pmu_list_is_hybrid(&l));
	pmu_list_fini(&l);
	host_tree_pmu(&t, "cpu_core", "type", "4");
	host_tree_pmu(&t, "cpu_core", "cpus", "0-3");
	host_tree_pmu(&t, "cpu_atom", "type", "10");
	host_tree_pmu(&t, "cpu_atom", "cpus", "4-7");
	pmu_list_read(&t.host, &l);
	CHECK(pmu_list_is_hybrid(&l));
	pmu_list_fini(&l);
	host_tree_fini(&t);
}

TEST(which_is_meant)
{
	char imc_name[] = "uncore_imc_0", imc_10_name[] = "uncore_imc_10";
	char addr_name[] = "hisi_fed40000";
	struct pmu imc = { .name = imc_name }, imc_10 = { .name = imc_10_name };
	struct pmu addr = { .name = addr_name };

	CHECK(pmu_is_meant(&imc, "uncore_imc_0", 12));
	CHECK(pmu_is_meant(&imc, "uncore_imc", 10));
	CHECK(pmu_is_meant(&imc, "uncore_imc_", 11));
	CHECK(pmu_is_meant(&imc, "imc", 3));
	CHECK(pmu_is_meant(&imc, "imc_0", 5));
	CHECK(pmu_is_meant(&imc, "uncore_*", 8));
	CHECK(pmu_is_meant(&imc, "*imc*", 5));
	CHECK(!pmu_is_meant(&imc, "uncore", 6));
	CHECK(!pmu_is_meant(&imc, "im", 2));
	CHECK(!pmu_is_meant(&imc, "uncore_imc_01", 13));
	CHECK(!pmu_is_meant(&imc_10, "imc_1", 5));
	CHECK(pmu_is_meant(&imc_10, "imc_10", 6));
	CHECK(!pmu_is_meant(&imc, "", 0));
	CHECK(pmu_is_meant(&addr, "hisi", 4));
	CHECK(!pmu_is_meant(&addr, "his", 3));
}

TEST(tracefs_places)
{
	struct host_tree t;
	char *root = NULL;
	struct perr e;
	u64 id;

	host_tree_init(&t);
	/* the given one, without events */
	CHECK_EQ(tracefs_find(&t.host, &root, &e), PERR_NOTFOUND);
	CHECK(strstr(e.text, "mount -t tracefs nodev /sys/kernel/tracing") != NULL);
	/* the old place below debugfs */
	t.host.tracefs = NULL;
	fake_file(&t.tree, "sys/kernel/debug/tracing/events/a/b/id", "1");
	CHECK_EQ(tracefs_find(&t.host, &root, &e), 0);
	CHECK(strstr(root, "sys/kernel/debug/tracing") != NULL);
	free(root);
	/* the new place comes first */
	fake_file(&t.tree, "sys/kernel/tracing/events/a/b/id", " 17");
	CHECK_EQ(tracefs_find(&t.host, &root, &e), 0);
	CHECK(strstr(root, "sys/kernel/tracing") != NULL);
	CHECK_EQ(tracefs_event_id(root, "a", "b", &id, &e), PERR_FORMAT);
	fake_file(&t.tree, "sys/kernel/tracing/events/a/b/id", "17");
	CHECK_EQ(tracefs_event_id(root, "a", "b", &id, &e), 0);
	CHECK_EQ(id, 17);
	CHECK_EQ(tracefs_event_id(root, "a", "c", &id, &e), PERR_IO);
	free(root);
	host_tree_fini(&t);
}

TEST(tracefs_among_mounts)
{
	struct host_tree t;
	char *root = NULL, *where;
	struct perr e;

	host_tree_init(&t);
	where = xasprintf("%s/elsewhere", t.tree.root);
	fake_file(&t.tree, "elsewhere/events/a/b/id", "1");
	t.host.tracefs = NULL;
	CHECK_EQ(tracefs_find(&t.host, &root, &e), PERR_NOTFOUND);
	fake_file(&t.tree, "proc/mounts",
		  "short\nproc /proc proc rw 0 0\nnodev /not/there tracefs rw 0 0\n"
		  "nodev %s tracefs rw 0 0\n",
		  where);
	CHECK_EQ(tracefs_find(&t.host, &root, &e), 0);
	CHECK_STR(root, where);
	free(root);
	free(where);
	host_tree_fini(&t);
}

TEST(nearest)
{
	struct nearest_name n;
	char text[200];

	CHECK_EQ(edit_distance("cyclse", "cycles", 9), 1);
	CHECK_EQ(edit_distance("", "abc", 9), 3);
	CHECK_EQ(edit_distance("abc", "abc", 0), 0);
	CHECK_EQ(edit_distance("kitten", "sitting", 9), 3);
	CHECK_EQ(edit_distance("kitten", "sitting", 1), 2);
	nearest_init(&n, "cyclse", 6);
	event_names_offer(&n);
	CHECK_EQ(nearest_text(&n, text, sizeof(text)), 1);
	CHECK_STR(text, "cycles");
	nearest_init(&n, "CPU-CYCLE", 9);
	event_names_offer(&n);
	CHECK(nearest_text(&n, text, sizeof(text)) >= 1);
	CHECK(!strncmp(text, "cpu-cycles", 10));
	nearest_init(&n, "zzzzzz", 6);
	event_names_offer(&n);
	CHECK_EQ(nearest_text(&n, text, sizeof(text)), 0);
	CHECK_STR(text, "");
	/* the nearest five, and no more than fits */
	nearest_init(&n, "abcdef", 6);
	for (const char *s = "gfedcba"; *s; s++)
		nearest_offer(&n, (char[]){ 'a', 'b', 'c', 'd', 'e', *s, '\0' });
	CHECK_EQ(nearest_text(&n, text, sizeof(text)), 5);
	CHECK(!strncmp(text, "abcdef, ", 8));
	CHECK_EQ(nearest_text(&n, text, 8), 1);
	CHECK_STR(text, "abcdef");
}

TEST(cache_names)
{
	static const struct {
		const char *name;
		u64 config;
	} good[] = {
		{ "L1-dcache-load-misses", 0x10000 },
		{ "L1-dcache", 0 },
		{ "L1-dcache-misses-loads", 0x10000 },
		{ "l1d-stores", 0x100 },
		{ "LLC-prefetch-misses", 0x10202 },
		{ "L2", 2 },
		{ "LLC-speculative-read", 0x202 },
		{ "Data-TLB-write-miss", 0x10103 },
		{ "iTLB-refs", 4 },
		{ "branch-load-misses", 0x10005 },
		{ "bpu-misses", 0x10005 },
		{ "node-stores-access", 0x106 },
		{ "l1-icache-prefetches", 0x201 },
	};
	static const char *const bad[] = { "L1",
					   "L1-dcachex",
					   "L1-dcache-",
					   "L1-dcache-foo",
					   "LLC-loads-loads",
					   "LLC-misses-misses",
					   "LLC-loads-misses-loads",
					   "" };
	u64 config;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CHECK_EQ(event_cache_find(good[i].name, strlen(good[i].name), &config),
			 EVENT_CACHE_OK);
		CHECK_EQ(config, good[i].config);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(event_cache_find(bad[i], strlen(bad[i]), &config), EVENT_CACHE_UNKNOWN);
	CHECK_EQ(event_cache_find("L1-icache-stores", 16, &config), EVENT_CACHE_NO_OP);
	CHECK_EQ(event_cache_find("iTLB-prefetches", 15, &config), EVENT_CACHE_NO_OP);
	CHECK(event_symbol_find("cycles", 6) == event_symbol_find("CPU-Cycles", 10));
	CHECK(!event_symbol_find("cycles:u", 8));
	CHECK_EQ(event_symbol_find("cycles:u", 6)->config, 0);
}
