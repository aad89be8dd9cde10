/* SPDX-License-Identifier: MIT */
/* Feature sections made from fake trees of procfs and sysfs: CPUs, caches, nodes, PMUs. */
#include "tests/frame/unit.h"

#include "base/mem.h"
#include "fileformat/feature/feature_pmu.h"
#include "fileformat/feature/feature_topology.h"
#include "tests/record/header/use_host_features.h"

TEST(cpu_of_x86)
{
	struct fixture x;
	struct perr e;
	u64 kb;

	fixture_init(&x);
	host_tree_put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
				      "model\t\t: 207\nmodel name\t: Intel(R)  Xeon(R)   8592+ \n"
				      "stepping\t: 2\n\nprocessor\t: 1\nvendor_id\t: Other\n");
	host_tree_put("proc/meminfo", "MemTotal:       24684084 kB\nMemFree:  1 kB\n");
	fixture_run(&x);
	fixture_check_text(&x, PD_FEAT_CPUDESC, "Intel(R) Xeon(R) 8592+");
	fixture_check_text(&x, PD_FEAT_CPUID, "GenuineIntel,6,207,2");
	CHECK(!pd_feature_u64(fixture_payload(&x, PD_FEAT_TOTAL_MEM), false, &kb, &e));
	CHECK_EQ(kb, 24684084);
	fixture_fini(&x);
}

TEST(cpu_of_arm64)
{
	struct fixture x;

	fixture_init(&x);
	host_tree_put("proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd0c\n");
	host_tree_put("sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
		      "0x00000000413fd0c1\n");
	fixture_run(&x);
	CHECK(!x.f.present[PD_FEAT_CPUDESC]);
	fixture_check_text(&x, PD_FEAT_CPUID, "0x00000000413fd0c1");
	fixture_fini(&x);
}

TEST(odd_procfs_is_left_out)
{
	struct fixture x;

	fixture_init(&x);
	host_tree_put("proc/cpuinfo", ":\n\n:::\nmodel name\nvendor_id\t:\n");
	host_tree_put("proc/meminfo", "MemTotal:\n");
	host_tree_put("proc/schedstat", "version x\ncpu");
	fixture_run(&x);
	CHECK(!x.f.present[PD_FEAT_CPUDESC]);
	CHECK(!x.f.present[PD_FEAT_CPUID]);
	CHECK(!x.f.present[PD_FEAT_TOTAL_MEM]);
	CHECK(!x.f.present[PD_FEAT_CPU_DOMAIN_INFO]);
	fixture_fini(&x);
}

#define CPU "sys/devices/system/cpu/"

/* CPUs 0, 1 and 3 are on, 2 is off; 0 and 1 are threads of one core, 3 is another package. */
static void put_cpus(void)
{
	static const struct {
		const char *cpu, *core, *package, *core_cpus, *package_cpus, *die_cpus;
	} cpus[] = {
		{ "cpu0", "0", "0", "0-1", "0-1", "0-1" },
		{ "cpu1", "0", "0", "0-1", "0-1", "0-1" },
		{ "cpu3", "4", "1", "3", "3", "3" },
	};
	char path[128];
	size_t i;

	host_tree_put(CPU "present", "0-3\n");
	host_tree_put(CPU "online", "0-1,3\n");
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
#define PUT(name, field)                                                    \
	snprintf(path, sizeof(path), CPU "%s/topology/" name, cpus[i].cpu); \
	host_tree_put(path, cpus[i].field)
		PUT("core_id", core);
		PUT("physical_package_id", package);
		PUT("die_id", package);
		PUT("core_cpus_list", core_cpus);
		PUT("package_cpus_list", package_cpus);
		PUT("die_cpus_list", die_cpus);
#undef PUT
	}
}

TEST(cpu_topology)
{
	static const char *const packages[] = { "0-1", "3" };
	static const u32 ids[] = { 0, 0, 0, 0, UINT32_MAX, UINT32_MAX, 4, 1 };
	static const u32 dies[] = { 0, 0, UINT32_MAX, 1 };
	struct pd_cpu_topology t;
	struct pd_nrcpus n;
	struct fixture x;
	struct perr e;

	fixture_init(&x);
	put_cpus();
	fixture_run(&x);
	CHECK(!pd_feature_nrcpus(fixture_payload(&x, PD_FEAT_NRCPUS), false, &n, &e));
	CHECK_EQ(n.avail, 4);
	CHECK_EQ(n.online, 3);
	CHECK(!pd_feature_cpu_topology(fixture_payload(&x, PD_FEAT_CPU_TOPOLOGY), false, 4, &t,
				       &e));
	fixture_check_strings(t.packages, packages, 2);
	fixture_check_strings(t.cores, packages, 2);
	fixture_check_strings(t.dies, packages, 2);
	CHECK_MEM(t.core_ids.p, ids, sizeof(ids));
	CHECK_EQ(t.die_ids.n, sizeof(dies));
	CHECK_MEM(t.die_ids.p, dies, sizeof(dies));
	fixture_fini(&x);
}

