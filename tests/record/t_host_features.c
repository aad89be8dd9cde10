/* SPDX-License-Identifier: MIT */
/* Feature sections made from fake trees of sysfs, procfs and tracefs, and from the real ones. */
#include "record/header/host_features.h"

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/build_info.h"
#include "base/mem.h"
#include "fileformat/event_desc.h"
#include "fileformat/feature/feature_pmu.h"
#include "fileformat/feature/feature_topology.h"
#include "fileformat/perfdata.h"
#include "fileformat/tracing_data.h"
#include "tests/frame/unit.h"

static char tree[PATH_MAX];

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static void tree_end(void)
{
	nftw(tree, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void tree_begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(tree, sizeof(tree), "%s/t_host_features.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(tree));
	atexit(tree_end);
}

static void make_folders(char *path)
{
	char *p;

	for (p = path + strlen(tree) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

/* The file tree/path with this text, its folders too. */
static void put(const char *path, const char *text)
{
	char full[PATH_MAX + 256];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", tree, path);
	make_folders(full);
	f = fopen(full, "w");
	CHECK(f);
	fputs(text, f);
	CHECK(!fclose(f));
}

static void put_folder(const char *path)
{
	char full[PATH_MAX + 256];

	snprintf(full, sizeof(full), "%s/%s/", tree, path);
	make_folders(full);
}

struct fixture {
	char sysfs[PATH_MAX + 8], procfs[PATH_MAX + 8], tracefs[PATH_MAX + 8];
	struct rec_opts o;
	struct rec_evlist l;
	struct pd_out_event out[8];
	u64 ids[8];
	struct host_features f;
};

static void fixture_init(struct fixture *x)
{
	memset(x, 0, sizeof(*x));
	tree_begin();
	put_folder("sys");
	put_folder("proc");
	snprintf(x->sysfs, sizeof(x->sysfs), "%s/sys", tree);
	snprintf(x->procfs, sizeof(x->procfs), "%s/proc", tree);
	snprintf(x->tracefs, sizeof(x->tracefs), "%s/tracing", tree);
	rec_opts_init(&x->o);
	x->o.host = (struct rec_host){ x->sysfs, x->procfs, x->tracefs };
	evlist_init(&x->l);
	x->l.attr_size = 64;
}

static struct rec_event *add_event(struct fixture *x, const char *name, u32 type)
{
	struct rec_event *ev = evlist_add(&x->l, name, type, x->l.nr);
	size_t i = x->l.nr - 1;

	ev->attr.size = 64;
	x->ids[i] = 100 + i;
	x->out[i] = (struct pd_out_event){
		.attr = ev->attr, .name = ev->name, .ids = &x->ids[i], .nr_ids = 1
	};
	return ev;
}

static void run(struct fixture *x)
{
	host_features_read(&x->f, &x->o, &x->l, x->out, 1 << 20);
}

static void fixture_fini(struct fixture *x)
{
	host_features_fini(&x->f);
	evlist_fini(&x->l);
	rec_opts_fini(&x->o);
}

static struct span payload(const struct fixture *x, u32 bit)
{
	size_t i;

	CHECK(x->f.present[bit]);
	for (i = 0; i < x->f.nr_out; i++)
		if (x->f.out[i].bit == bit)
			return x->f.out[i].data;
	CHECK(!"the section is among those given out");
	return span_of(NULL, 0);
}

static void check_span(struct span got, const char *want)
{
	char *text = xstrndup(got.n ? (const char *)got.p : "", got.n);

	CHECK_STR(text, want);
	free(text);
}

static void check_text(const struct fixture *x, u32 bit, const char *want)
{
	struct span text;
	struct perr e;

	CHECK(!pd_feature_text(payload(x, bit), false, &text, &e));
	check_span(text, want);
}

static void check_strings(struct pd_strings s, const char *const *want, u32 nr)
{
	struct span got;
	u32 i;

	CHECK_EQ(s.nr, nr);
	for (i = 0; i < nr; i++) {
		CHECK(pd_strings_next(&s, &got));
		check_span(got, want[i]);
	}
}

/* --- what needs no files --- */

TEST(empty_host_still_tells_the_system)
{
	static char arg0[] = "/usr/bin/prec", arg1[] = "-g", arg2[] = "--", arg3[] = "ls";
	char *argv[] = { arg0, arg1, arg2, arg3, NULL };
	static const char *const args[] = { "prec", "-g", "--", "ls" };
	struct pd_strings s;
	struct fixture x;
	struct utsname u;
	struct perr e;
	u32 bit, last = 0;
	char version[64];
	size_t i;

	fixture_init(&x);
	snprintf(version, sizeof(version), "prec %s", build_version());
	x.o.cmdline0 = "prec";
	x.o.cmdline = argv;
	run(&x);
	CHECK(!uname(&u));
	check_text(&x, PD_FEAT_HOSTNAME, u.nodename);
	check_text(&x, PD_FEAT_OSRELEASE, u.release);
	check_text(&x, PD_FEAT_ARCH, u.machine);
	check_text(&x, PD_FEAT_VERSION, version);
	CHECK(!pd_feature_cmdline(payload(&x, PD_FEAT_CMDLINE), false, &s, &e));
	check_strings(s, args, 4);
	for (bit = 0; bit < PD_FEAT_END; bit++)
		if (bit == PD_FEAT_CPUDESC || bit == PD_FEAT_CPUID || bit == PD_FEAT_TOTAL_MEM ||
		    bit == PD_FEAT_CPU_TOPOLOGY || bit == PD_FEAT_NUMA_TOPOLOGY ||
		    bit == PD_FEAT_PMU_MAPPINGS || bit == PD_FEAT_CACHE ||
		    bit == PD_FEAT_MEM_TOPOLOGY || bit == PD_FEAT_CLOCKID ||
		    bit == PD_FEAT_COMPRESSED || bit == PD_FEAT_CPU_PMU_CAPS ||
		    bit == PD_FEAT_CLOCK_DATA || bit == PD_FEAT_HYBRID_TOPOLOGY ||
		    bit == PD_FEAT_PMU_CAPS || bit == PD_FEAT_CPU_DOMAIN_INFO ||
		    bit == PD_FEAT_CLN_SIZE || bit == PD_FEAT_GROUP_DESC ||
		    bit == PD_FEAT_BRANCH_STACK)
			CHECK(!x.f.present[bit]);
	for (i = 0; i < x.f.nr_out; i++) {
		CHECK(x.f.out[i].bit > last);
		last = x.f.out[i].bit;
	}
	fixture_fini(&x);
}

TEST(events_and_groups)
{
	struct pd_event_descs d;
	struct pd_event_desc v;
	struct pd_group_desc g;
	struct rec_event *ev;
	struct fixture x;
	struct pd_list l;
	struct perr e;
	u32 i;

	fixture_init(&x);
	add_event(&x, "cpu-clock", PD_TYPE_SOFTWARE);
	for (i = 0; i < 2; i++) {
		ev = add_event(&x, i ? "task-clock" : "faults", PD_TYPE_SOFTWARE);
		ev->in_group = true;
		ev->leader_idx = 1;
		ev->nr_members = i ? 0 : 2;
	}
	run(&x);
	CHECK(!pd_event_desc_open(payload(&x, PD_FEAT_EVENT_DESC), false, &d, &e));
	CHECK_EQ(d.attr_size, 64);
	CHECK_EQ(d.list.nr, 3);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(pd_event_desc_next(&d, &v, &e), 1);
		check_span(v.name, x.l.events[i]->name);
		CHECK_EQ(span_u64(v.ids, 0, false), 100 + i);
		CHECK_EQ(v.attr.config, i);
	}
	CHECK(!pd_list_open(payload(&x, PD_FEAT_GROUP_DESC), false, &l, &e));
	CHECK_EQ(l.nr, 1);
	CHECK_EQ(pd_group_desc_next(&l, &g, &e), 1);
	check_span(g.name, "{anon_group}");
	CHECK_EQ(g.leader_idx, 1);
	CHECK_EQ(g.nr_members, 2);
	fixture_fini(&x);
}

/* Branch stacks that stand for call chains are not what report shows as branches. */
TEST(branch_flag_for_branches_only)
{
	struct rec_event *ev;
	struct fixture x;

	fixture_init(&x);
	ev = add_event(&x, "cycles", PD_TYPE_HARDWARE);
	ev->attr.sample_type = PD_SAMPLE_BRANCH_STACK;
	run(&x);
	CHECK(!x.f.present[PD_FEAT_BRANCH_STACK]);
	host_features_fini(&x.f);
	x.o.branch_sample_type = PD_BRANCH_ANY;
	run(&x);
	CHECK_EQ(payload(&x, PD_FEAT_BRANCH_STACK).n, 0);
	fixture_fini(&x);
}

TEST(clocks_and_compression)
{
	struct pd_compressed c;
	struct pd_clock_data k;
	struct timespec now;
	struct fixture x;
	struct perr e;
	u64 res;

	fixture_init(&x);
	x.o.use_clockid = true;
	x.o.clockid = CLOCK_MONOTONIC;
	x.o.compress = 3;
	run(&x);
	CHECK(!clock_gettime(CLOCK_MONOTONIC, &now));
	CHECK(!pd_feature_u64(payload(&x, PD_FEAT_CLOCKID), false, &res, &e));
	CHECK(res >= 1 && res <= 20000000);
	CHECK(!pd_feature_clock_data(payload(&x, PD_FEAT_CLOCK_DATA), false, &k, &e));
	CHECK_EQ(k.clockid, CLOCK_MONOTONIC);
	CHECK(k.clock_ns <= (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec);
	CHECK(k.wall_ns > k.clock_ns);
	CHECK(!pd_feature_compressed(payload(&x, PD_FEAT_COMPRESSED), false, &c, &e));
	CHECK_EQ(c.version, 0);
	CHECK_EQ(c.type, 1);
	CHECK_EQ(c.level, 3);
	CHECK_EQ(c.mmap_len, 1 << 20);
	host_features_fini(&x.f);
	x.o.clockid = 9999;
	run(&x);
	CHECK(!x.f.present[PD_FEAT_CLOCKID]);
	CHECK(!x.f.present[PD_FEAT_CLOCK_DATA]);
	fixture_fini(&x);
}

/* --- procfs --- */

TEST(cpu_of_x86)
{
	struct fixture x;
	struct perr e;
	u64 kb;

	fixture_init(&x);
	put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
			    "model\t\t: 207\nmodel name\t: Intel(R)  Xeon(R)   8592+ \n"
			    "stepping\t: 2\n\nprocessor\t: 1\nvendor_id\t: Other\n");
	put("proc/meminfo", "MemTotal:       24684084 kB\nMemFree:  1 kB\n");
	run(&x);
	check_text(&x, PD_FEAT_CPUDESC, "Intel(R) Xeon(R) 8592+");
	check_text(&x, PD_FEAT_CPUID, "GenuineIntel,6,207,2");
	CHECK(!pd_feature_u64(payload(&x, PD_FEAT_TOTAL_MEM), false, &kb, &e));
	CHECK_EQ(kb, 24684084);
	fixture_fini(&x);
}

TEST(cpu_of_arm64)
{
	struct fixture x;

	fixture_init(&x);
	put("proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd0c\n");
	put("sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000413fd0c1\n");
	run(&x);
	CHECK(!x.f.present[PD_FEAT_CPUDESC]);
	check_text(&x, PD_FEAT_CPUID, "0x00000000413fd0c1");
	fixture_fini(&x);
}

TEST(odd_procfs_is_left_out)
{
	struct fixture x;

	fixture_init(&x);
	put("proc/cpuinfo", ":\n\n:::\nmodel name\nvendor_id\t:\n");
	put("proc/meminfo", "MemTotal:\n");
	put("proc/schedstat", "version x\ncpu");
	run(&x);
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

	put(CPU "present", "0-3\n");
	put(CPU "online", "0-1,3\n");
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
#define PUT(name, field)                                                    \
	snprintf(path, sizeof(path), CPU "%s/topology/" name, cpus[i].cpu); \
	put(path, cpus[i].field)
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
	run(&x);
	CHECK(!pd_feature_nrcpus(payload(&x, PD_FEAT_NRCPUS), false, &n, &e));
	CHECK_EQ(n.avail, 4);
	CHECK_EQ(n.online, 3);
	CHECK(!pd_feature_cpu_topology(payload(&x, PD_FEAT_CPU_TOPOLOGY), false, 4, &t, &e));
	check_strings(t.packages, packages, 2);
	check_strings(t.cores, packages, 2);
	check_strings(t.dies, packages, 2);
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
	put(CPU "present", "0-1");
	put(CPU "online", "0-1");
	put(CPU "cpu0/topology/core_siblings_list", "0-1\n");
	put(CPU "cpu1/topology/core_siblings_list", "0-1\n");
	put(CPU "cpu0/topology/thread_siblings_list", "0\n");
	put(CPU "cpu1/topology/thread_siblings_list", "1\n");
	run(&x);
	CHECK(!pd_feature_cpu_topology(payload(&x, PD_FEAT_CPU_TOPOLOGY), false, 2, &t, &e));
	check_strings(t.packages, packages, 1);
	check_strings(t.cores, cores, 2);
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
		put(path, texts[i]);
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
	run(&x);
	CHECK(!pd_cache_open(payload(&x, PD_FEAT_CACHE), false, &l, &e));
	CHECK_EQ(l.nr, ARRAY_SIZE(want));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(pd_cache_next(&l, &c, &e), 1);
		CHECK_EQ(c.level, want[i].level);
		check_span(c.type, want[i].type);
		check_span(c.size, want[i].size);
		check_span(c.cpus, want[i].cpus);
		CHECK_EQ(c.line_size, 64);
		CHECK_EQ(c.sets, 512);
		CHECK_EQ(c.ways, 8);
	}
	CHECK(!pd_feature_u32(payload(&x, PD_FEAT_CLN_SIZE), false, &line, &e));
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
	put(NODE "online", "0,10\n");
	put(NODE "node0/meminfo", "\nNode 0 MemTotal:       100 kB\nNode 0 MemFree:  40 kB\n");
	put(NODE "node0/cpulist", "0-1\n");
	put(NODE "node10/meminfo", "Node 10 MemTotal: 7 kB\nNode 10 MemFree: 6 kB\n");
	put(NODE "node10/cpulist", "\n");
	put("sys/devices/system/memory/block_size_bytes", "8000000\n");
	put_folder(NODE "node0/memory0");
	put_folder(NODE "node0/memory64");
	put_folder(NODE "node0/memoryx");
	put_folder(NODE "node2");
	run(&x);
	CHECK(!pd_list_open(payload(&x, PD_FEAT_NUMA_TOPOLOGY), false, &l, &e));
	CHECK_EQ(l.nr, 2);
	CHECK_EQ(pd_numa_next(&l, &n, &e), 1);
	CHECK_EQ(n.node, 0);
	CHECK_EQ(n.total_kb, 100);
	CHECK_EQ(n.free_kb, 40);
	check_span(n.cpus, "0-1");
	CHECK_EQ(pd_numa_next(&l, &n, &e), 1);
	CHECK_EQ(n.node, 10);
	CHECK_EQ(n.total_kb, 7);
	check_span(n.cpus, "");
	CHECK(!pd_mem_open(payload(&x, PD_FEAT_MEM_TOPOLOGY), false, &block_size, &l, &e));
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
	put(PMU "software/type", "1\n");
	put(PMU "cpu_core/type", "4\n");
	put(PMU "cpu_core/cpus", "0-15\n");
	put(PMU "cpu_core/caps/branches", "32\n");
	put(PMU "cpu_core/caps/pmu_name", "alderlake_hybrid\n");
	put(PMU "cpu_atom/type", "10\n");
	put(PMU "cpu_atom/cpus", "16-23\n");
	put(PMU "nonsense/type", "what\n");
	run(&x);
	CHECK(!pd_list_open(payload(&x, PD_FEAT_PMU_MAPPINGS), false, &l, &e));
	CHECK_EQ(l.nr, 3);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(pd_pmu_mapping_next(&l, &m, &e), 1);
		check_span(m.name, names[i]);
		CHECK_EQ(m.type, types[i]);
	}
	CHECK(!x.f.present[PD_FEAT_CPU_PMU_CAPS]);
	CHECK(!pd_list_open(payload(&x, PD_FEAT_PMU_CAPS), false, &l, &e));
	CHECK_EQ(l.nr, 1);
	CHECK_EQ(pd_pmu_caps_next(&l, &caps, &e), 1);
	check_span(caps.pmu, "cpu_core");
	CHECK_EQ(caps.caps.nr, 2);
	CHECK_EQ(pd_cpu_pmu_caps_next(&caps.caps, &cap, &e), 1);
	check_span(cap.name, "branches");
	check_span(cap.value, "32");
	CHECK(!pd_list_open(payload(&x, PD_FEAT_HYBRID_TOPOLOGY), false, &l, &e));
	CHECK_EQ(l.nr, 2);
	CHECK_EQ(pd_hybrid_next(&l, &h, &e), 1);
	check_span(h.pmu, "cpu_atom");
	check_span(h.cpus, "16-23");
	fixture_fini(&x);
}

TEST(capabilities_of_the_one_cpu_pmu)
{
	struct pd_pmu_cap cap;
	struct fixture x;
	struct pd_list l;
	struct perr e;

	fixture_init(&x);
	put(PMU "cpu/type", "4\n");
	put(PMU "cpu/caps/max_precise", "3\n");
	run(&x);
	CHECK(!x.f.present[PD_FEAT_PMU_CAPS]);
	CHECK(!x.f.present[PD_FEAT_HYBRID_TOPOLOGY]);
	CHECK(!pd_list_open(payload(&x, PD_FEAT_CPU_PMU_CAPS), false, &l, &e));
	CHECK_EQ(l.nr, 1);
	CHECK_EQ(pd_cpu_pmu_caps_next(&l, &cap, &e), 1);
	check_span(cap.name, "max_precise");
	check_span(cap.value, "3");
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
	put("proc/schedstat", schedstat);
	run(&x);
	CHECK(!pd_cpu_domain_open(payload(&x, PD_FEAT_CPU_DOMAIN_INFO), false, 3, &d, &e));
	CHECK_EQ(d.schedstat_version, version);
	CHECK_EQ(d.max_domains, 2);
	CHECK_EQ(pd_cpu_domain_next(&d, &cpu, &e), 1);
	CHECK_EQ(cpu.cpu, 0);
	CHECK_EQ(cpu.nr_domains, 2);
	for (i = 0; i < 2; i++) {
		CHECK(pd_cpu_domain_get(&cpu, &v));
		CHECK_EQ(v.domain, i);
		check_span(v.name, i ? name : version >= 17 ? "SMT" : "");
		check_span(v.cpumask, masks[i]);
		check_span(v.cpus, lists[i]);
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

/* --- TRACING_DATA --- */

static void add_tracepoint(struct fixture *x, const char *system, const char *name, u64 id)
{
	struct rec_event *ev = add_event(x, name, PD_TYPE_TRACEPOINT);
	char path[128], text[256];

	ev->attr.config = id;
	ev->tp_system = xstrdup(system);
	ev->tp_name = xstrdup(name);
	snprintf(path, sizeof(path), "tracing/events/%s/%s/format", system, name);
	snprintf(text, sizeof(text), "name: %s\nID: %u\nformat:\n", name, (u32)id);
	put(path, text);
}

static void check_tracepoint(struct pd_tracing *t, const char *system, const char *name, u64 id)
{
	struct pd_tracepoint p;
	struct perr e;

	CHECK_EQ(pd_tracing_next(t, &p, &e), 1);
	check_span(p.system, system);
	check_span(p.name, name);
	CHECK_EQ(p.id, id);
}

TEST(tracing_data)
{
	static const char formats[] = "0xffffffff81000000 : \"text\"\n";
	struct pd_tracepoint p;
	struct wbuf b = { 0 };
	struct pd_tracing t;
	struct fixture x;
	struct cursor c;
	struct perr e;

	fixture_init(&x);
	put("tracing/events/header_page", "\tfield: u64 timestamp;\n");
	put("tracing/events/header_event", "# compressed entry header\n");
	put("tracing/printk_formats", formats);
	add_event(&x, "cpu-clock", PD_TYPE_SOFTWARE);
	add_tracepoint(&x, "sched", "sched_wakeup", 7);
	add_tracepoint(&x, "block", "block_rq_issue", 9);
	add_tracepoint(&x, "sched", "sched_switch", 8);
	add_tracepoint(&x, "sched", "sched_wakeup", 7); /* -e twice */
	add_tracepoint(&x, "ftrace", "print", 5);
	CHECK(!tracing_data_encode(&b, &x.l, &x.o, &e));
	CHECK(!pd_tracing_open(wb_span(&b), &t, &e));
	CHECK_EQ(t.long_size, sizeof(long));
	CHECK_EQ(t.page_size, (u64)sysconf(_SC_PAGESIZE));
	check_tracepoint(&t, "ftrace", "print", 5);
	check_tracepoint(&t, "block", "block_rq_issue", 9);
	check_tracepoint(&t, "sched", "sched_switch", 8);
	check_tracepoint(&t, "sched", "sched_wakeup", 7);
	CHECK_EQ(pd_tracing_next(&t, &p, &e), 0);
	c = t.c;
	CHECK_EQ(cur_u32(&c), 0); /* kallsyms */
	CHECK_EQ(cur_u32(&c), sizeof(formats) - 1);
	check_span(cur_bytes(&c, sizeof(formats) - 1), formats);
	CHECK_EQ(cur_u64(&c), 0); /* saved_cmdlines */
	CHECK_EQ(cur_left(&c), 0);
	CHECK(!c.bad);
	wb_fini(&b);
	fixture_fini(&x);
}

TEST(tracing_data_without_the_format)
{
	struct wbuf b = { 0 };
	struct fixture x;
	struct perr e;

	fixture_init(&x);
	put("tracing/events/header_page", "");
	put("tracing/events/header_event", "");
	add_tracepoint(&x, "sched", "sched_switch", 8);
	free(x.l.events[0]->tp_name);
	x.l.events[0]->tp_name = xstrdup("gone");
	CHECK_EQ(tracing_data_encode(&b, &x.l, &x.o, &e), PERR_IO);
	CHECK(strstr(e.text, "sched/gone/format"));
	wb_fini(&b);
	fixture_fini(&x);
}

TEST(tracing_data_without_tracefs)
{
	struct wbuf b = { 0 };
	struct fixture x;
	struct perr e;

	fixture_init(&x);
	CHECK(tracing_data_encode(&b, &x.l, &x.o, &e) < 0);
	CHECK_EQ(b.n, 0);
	wb_fini(&b);
	fixture_fini(&x);
}

/* --- the machine this runs on --- */

TEST(this_machine)
{
	struct pd_cpu_topology t;
	struct pd_nrcpus n;
	struct fixture x;
	struct perr e;
	u64 kb;

	if (access("/sys/devices/system/cpu/online", R_OK) || access("/proc/meminfo", R_OK))
		SKIP("no sysfs or procfs");
	fixture_init(&x);
	x.o.host = (struct rec_host){ "/sys", "/proc", NULL };
	run(&x);
	CHECK(!pd_feature_nrcpus(payload(&x, PD_FEAT_NRCPUS), false, &n, &e));
	CHECK_EQ(n.online, (u64)sysconf(_SC_NPROCESSORS_ONLN));
	CHECK(n.avail >= n.online);
	CHECK(!pd_feature_u64(payload(&x, PD_FEAT_TOTAL_MEM), false, &kb, &e));
	CHECK(kb > 1024);
	if (x.f.present[PD_FEAT_CPU_TOPOLOGY])
		CHECK(!pd_feature_cpu_topology(payload(&x, PD_FEAT_CPU_TOPOLOGY), false, n.avail,
					       &t, &e));
	fixture_fini(&x);
}

/* Sections that must be those of the stock perf that they were modelled on, byte for byte. */
TEST(same_sections_as_stock_perf)
{
	static const u32 bits[] = { PD_FEAT_HOSTNAME,    PD_FEAT_OSRELEASE,    PD_FEAT_ARCH,
				    PD_FEAT_NRCPUS,      PD_FEAT_CPUDESC,      PD_FEAT_CPUID,
				    PD_FEAT_TOTAL_MEM,   PD_FEAT_CPU_TOPOLOGY, PD_FEAT_CACHE,
				    PD_FEAT_MEM_TOPOLOGY };
	char cmd[PATH_MAX + 128], path[PATH_MAX + 16];
	const struct pd_feature *f;
	struct perfdata *pd;
	struct span version;
	struct fixture x;
	struct perr e;
	size_t i;

	fixture_init(&x);
	x.o.host = (struct rec_host){ "/sys", "/proc", NULL };
	snprintf(path, sizeof(path), "%s/stock.data", tree);
	snprintf(cmd, sizeof(cmd), "perf record -q -e cpu-clock -o %s true >/dev/null 2>&1", path);
	if (system(cmd) || pd_open(path, NULL, &pd, &e))
		SKIP("no perf, or it cannot record here");
	f = pd_feature_get(pd, PD_FEAT_VERSION);
	if (!f || pd_feature_text(f->data, false, &version, &e) || version.n < 4 ||
	    memcmp(version.p, "6.1.", 4))
		SKIP("perf is not 6.1");
	run(&x);
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		f = pd_feature_get(pd, bits[i]);
		CHECK_EQ(x.f.present[bits[i]], f != NULL);
		if (!f)
			continue;
		CHECK_EQ(payload(&x, bits[i]).n, f->data.n);
		unit_check_mem(__FILE__, __LINE__, pd_feature_name(bits[i]), payload(&x, bits[i]).p,
			       f->data.p, f->data.n);
	}
	pd_close(pd);
	fixture_fini(&x);
}