/* Names of kernels before 5.3, and machines without dies. */
TEST(cpu_topology_of_old_kernels)
{
	static const char *const packages[] = { "0-1" }, *const cores[] = { "0", "1" };
	struct pd_cpu_topology t;
	struct fixture x;
	struct perr e;

	fixture_init(&x);
	host_tree_put(CPU "present", "0-1");
	host_tree_put(CPU "online", "0-1");
	host_tree_put(CPU "cpu0/topology/core_siblings_list", "0-1\n");
	host_tree_put(CPU "cpu1/topology/core_siblings_list", "0-1\n");
	host_tree_put(CPU "cpu0/topology/thread_siblings_list", "0\n");
	host_tree_put(CPU "cpu1/topology/thread_siblings_list", "1\n");
	fixture_run(&x);
	CHECK(!pd_feature_cpu_topology(fixture_payload(&x, PD_FEAT_CPU_TOPOLOGY), false, 2, &t,
				       &e));
	fixture_check_strings(t.packages, packages, 1);
	fixture_check_strings(t.cores, cores, 2);
	CHECK_EQ(t.dies.nr, 0);
	CHECK_EQ(t.die_ids.n, 0);
	fixture_fini(&x);
}

static void put_cache(const char *cpu, u32 index, const char *level, const char *type,
		      const char *size, const char *cpus)
{
	static const char *const names[] = { "level",
					     "type",
					     "size",
					     "shared_cpu_list",
					     "coherency_line_size",
					     "number_of_sets",
					     "ways_of_associativity" };
	const char *texts[] = { level, type, size, cpus, "64\n", "512\n", "8\n" };
	char path[160];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), CPU "%s/cache/index%u/%s", cpu, index, names[i]);
		host_tree_put(path, texts[i]);
	}
}

TEST(caches)
{
	static const struct {
		u32 level;
		const char *type, *size, *cpus;
	} want[] = {
		{ 1, "Data", "48K", "0" },
		{ 1, "Data", "48K", "1" },
		{ 1, "Data", "48K", "3" },
		{ 3, "Unified", "32768K", "0-1" },
	};
	struct pd_cache_level c;
	struct fixture x;
	struct pd_list l;
	struct perr e;
	size_t i;
	u32 line;

	fixture_init(&x);
	put_cpus();
	put_cache("cpu0", 0, "1", "Data", "48K\n", "0");
	put_cache("cpu0", 1, "3\n", "Unified\n", "32768K", "0-1");
	put_cache("cpu1", 0, "1", "Data", "48K", "1");
	put_cache("cpu1", 1, "3", "Unified", "32768K", "0-1");
	put_cache("cpu3", 0, "1", "Data", "48K", "3");
	put_cache("cpu3", 2, "2", "Unified", "1M", "3"); /* behind a gap: not looked for */
	fixture_run(&x);
	CHECK(!pd_cache_open(fixture_payload(&x, PD_FEAT_CACHE), false, &l, &e));
	CHECK_EQ(l.nr, ARRAY_SIZE(want));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(pd_cache_next(&l, &c, &e), 1);
		CHECK_EQ(c.level, want[i].level);
		fixture_check_span(c.type, want[i].type);
		fixture_check_span(c.size, want[i].size);
		fixture_check_span(c.cpus, want[i].cpus);
		CHECK_EQ(c.line_size, 64);
		CHECK_EQ(c.sets, 512);
		CHECK_EQ(c.ways, 8);
	}
	CHECK(!pd_feature_u32(fixture_payload(&x, PD_FEAT_CLN_SIZE), false, &line, &e));
	CHECK_EQ(line, 64);
	fixture_fini(&x);
}

#define NODE "sys/devices/system/node/"

TEST(nodes_and_memory)
{
	struct pd_numa_node n;
	struct pd_mem_node m;
	struct fixture x;
	struct pd_list l;
	u64 block_size;
	struct perr e;

	fixture_init(&x);
	host_tree_put(NODE "online", "0,10\n");
	host_tree_put(NODE "node0/meminfo",
		      "\nNode 0 MemTotal:       100 kB\nNode 0 MemFree:  40 kB\n");
	host_tree_put(NODE "node0/cpulist", "0-1\n");
	host_tree_put(NODE "node10/meminfo", "Node 10 MemTotal: 7 kB\nNode 10 MemFree: 6 kB\n");
	host_tree_put(NODE "node10/cpulist", "\n");
	host_tree_put("sys/devices/system/memory/block_size_bytes", "8000000\n");
	host_tree_put_folder(NODE "node0/memory0");
	host_tree_put_folder(NODE "node0/memory64");
	host_tree_put_folder(NODE "node0/memoryx");
	host_tree_put_folder(NODE "node2");
	fixture_run(&x);
	CHECK(!pd_list_open(fixture_payload(&x, PD_FEAT_NUMA_TOPOLOGY), false, &l, &e));
	CHECK_EQ(l.nr, 2);
	CHECK_EQ(pd_numa_next(&l, &n, &e), 1);
	CHECK_EQ(n.node, 0);
	CHECK_EQ(n.total_kb, 100);
	CHECK_EQ(n.free_kb, 40);
	fixture_check_span(n.cpus, "0-1");
	CHECK_EQ(pd_numa_next(&l, &n, &e), 1);
	CHECK_EQ(n.node, 10);
	CHECK_EQ(n.total_kb, 7);
	fixture_check_span(n.cpus, "");
	CHECK(!pd_mem_open(fixture_payload(&x, PD_FEAT_MEM_TOPOLOGY), false, &block_size, &l, &e));
	CHECK_EQ(block_size, 0x8000000);
	CHECK_EQ(l.nr, 3);
	CHECK_EQ(pd_mem_next(&l, &m, &e), 1);
	CHECK_EQ(m.node, 0);
	CHECK_EQ(m.nr_bits, 65);
	CHECK_EQ(m.words.n, 16);
	CHECK_EQ(span_u64(m.words, 0, false), 1);
	CHECK_EQ(span_u64(m.words, 1, false), 1);
	CHECK_EQ(pd_mem_next(&l, &m, &e), 1);
	CHECK_EQ(m.node, 2);
	CHECK_EQ(m.nr_bits, 1);
	CHECK_EQ(span_u64(m.words, 0, false), 0);
	CHECK_EQ(pd_mem_next(&l, &m, &e), 1);
	CHECK_EQ(m.node, 10);
	fixture_fini(&x);
}

#define PMU "sys/bus/event_source/devices/"

TEST(pmus)
{
	static const char *const names[] = { "cpu_atom", "cpu_core", "software" };
	static const u32 types[] = { 10, 4, 1 };
	struct pd_pmu_mapping m;
	struct pd_pmu_caps caps;
	struct pd_pmu_cap cap;
	struct pd_hybrid h;
	struct fixture x;
	struct pd_list l;
	struct perr e;
	u32 i;

	fixture_init(&x);
	host_tree_put(PMU "software/type", "1\n");
	host_tree_put(PMU "cpu_core/type", "4\n");
	host_tree_put(PMU "cpu_core/cpus", "0-15\n");
	host_tree_put(PMU "cpu_core/caps/branches", "32\n");
	host_tree_put(PMU "cpu_core/caps/pmu_name", "alderlake_hybrid\n");
	host_tree_put(PMU "cpu_atom/type", "10\n");
	host_tree_put(PMU "cpu_atom/cpus", "16-23\n");
	host_tree_put(PMU "nonsense/type", "what\n");
	fixture_run(&x);
	CHECK(!pd_list_open(fixture_payload(&x, PD_FEAT_PMU_MAPPINGS), false, &l, &e));
	CHECK_EQ(l.nr, 3);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(pd_pmu_mapping_next(&l, &m, &e), 1);
		fixture_check_span(m.name, names[i]);
		CHECK_EQ(m.type, types[i]);
	}
	CHECK(!x.f.present[PD_FEAT_CPU_PMU_CAPS]);
	CHECK(!pd_list_open(fixture_payload(&x, PD_FEAT_PMU_CAPS), false, &l, &e));
	CHECK_EQ(l.nr, 1);
	CHECK_EQ(pd_pmu_caps_next(&l, &caps, &e), 1);
	fixture_check_span(caps.pmu, "cpu_core");
	CHECK_EQ(caps.caps.nr, 2);
	CHECK_EQ(pd_cpu_pmu_caps_next(&caps.caps, &cap, &e), 1);
	fixture_check_span(cap.name, "branches");
	fixture_check_span(cap.value, "32");
	CHECK(!pd_list_open(fixture_payload(&x, PD_FEAT_HYBRID_TOPOLOGY), false, &l, &e));
	CHECK_EQ(l.nr, 2);
	CHECK_EQ(pd_hybrid_next(&l, &h, &e), 1);
	fixture_check_span(h.pmu, "cpu_atom");
	fixture_check_span(h.cpus, "16-23");
	fixture_fini(&x);
}

TEST(capabilities_of_the_one_cpu_pmu)
{
	struct pd_pmu_cap cap;
	struct fixture x;
	struct pd_list l;
	struct perr e;

	fixture_init(&x);
	host_tree_put(PMU "cpu/type", "4\n");
	host_tree_put(PMU "cpu/caps/max_precise", "3\n");
	fixture_run(&x);
	CHECK(!x.f.present[PD_FEAT_PMU_CAPS]);
	CHECK(!x.f.present[PD_FEAT_HYBRID_TOPOLOGY]);
	CHECK(!pd_list_open(fixture_payload(&x, PD_FEAT_CPU_PMU_CAPS), false, &l, &e));
	CHECK_EQ(l.nr, 1);
	CHECK_EQ(pd_cpu_pmu_caps_next(&l, &cap, &e), 1);
	fixture_check_span(cap.name, "max_precise");
	fixture_check_span(cap.value, "3");
	fixture_fini(&x);
}

static void check_domains(const char *schedstat, u32 version, const char *name)
{
	static const char *const masks[] = { "00000000,00000003", "00000001,0000000b" };
	static const char *const lists[] = { "0-1", "0-1,3,32" };
	struct pd_cpu_domain_cpu cpu;
	struct pd_cpu_domains d;
	struct pd_cpu_domain v;
	struct fixture x;
	struct perr e;
	u32 i;

	fixture_init(&x);
	put_cpus();
	host_tree_put("proc/schedstat", schedstat);
	fixture_run(&x);
	CHECK(!pd_cpu_domain_open(fixture_payload(&x, PD_FEAT_CPU_DOMAIN_INFO), false, 3, &d, &e));
	CHECK_EQ(d.schedstat_version, version);
	CHECK_EQ(d.max_domains, 2);
	CHECK_EQ(pd_cpu_domain_next(&d, &cpu, &e), 1);
	CHECK_EQ(cpu.cpu, 0);
	CHECK_EQ(cpu.nr_domains, 2);
	for (i = 0; i < 2; i++) {
		CHECK(pd_cpu_domain_get(&cpu, &v));
		CHECK_EQ(v.domain, i);
		fixture_check_span(v.name, i ? name : version >= 17 ? "SMT" : "");
		fixture_check_span(v.cpumask, masks[i]);
		fixture_check_span(v.cpus, lists[i]);
	}
	CHECK_EQ(pd_cpu_domain_next(&d, &cpu, &e), 1);
	CHECK_EQ(cpu.nr_domains, 0);
	CHECK_EQ(pd_cpu_domain_next(&d, &cpu, &e), 1);
	CHECK_EQ(cpu.cpu, 3);
	CHECK_EQ(cpu.nr_domains, 1);
	CHECK_EQ(cur_left(&d.list.c), 0);
	fixture_fini(&x);
}

TEST(scheduler_domains)
{
	check_domains("version 17\ntimestamp 1\ncpu0 0 0\ndomain0 SMT 00000000,00000003 1 2\n"
		      "domain1 PKG 00000001,0000000b 0\ncpu1 0\ncpu3 0\n"
		      "domain0 SMT 00000000,00000003 1\n",
		      17, "PKG");
}

TEST(scheduler_domains_without_names)
{
	check_domains("version 15\ntimestamp 1\ncpu0 0 0\ndomain0 00000000,00000003 1 2\n"
		      "domain1 00000001,0000000b 0\ncpu1 0\ncpu3 0\n"
		      "domain0 00000000,00000003 1\n",
		      15, "");
}
